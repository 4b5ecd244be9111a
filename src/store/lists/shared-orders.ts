import { name, sql, type Sql } from '../../sql/sql.ts'
import type { Granted } from '../model/access.ts'
import { nobody } from '../model/asker.ts'
import { recordsOf } from '../model/catalogue.ts'
import type { Row } from '../ground/db.ts'
import { rememberEnd, stepOf, type Ladder, type Rung } from './page-anchors.ts'
import type { Counted, SharedCounts } from '../ground/positions.ts'
import type { Order } from './ranks.ts'
import { nothingOf, shownList, type Found } from '../records/read-records.ts'
import type { ListStore } from './list-store.ts'

/*
 * Pages of all records sorted by one field, where several processes write. A page comes with the state of the table that it
 * shows. Whoever asks for pages far down has a ladder made: every few hundred records, where the next begins. It holds as
 * long as the table is in that state; while others write, what comes before a page is stepped over in the index.
 */

/** Records that are stepped over without a ladder, and without a thought. */
const NEAR = 1_000

/** Where to begin: after a record or at either end, how many records are stepped over, and the state for which that is right. */
interface Way {
  readonly after?: Rung | undefined
  readonly fromEnd?: boolean
  readonly skip: number
  readonly take: number
  readonly state?: number
}

/** A page, and the total, from one snapshot. */
export async function sharedOrderPage(
  store: ListStore,
  granted: Granted<'read'>,
  order: Order,
  offset: number,
  limit: number,
): Promise<NonNullable<Found>> {
  const { table } = granted
  const { read, readAside } = store.db.replicas ?? store.db
  const counts = store.positions.shared!
  const key = `${table.id} ${table.version} ${order.keyText} ${order.descending}`
  const known = counts.known(table.id)
  let way: Way = known ? wayTo(store.orders.of(key, known.state), known, offset, limit) : { skip: offset, take: limit }
  for (;;) {
    const page = pageAt(store, granted, order, way)
    const [answer] = await (way.skip > NEAR ? readAside(granted.caller, page) : read(page))
    const { counted, rows } = parted(counts, table.id, answer!)
    if (way.state === undefined || way.state === counted.state) {
      const ladder = store.orders.of(key, counted.state)
      if (way.skip > NEAR && ++ladder.far > 1) store.orders.build(key, () => makeLadder(store, order, counted.total))
      const end = rows.at(-1)
      if (end) rememberEnd(ladder, offset + rows.length, rungOf(order, end.at(-3), end[0]))
      return { rows, total: counted.total }
    }
    way = { skip: offset, take: limit }
  }
}

/** The shortest that is known. */
function wayTo({ ends, step, rungs, state }: Ladder, { total }: Counted, offset: number, limit: number): Way {
  const take = Math.max(0, Math.min(limit, total - offset))
  const end = ends.get(offset)
  if (end) return { after: end, skip: 0, take, state }
  const rung = step === 0 ? 0 : Math.floor(offset / step)
  const up: Way = rung === 0 ? { skip: offset, take: limit } : { after: rungs[rung - 1], skip: offset - rung * step, take, state }
  const fromEnd: Way = { fromEnd: true, skip: Math.max(0, total - offset - take), take, state }
  return take === 0 || fromEnd.skip < up.skip ? fromEnd : up
}

const rungOf = ({ isNumber }: Order, key: unknown, id: unknown): Rung => [isNumber ? BigInt(String(key)) : String(key), Number(id)]

const along = ({ key, descending }: Order): Sql => (descending ? sql`${key} DESC, id` : sql`${key}, id`)
const against = ({ key, descending }: Order): Sql => (descending ? sql`${key}, id DESC` : sql`${key} DESC, id DESC`)

/** The ids of a page: found in the index alone, what is stepped over with them. */
function idsOf(order: Order, { after, fromEnd, skip, take }: Way): Sql {
  const records = name(recordsOf(order.tableId))
  const { key, descending } = order
  if (!after) return sql`SELECT id FROM ${records} ORDER BY ${fromEnd ? against(order) : along(order)} LIMIT ${take} OFFSET ${skip}`
  const [value, id] = after
  const beyond = descending ? sql`${key} < ${value}` : sql`${key} > ${value}`
  return sql`SELECT id FROM ((SELECT ${key} AS key, id FROM ${records} WHERE ${key} = ${value} AND id > ${id} ORDER BY id LIMIT ${skip + take})
    UNION ALL (SELECT ${key}, id FROM ${records} WHERE ${beyond} ORDER BY ${along(order)} LIMIT ${skip + take})) AS near
    ORDER BY ${descending ? sql`key DESC, id` : sql`key, id`} LIMIT ${take} OFFSET ${skip}`
}

/** The records with their key and their place among each other, and a row of nothing but the marks, in the last column. */
function pageAt({ db: { dialect }, positions }: ListStore, { table, attributes }: Granted<'read'>, order: Order, way: Way): Sql {
  const key = order.isNumber ? dialect.integerText(order.key) : order.key
  // An array: however many ids the planner expects, they are looked up.
  return sql`(SELECT ${shownList(attributes, dialect)}, ${key} AS sorted, row_number() OVER (ORDER BY ${along(order)}) AS place, '' AS marks
      FROM ${name(recordsOf(table.id))} WHERE id = ANY (ARRAY(${idsOf(order, way)})))
    UNION ALL SELECT ${nothingOf(attributes)}, NULL, 0, (${positions.shared!.marks(table.id)})`
}

function parted(counts: SharedCounts, tableId: number, rows: readonly Row[]): { counted: Counted; rows: Row[] } {
  const place = (row: Row) => Number(row.at(-2))
  const [marks, ...records] = [...rows].sort((one, other) => place(one) - place(other))
  return { counted: counts.learn(tableId, String(marks!.at(-1))), rows: records }
}

async function makeLadder({ db, positions }: ListStore, order: Order, total: number): Promise<Pick<Ladder, 'state' | 'step' | 'rungs'>> {
  const { readAside } = db.replicas ?? db
  const counts = positions.shared!
  const step = stepOf(total)
  const key = order.isNumber ? db.dialect.integerText(sql`key`) : sql`key`
  const numbered = sql`SELECT ${order.key} AS key, id, row_number() OVER (ORDER BY ${along(order)}) AS place FROM ${name(recordsOf(order.tableId))}`
  const [marks, rows] = await readAside(
    nobody,
    counts.marks(order.tableId),
    sql`SELECT ${key}, id FROM (${numbered}) AS numbered WHERE place % ${step} = 0 ORDER BY place`,
  )
  const { state } = counts.learn(order.tableId, String(marks![0]![0]))
  return { state, step, rungs: rows!.map(([value, id]) => rungOf(order, value, id)) }
}
