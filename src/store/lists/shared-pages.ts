import type { Attribute } from '../../fields/field-type.ts'
import type { Dialect } from '../../sql/dialect.ts'
import { name, sql, type Sql } from '../../sql/sql.ts'
import type { Db, Row } from '../ground/db.ts'
import type { Granted } from '../model/access.ts'
import { recordsOf } from '../model/catalogue.ts'
import { nothingOf, shownList } from '../records/read-records.ts'
import type { Counted, SharedCounts } from '../positions/shared-counts.ts'
import type { SharedPositions } from '../positions/shared-positions.ts'
import type { PageRows } from './list-reader.ts'
import { pageAtPosition, type WholePages } from './whole-pages.ts'

/*
 * Pages of all records by id, in a database to which several processes write, each in one statement. A page is read at its last known
 * position, together with the counts, which show whether that was right. If not, the page is read again at its new position.
 */

/** What pages of whole tables are read with. */
export interface SharedParts {
  readonly db: Db
  readonly positions: SharedPositions
}

/** Pages of whole tables in PostgreSQL, each in one statement that also tells the counts of its snapshot (shared-counts.ts). */
export function sharedPages(parts: SharedParts): WholePages & { readonly parts: SharedParts } {
  const { db, positions } = parts
  const { counts } = positions
  return {
    parts,
    async byId(granted, offset, limit) {
      const found = await pageById(db, counts, granted, false, offset, limit)
      return found ?? pageAtPosition(db, positions, granted, positions.locate(granted.table.id, offset), limit)
    },
    async sorted(granted, key, offset, limit) {
      return key.attribute.column === 'id' ? pageById(db, counts, granted, key.descending, offset, limit) : undefined
    },
    idle: () => Promise.resolve(),
  }
}

type Attributes = ReadonlyMap<string, Attribute>

/** Attempts. If other processes write before the page during all of them, the database finds the position. */
const TRIES = 5

/** Where a page lies: `take` records, `skip` after the first whose id is not below `id`. */
interface Stretch {
  readonly id: number
  readonly skip: number
  readonly take: number
}

/** By id, from either end. Undefined where others wrote during all tries. */
async function pageById(
  db: Db,
  counts: SharedCounts,
  { table, attributes }: Granted<'read'>,
  descending: boolean,
  offset: number,
  limit: number,
): Promise<PageRows | undefined> {
  const { read } = db.forLists
  const place = (counted: Counted) => stretch(counted, descending, offset, limit)
  let guess = place(counts.known(table.id) ?? nothingKnown)
  for (let tries = TRIES; tries > 0; tries--) {
    if (guess === 'unknown') guess = place(await counts.load(table.id, read))
    if (guess === 'unknown') continue
    const [rows] = await read(pageWithCounts(table.id, counts, attributes, db.dialect, guess))
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

/** An id behind every record. With a range, the planner knows without the values that the query does not read the whole table. */
const LAST = Number.MAX_SAFE_INTEGER

/** The records, and one row with only the counts, in its last column. Skipped records are not sent. */
function pageWithCounts(tableId: number, counts: SharedCounts, attributes: Attributes, dialect: Dialect, { id, skip, take }: Stretch): Sql {
  const records = name(recordsOf(tableId))
  const first =
    skip === 0 ? sql`${id}` : sql`(SELECT id FROM ${records} WHERE id BETWEEN ${id} AND ${LAST} ORDER BY id LIMIT 1 OFFSET ${skip})`
  return sql`(SELECT ${shownList(attributes, dialect)}, '' AS counts FROM ${records} WHERE id BETWEEN ${first} AND ${LAST} ORDER BY id LIMIT ${take})
    UNION ALL SELECT ${nothingOf(attributes)}, (${counts.query(tableId)})`
}

function parted(tableId: number, counts: SharedCounts, rows: readonly Row[]): { counted: Counted; records: Row[] } {
  const records = rows.filter(([id]) => id !== null).sort(([one], [other]) => Number(one) - Number(other))
  return { counted: counts.learn(tableId, String(rows.find(([id]) => id === null)!.at(-1))), records }
}
