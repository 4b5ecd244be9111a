import { fail } from '../../errors.ts'
import { grant, rightsOn, type Caller } from '../../store/model/access.ts'
import type { Catalogue, Field } from '../../store/model/catalogue.ts'
import type { Upserting } from '../../store/records/upsert-record.ts'

/**
 * What the caller may do in an upsert. One of the rights is enough: which one is needed depends on whether there is such a record. The
 * answer shows the record that was changed. @throws as `grant` does where they have neither right
 */
export function mayUpsert(tableId: number, caller: Caller, catalogue: Catalogue): Upserting {
  const held = rightsOn(tableId, caller, catalogue)
  const update = held.has('update') && held.has('read') ? grant(['update', 'read'], tableId, caller, catalogue) : undefined
  return { create: held.has('create') || !update ? grant('create', tableId, caller, catalogue) : undefined, update }
}

/** The unique field of this name. @throws `attribute.unknown`, `parameter.invalid` */
export function upsertField({ create, update }: Upserting, upsertBy: string): Field {
  const { attributes, table } = (create ?? update)!
  const source = { parameter: 'upsertBy' }
  const name = upsertBy.slice(0, 100)
  if (!attributes.has(upsertBy)) throw fail('attribute.unknown', { name }, { source })
  const field = table.fields.find((one) => one.name === upsertBy && one.settings.unique)
  if (!field) throw fail('parameter.invalid', { why: `'${name}' is not a unique field.` }, { source })
  return field
}
