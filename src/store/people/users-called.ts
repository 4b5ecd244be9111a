import { fold } from '../../fields/fold.ts'
import { join, sql, type Sql } from '../../sql/sql.ts'
import type { Caller } from '../model/access.ts'
import type { Uses } from '../ground/store.ts'
import { users } from './users.ts'

export interface UsersCalled {
  /** By the folded name, address or login, those who are not archived. */
  readonly called: ReadonlyMap<string, ReadonlySet<number>>
  /** Those of the ids that there are. */
  readonly ids: ReadonlySet<number>
}

/** Values of one condition. */
const AT_ONCE = 500

/** The users whom the caller sees and who have one of these names, addresses, logins or ids. */
export async function usersCalled(
  store: Uses<'db' | 'catalogue'>,
  caller: Caller,
  names: readonly string[],
  ids: readonly number[],
): Promise<UsersCalled> {
  const called = new Map<string, Set<number>>()
  const known = new Set<number>()
  const keys = [...new Set(names.map(fold))].filter((key) => key !== '')
  const visible = await users.visible(store, caller)
  const from = users.shownTo?.(store, caller) ?? users.from
  const { dialect } = store.db
  const read = async (wanted: Sql) => {
    const conditions = join([sql`(${wanted})`, ...(visible ? [sql`(${visible})`] : [])], ' AND ')
    const [rows] = await store.db.readLittle(caller, sql`SELECT id, archived, full_namek, emailk, logink FROM ${from} WHERE ${conditions}`)
    return rows!
  }
  for (let i = 0; i < keys.length; i += AT_ONCE) {
    const some = keys.slice(i, i + AT_ONCE)
    const columns = [sql`full_namek`, sql`emailk`, sql`logink`].map((column) => dialect.oneOf(column, some))
    for (const [id, archived, ...held] of await read(join(columns, ' OR ')))
      if (Number(archived) === 0)
        for (const key of held) if (key !== '') called.set(String(key), (called.get(String(key)) ?? new Set()).add(Number(id)))
  }
  for (let i = 0; i < ids.length; i += AT_ONCE)
    for (const [id] of await read(dialect.oneOf(sql`id`, ids.slice(i, i + AT_ONCE).map(BigInt)))) known.add(Number(id))
  return { called, ids: known }
}
