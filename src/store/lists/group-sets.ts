import type { Condition } from '../../filter/check.ts'
import { sql } from '../../sql/sql.ts'
import type { Db, Row } from '../ground/db.ts'
import type { GroupQuestion } from './list-reader.ts'
import { groupStatement } from './list-statements.ts'
import type { Planned } from './set-source.ts'
import type { Found } from './table-sets.ts'

/* Figures of groups from sets: counts by option, and any figures of few records. */

/** Options of a list that are counted by sets, at most. */
const OPTIONS = 100
/** Records whose figures SQL makes of their ids, at most: they are read in the turn in which they are found; or by another process, which takes no time of this one. */
const FEW = 2_000
const FEW_ELSEWHERE = 20_000

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
export function countedGroups(
  found: Found | undefined,
  conditions: readonly Condition[],
  groups: readonly Found[],
): Planned<readonly Row[]> | undefined {
  const rows = countsOf(found, conditions, groups)
  return rows && { ids: [], give: () => rows }
}

function countsOf(found: Found | undefined, conditions: readonly Condition[], groups: readonly Found[]): Row[] | undefined {
  const set = found?.term.set
  if (groups.length === 0) return set && [[null, set.size]]
  const counts = groups.map(({ term }) => (set ? set.countWith(term.set) : term.set.size))
  if (set && counts.reduce((sum, count) => sum + count, 0) !== set.size) return undefined
  return counts.flatMap((count, i): Row[] => (count > 0 ? [[String((conditions[i] as { ids: readonly number[] }).ids[0]), count]] : []))
}

/** The same of any figures, where few records match; undefined: too many do. */
export function fewGroups(
  { dialect }: Pick<Db, 'dialect'>,
  { granted, grouping, columns, most }: GroupQuestion,
  found: Found | undefined,
): Planned<readonly Row[]> | undefined {
  const set = found?.term.set
  if (!set || set.size > (dialect.shared ? FEW_ELSEWHERE : FEW)) return undefined
  const ids = set.page(0, set.size)
  const where = [dialect.oneOf(sql`id`, ids)]
  return { ids, query: groupStatement({ granted, where, dialect, isLarge: true }, grouping, columns, most), give: (rows) => rows }
}
