import { ordered } from '../../filter/compile.ts'
import type { SortKey } from '../../filter/sort.ts'
import type { Dialect } from '../../sql/dialect.ts'
import { memo } from '../../memory/memo.ts'
import { render, type Sql } from '../../sql/sql.ts'
import type { Indexes } from '../ground/indexes.ts'

/** The records of a table in the order of a key that an index serves, then of their ids. */
export interface Order {
  readonly tableId: number
  /** The key as SQL, and as text: the same for the same order. */
  readonly key: Sql
  readonly keyText: string
  readonly isNumber: boolean
  readonly descending: boolean
}

/** Whether an index in this order is there. */
export const hasIndex = (indexes: Indexes, tableId: number, { attribute, descending }: SortKey): boolean =>
  indexes.has(tableId, attribute.name, descending ? 'order_desc' : 'order') !== undefined

/** The order of a sort by one field; undefined where no index serves it. */
export const servedOrder = (indexes: Indexes, tableId: number, key: SortKey, dialect: Dialect): Order | undefined =>
  hasIndex(indexes, tableId, key) ? orderOf(tableId, key, dialect) : undefined

/** By attribute and direction, made once. */
const ordersOf = memo((_: SortKey['attribute']) => new Map<boolean, Order>())

function orderOf(tableId: number, { attribute, descending }: SortKey, dialect: Dialect): Order {
  const known = ordersOf(attribute)
  let order = known.get(descending)
  if (!order) {
    const key = ordered(attribute, dialect)
    const isChoice = attribute.type.kind === 'choice'
    const keyText = render(key, dialect.placeholder).text
    const isNumber = isChoice || attribute.type.kind === 'number'
    order = { tableId, key, keyText, isNumber, descending }
    known.set(descending, order)
  }
  return order
}
