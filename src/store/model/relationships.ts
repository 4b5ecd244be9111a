import { grant, rightsOn, type View } from './access.ts'
import type { Field } from './catalogue.ts'

/** A way from the records of one table to others: along a reference field, or backwards along one, to the records that refer here. */
export interface Relationship {
  readonly field: Field
  readonly isInverse: boolean
  /** The table it leads to. */
  readonly tableId: number
  readonly isToMany: boolean
}

/** The relationship along a reference field of the table; undefined where the field or its target does not exist for the caller. */
export function forwardAlong(view: View, fieldId: number): Relationship | undefined {
  const field = visibleReference(view, fieldId)
  const tableId = field?.settings.referenceTableId ?? 0
  if (!field || !mayRead(tableId, view)) return undefined
  return { field, isInverse: false, tableId, isToMany: field.type.kind === 'set' }
}

/** The relationship to the records of table `tableId` that refer here by a field; undefined as in `forwardAlong`. */
export function backwardAlong(view: View, tableId: number, fieldId: number): Relationship | undefined {
  if (!mayRead(tableId, view)) return undefined
  const field = visibleReference(grant('read', tableId, view.caller, view.catalogue), fieldId)
  return field?.settings.referenceTableId === view.table.id ? { field, isInverse: true, tableId, isToMany: true } : undefined
}

const mayRead = (tableId: number, { caller, catalogue }: View): boolean => rightsOn(tableId, caller, catalogue).has('read')

function visibleReference({ table, attributes }: View, fieldId: number): Field | undefined {
  const field = table.fields.find(({ id }) => id === fieldId)
  return field?.type.target === 'record' && attributes.has(field.name) ? field : undefined
}
