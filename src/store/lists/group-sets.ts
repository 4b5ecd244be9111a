import type { Condition } from '../../filter/check.ts'
import { sql } from '../../sql/sql.ts'
import type { LocalDb, Row } from '../ground/db.ts'
import type { GroupQuestion } from './list-reader.ts'
import { groupStatement } from './list-statements.ts'
import type { Found } from './table-sets.ts'

/* Figures of groups from sets: counts by option, and any figures of few records. */

/** Options of a list that are counted by sets, at most. */
const OPTIONS = 100
/** Records that are read in the turn in which they are found, at most. */
const FEW = 2_000

/** The groups whose records are only counted, by option: a condition for each; undefined: other figures are asked for. */
export function optionsCounted({ grouping, columns }: GroupQuestion): readonly Condition[] | undefined {
  if (columns.length > 1) return undefined
  if (!grouping) return []
  const { attribute, period } = grouping
  const { options } = attribute.settings
  if (attribute.type.kind !== 'choice' || !options || options.length > OPTIONS || period !== undefined) return undefined
  return [0, ...options.map(({ id }) => id)].map((id) => ({ is: 'among', attribute, ids: [id] }))
}

/** The rows of `ListReader.groups`; undefined: some records are in none of the groups. `found`: undefined for all records. */
export function countedGroups(found: Found | undefined, conditions: readonly Condition[], groups: readonly Found[]): Row[] | undefined {
  const set = found?.term.set
  if (groups.length === 0) return set && [[null, set.size]]
  const counts = groups.map(({ term }) => (set ? set.countWith(term.set) : term.set.size))
  if (set && counts.reduce((sum, count) => sum + count, 0) !== set.size) return undefined
  return counts.flatMap((count, i): Row[] => (count > 0 ? [[String((conditions[i] as { ids: readonly number[] }).ids[0]), count]] : []))
}

/** The same of any figures, where few records match; undefined: too many do. */
export function fewGroups(
  db: LocalDb,
  { granted, grouping, columns, most }: GroupQuestion,
  found: Found | undefined,
): readonly Row[] | undefined {
  const set = found?.term.set
  if (!set || set.size > FEW) return undefined
  const { dialect } = db
  const where = [dialect.oneOf(sql`id`, set.page(0, set.size))]
  return db.readNow(groupStatement({ granted, where, dialect, isLarge: true }, grouping, columns, most))[0]!
}
