import type { Condition } from '../../filter/check.ts'
import { compile, isFound, type FindPiece } from '../../filter/compile.ts'
import type { SortKey } from '../../filter/sort.ts'
import type { Dialect } from '../../sql/dialect.ts'
import { join, name, sql, type Sql } from '../../sql/sql.ts'
import { recordsOf, type Table } from '../model/catalogue.ts'
import type { Row } from '../ground/db.ts'
import type { Indexes } from '../ground/indexes.ts'
import { IDS, type KnownList } from './list-memory.ts'
import { hasIndex } from './order.ts'

/*
 * How the records of a list are found: by the index of one term of the filter, or along the index of the order until a page is full.
 * The planner of SQLite knows the selectivity of a term on average only, which is wrong by a factor of thousands where values are not
 * evenly distributed. So the matches of each term are counted first, up to the number that decides.
 */

/** A list whose records can be found in more than one way. */
export interface Question {
  readonly table: Table
  readonly condition: Condition
  readonly find: FindPiece | undefined
  readonly sort: readonly SortKey[]
  readonly dialect: Dialect
  readonly known: KnownList
}

export interface AccessPath {
  /**
   * order: along the order of the list until the page is full; sort: all matches are read and then sorted, even if there is an index
   * over the order; ids: the ids of all that match are found once, for the total and for the page.
   */
  readonly by: 'order' | 'sort' | 'ids'
  /** The condition in a form for which the planner takes this path; undefined: as it is. */
  readonly where?: Sql
}

/** Counts matches: of each term, up to a number; and all of a path. */
export interface Counting {
  upTo(wanted: readonly Sql[], most: number): Promise<readonly number[]>
  all(path: AccessPath): Promise<number>
  /** Whether the table has more records than that. */
  hasMore(count: number): boolean
}

/** The most matches of each term that are counted; the second number if all terms reach the first. */
const COUNTED = [1_000, 20_000]
/** Cost of reading a record, in units of the cost of taking an id from an index and sorting it. */
const RECORD = 4

export const numberIn = (rows: readonly Row[]): number => Number(rows[0]?.[0] ?? 0)

/** What was learned, for later pages of the list. */
export type Learned = Partial<Pick<KnownList, 'selective' | 'readAlong' | 'total'>>

/** The cheapest path to a page, and what was learned in choosing it. */
export async function accessPath(
  indexes: Indexes,
  question: Question,
  counting: Counting,
  offset: number,
  limit: number,
): Promise<{ readonly path: AccessPath; readonly learned: Learned }> {
  const { table, condition, find, sort, dialect, known } = question
  const terms = indexes.serving(table, condition)
  if (terms.length === 0) return { path: { by: 'order' }, learned: {} }
  const { place, isFew } = terms.length === 1 ? onlyTerm : await mostSelective(question, terms, counting)
  const learned: Learned = terms.length === 1 ? {} : { selective: place }
  const lead = place === 'none' ? undefined : terms[place]
  const [key] = sort
  if (isFew && !key && lead && condition.is === 'and' && isPlain(lead))
    return { path: { by: 'ids', where: probed(question, condition.terms, lead, terms) }, learned }
  const byField = key !== undefined && key.attribute.column !== 'id'
  const isOrdered = byField && hasIndex(indexes, table.id, key)
  const where = lead && condition.is === 'and' ? { where: byOneIndex(condition.terms, lead, dialect, find) } : {}
  if (!isOrdered && !indexes.findUnordered(table, lead ?? condition)) {
    const givesIds = !key && lead !== undefined && find !== undefined && isFound(lead, find)
    return { path: { by: givesIds ? 'ids' : 'order', ...where }, learned }
  }
  const sorting: AccessPath = { by: 'sort', ...where }
  const total = known.total ?? (await counting.all(sorting))
  const readForThisPage = known.starts.has(offset) ? limit : Math.min(offset, Math.max(0, total - offset)) + limit
  // Once pages along the order have cost as much as sorting all matches would, these are sorted and their ids kept (list-memory.ts).
  const readAlong = (total <= IDS ? known.readAlong : 0) + readForThisPage
  // Along the order every record is read until the page is full, and only some of them match.
  const isSorted = total === 0 || counting.hasMore((total * total) / ((byField ? 1 : RECORD) * readAlong))
  const path: AccessPath = isSorted ? sorting : { by: 'order', where: compile(condition, dialect, undefined, true) }
  return { path, learned: { ...learned, total, readAlong } }
}

/** The number of the term whose index finds the records; few: it matches fewer records than the first of COUNTED. */
interface Selective {
  readonly place: number | 'none'
  readonly isFew: boolean
}
const onlyTerm: Selective = { place: 0, isFew: false }

/** The most selective term; 'none' where all match more than the last of COUNTED. */
async function mostSelective({ dialect, find, known }: Question, terms: readonly Condition[], counting: Counting): Promise<Selective> {
  if (known.selective !== undefined) return { place: known.selective, isFew: false }
  const wanted = terms.map((term) => compile(term, dialect, find))
  for (const most of COUNTED) {
    const counts = await counting.upTo(wanted, most)
    const least = Math.min(...counts)
    if (least < most) return { place: counts.indexOf(least), isFew: most === COUNTED[0] }
  }
  return { place: 'none', isFew: false }
}

/** All terms of a condition, written so that the planner uses an index for one of them only. */
const byOneIndex = (terms: readonly Condition[], lead: Condition, dialect: Dialect, find: FindPiece | undefined): Sql =>
  join(
    terms.map((term) => compile(term, dialect, find, term !== lead)),
    ' AND ',
  )

/**
 * The same if one term matches few records. For a term that asks for one value, its index tells which of them match, at a fraction of the
 * cost of reading the records.
 */
function probed({ table, dialect, find }: Question, terms: readonly Condition[], lead: Condition, served: readonly Condition[]): Sql {
  const probes = served.filter((term) => term !== lead && asksOneValue(term))
  if (probes.length === 0) return byOneIndex(terms, lead, dialect, find)
  const among = (ids: Sql) => sql`id IN (SELECT id FROM ${name(recordsOf(table.id))} WHERE ${ids})`
  const asked = (some: readonly Condition[], plainly = false) => some.map((term) => compile(term, dialect, find, plainly))
  const few = join([...asked(probes), among(compile(lead, dialect, find))], ' AND ')
  const others = terms.filter((term) => term !== lead && !probes.includes(term))
  return others.length === 0 ? few : join([among(few), ...asked(others, true)], ' AND ')
}

/** Whether the index finds the matches fast. Other terms may take long, so they are only evaluated under a time limit. */
const isPlain = ({ is }: Condition): boolean => is === 'apply' || is === 'among'

const asksOneValue = (term: Condition): boolean =>
  term.is === 'among' ? term.ids.length === 1 : term.is === 'apply' && term.fn.of === 'value' && term.values.length === 1
