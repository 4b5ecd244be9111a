import { fail } from '../../errors.ts'
import { limits } from '../../limits.ts'
import { sql, type Sql } from '../../sql/sql.ts'
import { selfOf, type Caller } from '../model/access.ts'
import { mustHaveRoom } from '../ground/quota.ts'
import { findRow, insertUnlogged, relation, updateUnlogged } from '../ground/relation.ts'
import type { Uses } from '../ground/store.ts'

/** What a user keeps under a name for the pages that they use, such as their language. The service does not read it. */
export interface UserSetting {
  readonly id: number
  readonly name: string
  /** Any JSON. */
  readonly value: unknown
}

/** Changes of them are not logged: they change nothing that others see. */
export const userSettings = relation<UserSetting>(
  'user_settings',
  { id: ['id', 'integer'], name: ['name', 'text'], value: ['value', 'json'] },
  ownSettings,
  undefined,
  { logging: false },
)

/** Users see their own; administrators too, also while they see what others see. */
function ownSettings(_: unknown, caller: Caller): Sql {
  return sql`user_id = ${selfOf(caller).userId}`
}

/** @throws `field.not_unique` where the user has one of this name, `quota.reached`, `field.invalid_value` */
export async function createSetting(store: Uses<'db'>, caller: Caller, { name = '', value = null }: Partial<UserSetting>): Promise<number> {
  const { userId } = caller
  if (!NAME.test(name))
    throw fail(
      'field.invalid_value',
      { why: 'A key is 1 to 64 letters, digits and . - _, of which the first is a letter or digit.' },
      { attribute: 'name' },
    )
  mustBeShort(value)
  return store.db.write(async (tx) => {
    const which = ownSettings(undefined, caller)
    await mustHaveRoom(store, tx, limits.settingsPerUser, { table: 'user_settings', which, owner: userId })
    const [other] = await tx.all(sql`SELECT id FROM user_settings WHERE ${which} AND name = ${name}`)
    if (other) throw fail('field.not_unique', { name: 'key' }, { attribute: 'name', meta: { record_id: String(other[0]) } })
    return insertUnlogged(tx, userSettings, { name, value }, { user_id: userId })
  })
}

export async function updateSetting(store: Uses<'db'>, caller: Caller, id: number, { value = null }: Partial<UserSetting>): Promise<void> {
  mustBeShort(value)
  await store.db.write(async (tx) => {
    if (!(await findRow((query) => tx.all(query), userSettings, id, ownSettings(undefined, caller))))
      throw fail('resource.not_found', { type: 'setting', id })
    await updateUnlogged(tx, userSettings, id, { value })
  })
}

export async function deleteSetting(store: Uses<'db'>, caller: Caller, id: number): Promise<void> {
  const which = sql`id = ${id} AND ${ownSettings(undefined, caller)}`
  const deleted = await store.db.write((tx) => tx.run(sql`DELETE FROM user_settings WHERE ${which}`))
  if (deleted === 0) throw fail('resource.not_found', { type: 'setting', id })
}

const NAME = /^[A-Za-z0-9][\w.-]{0,63}$/

function mustBeShort(value: unknown): void {
  const { most } = limits.settingValue
  if (Buffer.byteLength(JSON.stringify(value)) > most)
    throw fail('field.invalid_value', { why: `A setting has at most ${most} bytes of JSON.` }, { attribute: 'value' })
}
