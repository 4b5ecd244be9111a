import { fail, type Failure } from '../../errors.ts'
import { quoted } from '../../fields/forms/quoted.ts'
import type { Attribute, Stored } from '../../fields/field-type.ts'
import type { Side } from '../changes/content.ts'
import { textOf } from '../changes/list-changes.ts'
import type { Uses } from '../ground/store.ts'
import { grant, view, type Caller } from '../model/access.ts'
import type { Field } from '../model/catalogue.ts'
import { findByKey } from '../records/find-by-key.ts'
import { membersOf } from '../structure/convert-by-key.ts'

interface Naming {
  readonly from: Attribute
  readonly to: Attribute
  readonly namesBy: number
}

/**
 * The references, as text, to the records that a value names which a field held before it became a reference by a unique field: those that hold it
 * now, and that the caller may read. The 7 that was a code is not record 7. A failure where one names none.
 */
export async function named(
  store: Uses<'db' | 'context' | 'catalogue'>,
  caller: Caller,
  { from, to, namesBy }: Naming,
  side: Side,
): Promise<string | Failure> {
  const key = keyFor(store, caller, to, namesBy)
  const members = key ? membersOf(from, to, key, side as Stored) : [textOf(from, side)!].filter((text) => text !== '')
  const found = key
    ? await findByKey(store, grant('read', key.tableId, caller, store.catalogue()), key, members)
    : new Map<string, number>()
  const lost = members.find((member) => !found.has(member))
  if (lost !== undefined) return fail('field.invalid_value', { why: `${quoted(lost)} names no record any more.` }, { attribute: to.name })
  const ids = [...new Set(members.flatMap((member) => found.get(member) ?? []))]
  if (to.type.kind !== 'set' && ids.length > 1)
    return fail('field.invalid_value', { why: 'The value of then names several records.' }, { attribute: to.name })
  return ids.length === 0 ? to.type.format(to.type.empty, to.settings) : to.type.kind === 'set' ? `-${ids.join('-')}-` : String(ids[0])
}

/** The unique field, as far as the caller sees it and the records of its table. */
function keyFor({ catalogue }: Uses<'catalogue'>, caller: Caller, to: Attribute, namesBy: number): Field | undefined {
  const now = catalogue()
  const table = now.tables.get(to.settings.referenceTableId ?? 0)
  const key = table?.fields.find(({ id, settings }) => id === namesBy && settings.unique)
  if (!table || !key) return undefined
  const seen = view(table, caller, now)
  return seen.rights.has('read') && seen.attributes.has(key.name) ? key : undefined
}
