import type { Attribute } from '../../fields/field-type.ts'
import { periods, type Grouping } from '../../filter/aggregate.ts'
import type { IdSet } from '../../sets/id-set.ts'
import { Measure, type NumberColumn } from '../../sets/number-column.ts'
import { sql } from '../../sql/sql.ts'
import type { Db, Row } from '../ground/db.ts'
import { PART } from './aggregates.ts'
import type { GroupQuestion } from './list-reader.ts'
import { groupStatement } from './list-statements.ts'
import { diverged } from '../sets/record-reads.ts'
import type { Columns } from './set-search.ts'
import type { Planned } from '../sets/set-source.ts'
import { timeOf } from '../sets/time-digits.ts'

/* Figures of groups of records, from a set and the columns of the attributes: one pass through the set. */

/** Numbers that are looked at in one turn of the event loop, at most: 20 to 80 ms. */
const MOST = 2_000_000
/** Records whose figures SQL makes of their ids, where the columns are not known: they are read in the turn in which they are found; or by another process, which takes no time of this one. */
const FEW = 2_000
const FEW_ELSEWHERE = 20_000

/** Keys below this, such as options, have their groups in an array. */
const SMALL = 256

type DbOf = Pick<Db, 'dialect'>

export const mostByIds = ({ dialect }: DbOf): number => (dialect.shared ? FEW_ELSEWHERE : FEW)

/** Records whose figures are made of columns, at most. */
export const mostByColumns = ({ measured }: GroupQuestion): number => Math.floor(MOST / (1 + measured.length))

/** The rows of `ListReader.groups`, by ids. */
export function groupsByIds({ dialect }: DbOf, question: GroupQuestion, set: IdSet): Planned<readonly Row[]> {
  const { granted, grouping, columns, most } = question
  const ids = set.page(0, set.size)
  const where = [dialect.oneOf(sql`id`, ids)]
  return { ids, query: groupStatement({ granted, where, dialect, isLarge: true }, grouping, columns, most), give: (rows) => rows }
}

/** What is known of the records of a group. */
interface Group {
  records: number
  readonly measures: readonly Measure[]
}

/** The same of columns, of the records of a set, or of all. */
export function measuredGroups(question: GroupQuestion, set: IdSet | undefined, columns: Columns): Planned<readonly Row[]> {
  const { granted, grouping, measured, most } = question
  const count = set?.size ?? [...columns.values()][0]!.size
  const give = (rows: readonly Row[]) => ({ ids: [], give: () => rows })
  if (columns.size === 0) return give([[null, count]])
  const by = grouping && columnOf(columns, grouping.attribute)
  const figures = measured.map((attribute) => ({ column: columnOf(columns, attribute), empty: attribute.type.hasEmpty ? 0 : undefined }))
  const keys = new Keys(grouping)
  const mostKeys = keys.most(most)
  const groups = new Map<number, Group>()
  const begun = (key: number): Group => {
    const group = { records: 0, measures: measured.map(() => new Measure()) }
    groups.set(key, group)
    return group
  }
  const none = grouping ? undefined : begun(0)
  let seen = 0
  const small: (Group | undefined)[] = Array.from({ length: SMALL })
  const groupAt = (value: number): Group => {
    const key = keys.of(value)
    return key >= 0 && key < SMALL ? (small[key] ??= begun(key)) : (groups.get(key) ?? begun(key))
  }
  ;(by ?? figures[0]!.column).each(set, (id, value) => {
    seen++
    // There are more groups than are shown: the question is refused, whatever is in them.
    if (groups.size >= mostKeys) return
    const group = none ?? groupAt(value)
    group.records++
    for (let i = 0; i < figures.length; i++) {
      const { column, empty } = figures[i]!
      const number = column.of(id)
      if (number === undefined) diverged(granted.table.id, id)
      if (number !== empty) group.measures[i]!.add(number)
    }
  })
  // Some records of the set are in no column.
  if (seen !== count) diverged(granted.table.id, 0)
  const rows = keys.texts(groups).slice(0, most)
  return give(rows.map(({ key, records, measures }) => [key, records, ...measures.flatMap((one, i) => shown(one, measured[i]!))]))
}

const columnOf = (columns: Columns, { name }: Attribute): NumberColumn => columns.get(name)!

/** As `columnsOf` of aggregates.ts selects it. */
function shown({ count, sum, least, most }: Measure, { type }: Attribute): Row {
  const end = (value: number) => (count === 0 ? null : type.kind === 'time' ? timeOf(value, String(type.empty)) : String(value))
  const sums = type.kind === 'time' ? [null, null] : [String(sum / PART), String(sum % PART)]
  return [String(count), ...sums, end(least), end(most)]
}

/** How values become groups: by a number that is quick to compute, of which several may have the same text. */
class Keys {
  readonly #grouping: Grouping | undefined
  /** Of the digits of a time, how many a group leaves out. */
  readonly #unit: number

  constructor(grouping: Grouping | undefined) {
    this.#grouping = grouping
    const { attribute, period } = grouping ?? {}
    const ofDay = attribute?.type.kind === 'time' && String(attribute.type.empty).length > NO_DAY.length ? 1_000_000 : 1
    this.#unit = period === undefined ? 1 : ofDay * (period === 'year' ? 10_000 : period === 'month' || period === 'quarter' ? 100 : 1)
  }

  of(value: number): number {
    return this.#unit === 1 ? value : Math.floor(value / this.#unit)
  }

  /** So many keys have at least `most` texts. */
  most(most: number): number {
    const { period } = this.#grouping ?? {}
    return most * (period === 'week' ? 7 : period === 'quarter' ? 3 : 1)
  }

  texts(groups: ReadonlyMap<number, Group>): readonly (Group & { readonly key: string | null })[] {
    const { period } = this.#grouping ?? {}
    if (!this.#grouping) return [...groups.values()].map((group) => ({ ...group, key: null }))
    if (period === undefined) return [...groups].map(([key, group]) => ({ ...group, key: String(key) }))
    const byText = Map.groupBy(groups, ([key]) => periods[period].of(this.#dayOf(key)))
    return [...byText].map(([key, same]) => ({ ...joined(same.map(([, group]) => group)), key }))
  }

  /** A day of the group: YYYY-MM-DD. */
  #dayOf(key: number): string {
    const { period } = this.#grouping!
    const digits = period === 'year' ? key * 10_000 : period === 'month' || period === 'quarter' ? key * 100 : key
    return timeOf(digits, NO_DAY)
  }
}

const NO_DAY = '0000-00-00'

function joined([first, ...others]: readonly Group[]): Group {
  for (const { records, measures } of others) {
    first!.records += records
    measures.forEach((one, i) => first!.measures[i]!.join(one))
  }
  return first!
}
