import type { Attribute } from '../../fields/field-type.ts'
import type { Condition, Target } from '../../filter/check.ts'
import { rightsOn, view, type Caller, type View } from '../model/access.ts'
import { recordsOf, type Catalogue } from '../model/catalogue.ts'

/** What the caller sees of the table that a reference refers to; undefined: they may not read it. */
export function viewAcross({ settings }: Attribute, caller: Caller, catalogue: Catalogue): View | undefined {
  const table = catalogue.tables.get(settings.referenceTableId ?? 0)
  return table && rightsOn(table.id, caller, catalogue).has('read') ? view(table, caller, catalogue) : undefined
}

/** The same for a filter; `readable`: which of its records the caller may read, undefined for all. */
export const targetOf = ({ table, allAttributes }: View, readable: Condition | undefined): Target => ({
  tableId: table.id,
  records: recordsOf(table.id),
  columns: table.allAttributes,
  attributes: allAttributes,
  readable,
})
