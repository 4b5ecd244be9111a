import type { Attribute } from '../../fields/field-type.ts'
import type { Dialect } from '../../sql/dialect.ts'
import { name, sql, type Sql } from '../../sql/sql.ts'
import type { Granted } from '../model/access.ts'
import { recordsOf } from '../model/catalogue.ts'
import type { Row } from '../ground/db.ts'
import { nothingOf, shownList, type Found } from '../records/read-records.ts'
import type { Counted, SharedCounts } from '../ground/positions.ts'
import type { ListStore } from './list-store.ts'

/*
 * Any page of all records by id where several processes write, in one statement: it is read where it was last known to be,
 * with what tells whether it is still there. Where it is not, it is read again where it is by now.
 */

type Attributes = ReadonlyMap<string, Attribute>

/** How often: while others write without end before the page, it is found by the database. */
const TRIES = 5

/** Where a page lies: `take` records, `skip` after the first whose id is not below `id`. */
interface Stretch {
  readonly id: number
  readonly skip: number
  readonly take: number
}

/** By id, from either end. Undefined where others wrote all the while. */
export async function sharedPage(
  { db, positions }: ListStore,
  { table, attributes }: Granted<'read'>,
  descending: boolean,
  offset: number,
  limit: number,
  tries = TRIES,
): Promise<Found> {
  const counts = positions.shared!
  const { read } = db.replicas ?? db
  const place = (counted: Counted) => stretch(counted, descending, offset, limit)
  let guess = place(counts.known(table.id) ?? nothingKnown)
  for (; tries > 0; tries--) {
    if (guess === 'unknown') guess = place(await counts.load(table.id, read))
    if (guess === 'unknown') continue
    const [rows] = await read(pageAt(table.id, counts, attributes, db.dialect, guess))
    const { counted, records } = parted(table.id, counts, rows!)
    const right = place(counted)
    if (isSame(guess, right)) return { rows: descending ? records.toReversed() : records, total: counted.total }
    guess = right
  }
  return undefined
}

const nothingKnown: Counted = { total: Infinity, state: -1, at: (offset) => (offset === 0 ? { id: 0, skip: 0 } : 'unknown') }
const empty: Stretch = { id: 0, skip: 0, take: 0 }

function stretch(counted: Counted, descending: boolean, offset: number, limit: number): Stretch | 'unknown' {
  if (descending && counted.total === Infinity) return 'unknown'
  const begin = descending ? Math.max(0, counted.total - offset - limit) : offset
  const take = descending ? counted.total - offset - begin : limit
  const place = take <= 0 ? undefined : counted.at(begin)
  return place === undefined ? empty : place === 'unknown' ? place : { ...place, take }
}

const isSame = (one: Stretch, other: Stretch | 'unknown'): boolean =>
  other !== 'unknown' && one.id === other.id && one.skip === other.skip && one.take === other.take

/** Behind every record. A range lets the planner know, whatever the values are, that it is not the whole table that is asked for. */
const LAST = Number.MAX_SAFE_INTEGER

/** The records, and among them a row of nothing but the marks, in their last column. What is stepped over is not fetched. */
function pageAt(tableId: number, counts: SharedCounts, attributes: Attributes, dialect: Dialect, { id, skip, take }: Stretch): Sql {
  const records = name(recordsOf(tableId))
  const first =
    skip === 0 ? sql`${id}` : sql`(SELECT id FROM ${records} WHERE id BETWEEN ${id} AND ${LAST} ORDER BY id LIMIT 1 OFFSET ${skip})`
  return sql`(SELECT ${shownList(attributes, dialect)}, '' AS marks FROM ${records} WHERE id BETWEEN ${first} AND ${LAST} ORDER BY id LIMIT ${take})
    UNION ALL SELECT ${nothingOf(attributes)}, (${counts.marks(tableId)})`
}

function parted(tableId: number, counts: SharedCounts, rows: readonly Row[]): { counted: Counted; records: Row[] } {
  const records = rows.filter(([id]) => id !== null).sort(([one], [other]) => Number(one) - Number(other))
  return { counted: counts.learn(tableId, String(rows.find(([id]) => id === null)!.at(-1))), records }
}
