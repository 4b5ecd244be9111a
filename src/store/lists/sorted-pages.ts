import { ordered, placesOf } from '../../filter/compile.ts'
import type { SortKey } from '../../filter/sort.ts'
import type { Dialect } from '../../sql/dialect.ts'
import { name, render, sql } from '../../sql/sql.ts'
import type { Granted } from '../model/access.ts'
import { recordsOf } from '../model/catalogue.ts'
import type { Key } from '../ground/db.ts'
import type { Positions } from '../ground/positions.ts'
import { pageAt, type Order } from './ranks.ts'
import { shownList, type Found } from '../records/read-records.ts'
import { sharedOrderPage } from './shared-orders.ts'
import { sharedPage } from './shared-pages.ts'
import type { ListStore } from './list-store.ts'

/** By id: its place is known, whatever the offset. */
export async function pageById(store: ListStore, granted: Granted<'read'>, offset: number, limit: number): Promise<NonNullable<Found>> {
  const { table, attributes } = granted
  const { db, positions } = store
  const found = positions.shared && (await sharedPage(store, granted, false, offset, limit))
  if (found) return found
  await positions.ready(table.id)
  const position = await beginning(store, table.id, offset)
  const [counted, rows] = await (db.replicas ?? db).read(
    positions.total(table.id),
    ...(position
      ? [
          sql`${position.prelude}SELECT ${shownList(attributes, db.dialect)} FROM ${name(recordsOf(table.id))}
            WHERE id >= ${position.id} ORDER BY id LIMIT ${limit} OFFSET ${position.skip}`,
        ]
      : []),
  )
  return { rows: rows ?? [], total: Number(counted![0]?.[0] ?? 0) }
}

/** Where a page begins; it is asked for first where the page cannot ask itself. */
async function beginning({ positions, db }: ListStore, tableId: number, offset: number): Promise<ReturnType<Positions['locate']>> {
  const position = positions.locate(tableId, offset)
  if (!position?.ask) return position
  const [row] = (await db.read(position.ask))[0]!
  return row && { prelude: sql``, id: Number(row[0]), skip: Number(row[1]) }
}

/** A page of all records of a table, sorted by one field or by id. */
export async function sortedPage(store: ListStore, granted: Granted<'read'>, key: SortKey, offset: number, limit: number): Promise<Found> {
  const { dialect, readNow } = store.db
  const { table, attributes } = granted
  if (key.attribute.column === 'id') {
    if (store.positions.shared) return sharedPage(store, granted, key.descending, offset, limit)
    return readNow && key.descending ? lastFirst(store, granted, offset, limit) : undefined
  }
  if (!store.indexes.has(table.id, key.attribute.name, key.descending ? 'order_desc' : 'order')) return undefined
  const order = orderOf(table.id, key, dialect)
  if (store.positions.shared) return sharedOrderPage(store, granted, order, offset, limit)
  if (!store.ranks || !readNow) return undefined
  const select = shownList(attributes, dialect)
  return store.ranks.at(order, offset, (place) => {
    const [counted, ...rows] = readNow(store.positions.total(table.id), ...(place ? pageAt(order, place, select, limit) : []))
    return { rows: rows.flat(), total: Number(counted![0]![0]) }
  })
}

/** By id, the last one first: the same page counted from the end, turned round. */
async function lastFirst(
  { db, positions }: ListStore,
  { table, attributes }: Granted<'read'>,
  offset: number,
  limit: number,
): Promise<Found> {
  await positions.ready(table.id)
  const total = Number(db.readNow!(positions.total(table.id))[0]![0]![0])
  const begin = Math.max(0, total - offset - limit)
  const position = positions.locate(table.id, begin)
  if (!position || offset >= total) return { rows: [], total }
  const page = sql`SELECT ${shownList(attributes, db.dialect)} FROM ${name(recordsOf(table.id))}
    WHERE id >= ${position.id} ORDER BY id LIMIT ${total - offset - begin} OFFSET ${position.skip}`
  return { rows: db.readNow!(page)[0]!.toReversed(), total }
}

/** By attribute and direction, made once. */
const orders = new WeakMap<SortKey['attribute'], Map<boolean, Order>>()

function orderOf(tableId: number, { attribute, descending }: SortKey, dialect: Dialect): Order {
  let known = orders.get(attribute)
  if (!known) orders.set(attribute, (known = new Map()))
  let order = known.get(descending)
  if (!order) {
    const key = ordered(attribute, dialect)
    const isChoice = attribute.type.kind === 'choice'
    const keyText = render(key, dialect.placeholder).text
    const column = isChoice ? attribute.column : (attribute.keyColumn ?? attribute.column)
    const isNumber = isChoice || attribute.type.kind === 'number'
    order = { tableId, column, key, keyText, isNumber, descending, ...(isChoice && { keyOf: placeOf(attribute) }) }
    known.set(descending, order)
  }
  return order
}

/** As `ordered` has it: an option nobody knows comes first; without options, the id. */
function placeOf(attribute: SortKey['attribute']): (stored: Key) => Key {
  const places = placesOf(attribute)
  return (stored) => (places.size === 0 ? stored : BigInt(places.get(Number(stored)) ?? 0))
}
