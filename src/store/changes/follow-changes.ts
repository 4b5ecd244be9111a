import { fail } from '../../errors.ts'
import type { Attribute, Stored } from '../../fields/field-type.ts'
import type { Condition } from '../../filter/check.ts'
import { compile } from '../../filter/compile.ts'
import { predicate, type Comparable } from '../../filter/predicate.ts'
import { limits } from '../../limits.ts'
import { constant, join, sql, type Sql } from '../../sql/sql.ts'
import { inList } from '../catalogue/visible.ts'
import type { Row } from '../ground/db.ts'
import { readRow, type Query } from '../ground/relation.ts'
import type { Uses } from '../ground/store.ts'
import { view, type Caller } from '../model/access.ts'
import { MOST_IN_TRANSACTION } from './change-log.ts'
import { tablesWithoutOrigin } from './hidden-origin.ts'
import { changesInOrder, upToBytes, visibleChanges, wholeChanges, type Change } from './list-changes.ts'
import { attributesIn, logBatch, mayFollow, seenBy, type Narrowing } from './stream-view.ts'

type Used = Uses<'db' | 'catalogue' | 'context'>

/** What a program that follows the log is given. */
export interface Followed {
  readonly changes: readonly Change[]
  /** The cursor to ask with next: all changes up to it that the caller may see were given. */
  readonly cursor: number
  /** Whether there may be further changes already: a page may be empty although there are. */
  readonly more: boolean
  /** The horizon that this was read with. */
  readonly horizon: number
}

export interface Following {
  readonly after: number
  /** Changes in the answer, at most. */
  readonly limit: number
  /** On changes as they are shown. */
  readonly filter: Condition | undefined
  /** Only of these tables; undefined: of all that the caller may read. */
  readonly tables?: ReadonlySet<number> | undefined
  readonly narrowing?: Narrowing
  /** Bytes of the contents of an answer, about; `limits.changesInPage` at most. */
  readonly bytes?: number
  /** Is told of changes whose texts take a filter of rights too long: they are left out. Without it, that fails. */
  readonly passBy?: ((change: Change) => void) | undefined
}

/** Pages of candidates that one answer is made of, at most. */
const ROUNDS = 20
/** Candidates in each of them but the first, at least. */
const CANDIDATES = 100
/** Changes that are looked through first, for each that is asked for. */
const FEW = 4

/**
 * The changes after a cursor as the caller sees them (stream-view.ts), in the order in which they were committed: as many as asked for, or
 * fewer where they are long or many others lie between. A change that is committed late comes later; none is skipped.
 * @throws `change.expired` where changes after the cursor have been erased by age, or were lost when a copy from before was restored.
 */
export async function followChanges(store: Used, caller: Caller, following: Following): Promise<Followed> {
  const { after, limit, filter, narrowing } = following
  const read: Query = async (query) => (await store.db.readLittle(caller, query))[0]!
  const horizon = await horizonNow(store, read)
  if (after === NOW) return { changes: [], cursor: await endBefore(horizon, read), more: false, horizon }
  const test = filter && predicate(filter)
  const wanted = filter && isExact(store, caller, filter) ? filter : undefined
  const changes: Change[] = []
  let cursor = after
  for (let round = 1; ; round++) {
    const most = round === 1 ? limit : Math.max(limit, CANDIDATES)
    const candidates = await candidatesAfter(store, caller, horizon, { ...following, after: cursor, limit: most, filter: wanted })
    const seen = await seenBy(store, caller, logBatch(store, caller, candidates.rows), narrowing, {
      length: following.bytes,
      passBy: following.passBy,
    })
    for (const [i, change] of seen.entries()) {
      if (change && (!test || test(comparable(change)))) changes.push(change)
      cursor = candidates.rows[i]!.id
      // A full page ends with its last change: what follows and is hidden makes no difference.
      if (changes.length === limit) return { changes, cursor, more: true, horizon }
    }
    if (seen.length < candidates.rows.length) return { changes, cursor, more: true, horizon }
    cursor = Math.max(cursor, candidates.end)
    const isPart = candidates.isLong || candidates.isScanned || round === ROUNDS
    if (isPart || !candidates.more) return { changes, cursor, more: candidates.more, horizon }
  }
}

interface Candidates {
  readonly rows: readonly Change[]
  /** All up to here were looked at. */
  readonly end: number
  readonly more: boolean
  /** Whether there are fewer rows because they are long, or because as many as an answer may look at were looked through. */
  readonly isLong: boolean
  readonly isScanned: boolean
}

/** The next changes of the log that the caller may see something of. First among few: most callers see most changes. */
async function candidatesAfter(store: Used, caller: Caller, horizon: number, following: Following): Promise<Candidates> {
  const found = await candidatesWithin(store, caller, horizon, following, FEW * following.limit)
  return found.isScanned ? candidatesWithin(store, caller, horizon, following, limits.changesScanned.most) : found
}

/** The same among the next so many changes of the log. */
async function candidatesWithin(store: Used, caller: Caller, horizon: number, following: Following, most: number): Promise<Candidates> {
  const { after, limit, filter, tables, bytes = limits.changesInPage.most } = following
  const { dialect } = store.db
  // What is left of a time that is erased, where a piece could not be dropped yet, is told to nobody: its cursors are expired.
  const from =
    after === BEGINNING ? sql`(SELECT coalesce(max(CAST(value AS ${dialect.integer})), 0) FROM meta WHERE name = ${GONE})` : sql`${after}`
  const scanned = sql`SELECT id FROM changes WHERE id > ${from} AND id < ${horizon} ORDER BY id LIMIT ${most}`
  const wanted = [...(filter ? [compile(filter, dialect)] : []), ...(tables ? [inList(dialect, 'table_id', [...tables])] : [])]
  const asked = join(
    wanted.map((one) => sql` AND (${one})`),
    '',
  )
  const page = sql`WHERE id > ${from} AND id <= (SELECT max(id) FROM (${scanned}) AS scanned) AND (${visibleChanges(store, caller, { candidates: true })})${asked}
    ORDER BY id LIMIT ${limit}`
  const [rows, state, noted] = await store.db.readLittle(
    caller,
    upToBytes(store, bytes, page),
    sql`SELECT (SELECT count(*) FROM (SELECT id FROM ${changesInOrder} ${page}) AS page), count(*), coalesce(max(id), 0) FROM (${scanned}) AS scanned`,
    sql`SELECT name, value FROM meta WHERE name IN (${GONE}, ${LOST})`,
  )
  const [matching, looked, last] = state![0]!.map(Number) as [number, number, number]
  const { gone, isLost } = limitsOf(noted!)
  if (after !== BEGINNING && (after < gone || isLost(after))) throw fail('change.expired')
  const read = rows!.map((row) => readRow(wholeChanges, row))
  const isLong = read.length < matching
  const isScanned = looked === most
  if (isLong || matching === limit) return { rows: read, end: read.at(-1)!.id, more: true, isLong, isScanned: false }
  return { rows: read, end: isScanned ? last : Math.max(after, last, gone), more: isScanned, isLong, isScanned }
}

/** Whether the filter means the same of changes as the log has them, and can select them there: the view changes actions, and hides origins. */
function isExact(store: Used, caller: Caller, filter: Condition): boolean {
  const asked = [...attributesIn(filter).keys()]
  const asksOrigin = asked.some((column) => column === 'user_id' || column === 'token_id' || column === 'made_at')
  if (asksOrigin && tablesWithoutOrigin(store, caller)) return false
  if (!asked.includes('action')) return true
  const catalogue = store.catalogue()
  return [...catalogue.tables.values()].every(
    (table) => !mayFollow(store, caller, table.id) || view(table, caller, catalogue).readFilter === '',
  )
}

const properties: ReadonlyMap<string, string> = new Map(
  Object.entries(wholeChanges.columns).map(([property, [column]]) => [column, property]),
)

/** A change for a filter. */
function comparable(change: Change): Comparable {
  const value = ({ column }: Attribute) => (change as unknown as Readonly<Record<string, Stored>>)[properties.get(column)!]!
  return { value, key: (attribute) => attribute.type.key!(value(attribute), attribute.settings) }
}

/**
 * The position below which nothing more will be committed. What belongs together takes one answer for all (`horizonNow`): over PostgreSQL the sessions of
 * other databases come and go, so a second answer may be higher or lower, also in one snapshot.
 */
export const horizonOf = ({ db: { dialect } }: Uses<'db'>): Sql =>
  dialect.shared ? positionOf(dialect.oldestRunning) : sql`(SELECT coalesce(max(id), 0) + 1 FROM changes)`

/** The same as it is now, for all that a read asks. */
export const horizonNow = async (store: Uses<'db'>, query: Query): Promise<number> =>
  Number((await query(sql`SELECT ${horizonOf(store)}`))[0]![0])

/** That or a position before it, over PostgreSQL: cheap enough for every request, since nobody is asked of which database a transaction is. */
export const lowHorizon: Sql = positionOf(sql`pg_snapshot_xmin(pg_current_snapshot())::text::bigint`)

/** The first position of a transaction: before that of the oldest which still runs, nothing more will be committed. */
function positionOf(transaction: Sql): Sql {
  return sql`((SELECT base FROM change_log) + ${transaction}) * ${constant(MOST_IN_TRANSACTION)}`
}

/** The position up to which nothing more will be committed: what follows it is new. */
export const endOfLog = (store: Uses<'db'>, query: Query): Promise<number> => endBefore(horizonOf(store), query)

async function endBefore(horizon: Sql | number, query: Query): Promise<number> {
  const [row] = await query(sql`SELECT max(id) FROM changes WHERE id < ${horizon}`)
  const [gone] = await query(sql`SELECT value FROM meta WHERE name = ${GONE}`)
  return Math.max(Number(row![0]), Number(gone?.[0] ?? 0))
}

/** @throws `change.expired`, as `followChanges` does */
export async function mustBeKept({ db }: Uses<'db'>, after: number): Promise<void> {
  const [noted] = await db.read(sql`SELECT name, value FROM meta WHERE name IN (${GONE}, ${LOST})`)
  const { gone, isLost } = limitsOf(noted!)
  if (after !== BEGINNING && (after < gone || isLost(after))) throw fail('change.expired')
}

/** Instead of a cursor: from the oldest change that is kept. */
export const BEGINNING = -1
/** Instead of a cursor: no changes, but the cursor of this moment. */
export const NOW = -2

/** In `meta`: the position up to which changes were erased by age. */
export const GONE = 'changes_gone'

/** In `meta`: spans of positions, such as `900-1099511628676`, whose changes were lost when a copy from before was restored. */
export const LOST = 'changes_lost'

/** From the rows of `meta`: up to where changes were erased by age, and whether a cursor is of changes that were lost. */
function limitsOf(rows: readonly Row[]): { readonly gone: number; isLost(cursor: number): boolean } {
  const noted = new Map(rows.map(([name, value]) => [name, String(value)]))
  const spans = (noted.get(LOST) ?? '').split(' ').map((span) => span.split('-').map(Number))
  return {
    gone: Number(noted.get(GONE) ?? 0),
    isLost: (cursor) => spans.some(([after = 0, before = 0]) => cursor > after && cursor < before),
  }
}
