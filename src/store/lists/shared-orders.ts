import { name, sql, type Sql } from '../../sql/sql.ts'
import type { Granted } from '../model/access.ts'
import { nobody } from '../model/asker.ts'
import { recordsOf } from '../model/catalogue.ts'
import type { Db, Row } from '../ground/db.ts'
import { rememberEnd, stepOf, type Anchor, type AnchorMemory, type PageAnchors } from './page-anchors.ts'
import type { Counted, SharedCounts } from './shared-counts.ts'
import type { Order } from './order.ts'
import { nothingOf, shownList } from '../records/read-records.ts'
import type { PageRows } from './list-reader.ts'

/*
 * Pages of all records sorted by one field, in a database to which several processes write. A page is read together with the state of the
 * table. For pages far from both ends, anchors are read: the last of every few hundred records. They are valid for that state; while others write,
 * the records before a page are skipped in the index.
 */

/** Records that may be skipped before anchors are read. */
const NEAR = 1_000

/** Where to begin: after a record or at either end; the records to skip; and the state for which that is right. */
interface Way {
  readonly after?: Anchor | undefined
  readonly fromEnd?: boolean
  readonly skip: number
  readonly take: number
  readonly state?: number
}

/** What these pages are read with. */
export interface SharedOrders {
  readonly db: Db
  readonly counts: SharedCounts
  readonly anchors: AnchorMemory
}

/** A page, and the total, from one snapshot. */
export async function sharedOrderPage(
  parts: SharedOrders,
  granted: Granted<'read'>,
  order: Order,
  offset: number,
  limit: number,
): Promise<PageRows> {
  const { table } = granted
  const { db, counts, anchors } = parts
  const { read, readAside } = db.forLists
  const key = `${table.id} ${table.version} ${order.keyText} ${order.descending}`
  const known = counts.known(table.id)
  let way: Way = known ? wayTo(anchors.of(key, known.state), known, offset, limit) : { skip: offset, take: limit }
  for (;;) {
    const page = pageWithCounts(parts, granted, order, way)
    const [answer] = await (way.skip > NEAR ? readAside(granted.caller, page) : read(page))
    const { counted, rows } = parted(counts, table.id, answer!)
    if (way.state === undefined || way.state === counted.state) {
      const found = anchors.of(key, counted.state)
      if (way.skip > NEAR && ++found.far > 1) anchors.build(key, () => findAnchors(parts, order, counted.total))
      const end = rows.at(-1)
      if (end) rememberEnd(found, offset + rows.length, anchorOf(order, end.at(-3), end[0]))
      return { rows, total: counted.total }
    }
    way = { skip: offset, take: limit }
  }
}

/** The way that skips the fewest records. */
function wayTo({ ends, step, anchors, state }: PageAnchors, { total }: Counted, offset: number, limit: number): Way {
  const take = Math.max(0, Math.min(limit, total - offset))
  const end = ends.get(offset)
  if (end) return { after: end, skip: 0, take, state }
  const steps = step === 0 ? 0 : Math.floor(offset / step)
  const up: Way = steps === 0 ? { skip: offset, take: limit } : { after: anchors[steps - 1], skip: offset - steps * step, take, state }
  const fromEnd: Way = { fromEnd: true, skip: Math.max(0, total - offset - take), take, state }
  return take === 0 || fromEnd.skip < up.skip ? fromEnd : up
}

const anchorOf = ({ isNumber }: Order, key: unknown, id: unknown): Anchor => [isNumber ? BigInt(String(key)) : String(key), Number(id)]

const along = ({ key, descending }: Order): Sql => (descending ? sql`${key} DESC, id` : sql`${key}, id`)
const against = ({ key, descending }: Order): Sql => (descending ? sql`${key}, id DESC` : sql`${key} DESC, id DESC`)

/** The ids of a page. They, and the skipped records, are read from the index alone. */
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

/** The records with their sort key and row number, and one row with only the counts, in the last column. */
function pageWithCounts({ db: { dialect }, counts }: SharedOrders, { table, attributes }: Granted<'read'>, order: Order, way: Way): Sql {
  const key = order.isNumber ? dialect.integerText(order.key) : order.key
  // An array, so that the planner looks the ids up, however many it expects.
  return sql`(SELECT ${shownList(attributes, dialect)}, ${key} AS sorted, row_number() OVER (ORDER BY ${along(order)}) AS place, '' AS counts
      FROM ${name(recordsOf(table.id))} WHERE id = ANY (ARRAY(${idsOf(order, way)})))
    UNION ALL SELECT ${nothingOf(attributes)}, NULL, 0, (${counts.query(table.id)})`
}

function parted(counts: SharedCounts, tableId: number, rows: readonly Row[]): { counted: Counted; rows: Row[] } {
  const place = (row: Row) => Number(row.at(-2))
  const [text, ...records] = [...rows].sort((one, other) => place(one) - place(other))
  return { counted: counts.learn(tableId, String(text!.at(-1))), rows: records }
}

async function findAnchors(
  { db, counts }: SharedOrders,
  order: Order,
  total: number,
): Promise<Pick<PageAnchors, 'state' | 'step' | 'anchors'>> {
  const step = stepOf(total)
  const key = order.isNumber ? db.dialect.integerText(sql`key`) : sql`key`
  const numbered = sql`SELECT ${order.key} AS key, id, row_number() OVER (ORDER BY ${along(order)}) AS place FROM ${name(recordsOf(order.tableId))}`
  const [text, rows] = await db.forLists.readAside(
    nobody,
    counts.query(order.tableId),
    sql`SELECT ${key}, id FROM (${numbered}) AS numbered WHERE place % ${step} = 0 ORDER BY place`,
  )
  const { state } = counts.learn(order.tableId, String(text![0]![0]))
  return { state, step, anchors: rows!.map(([value, id]) => anchorOf(order, value, id)) }
}
