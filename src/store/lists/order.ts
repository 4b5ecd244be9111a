import type { SortKey } from '../../filter/sort.ts'
import type { Indexes } from '../ground/indexes.ts'

/** Whether an index in this order is there. */
export const hasIndex = (indexes: Indexes, tableId: number, { attribute, descending }: SortKey): boolean =>
  indexes.has(tableId, attribute.name, descending ? 'order_desc' : 'order') !== undefined
