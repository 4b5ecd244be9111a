import { compare, folded, type Shown, type World } from './answer.ts'
import type { HostileColumn } from './hostile.ts'

/*
 * The oracle of aggregates: what they must say, a second time in plain JavaScript, from the texts that responses show. It shares no
 * code with src/.
 */

export interface AskedFigure {
  readonly fn: 'sum' | 'avg' | 'min' | 'max'
  readonly column: HostileColumn
}

export interface AskedGrouping {
  readonly column: HostileColumn
  readonly period: string | undefined
}

export interface AskedAggregate {
  readonly counts: boolean
  readonly figures: readonly AskedFigure[]
  readonly grouping: AskedGrouping | undefined
}

/** By type of reference, what ids are called. */
export type LabelOf = (type: string, id: string) => string | undefined

export const amounts: readonly string[] = ['integer', 'decimal', 'boolean', 'autonumber']
export const times: readonly string[] = ['date', 'datetime']
export const named: readonly string[] = ['list', 'reference', 'user', 'group']
export const periods: readonly string[] = ['year', 'quarter', 'month', 'week', 'day']

export function aggregated(rows: readonly Shown[], asked: AskedAggregate, world: World, labelOf: LabelOf): object {
  const all = figuresOf(rows, asked)
  if (!asked.grouping) return { all }
  const { column, period } = asked.grouping
  const byKey = Map.groupBy(rows, (row) => keyOf(column, period, row[column.name]!))
  const groups = [...byKey].map(([key, of]) => ({ key, of, value: shownValue(column, key, of) }))
  groups.sort((one, other) =>
    period === undefined ? compare(column, one.value, other.value, world) : one.key < other.key ? -1 : Number(one.key > other.key),
  )
  return { all, groups: groups.map(({ of, value }) => ({ value, label: labelFor(column, value, labelOf), ...figuresOf(of, asked) })) }
}

const keyOf = ({ type }: HostileColumn, period: string | undefined, shown: string): string =>
  period !== undefined ? inPeriod(shown.slice(0, 10), period) : type === 'list' ? folded(shown) : shown

/** Of options that are the same to a filter, that which was not removed. */
function shownValue({ type, name, options = [] }: HostileColumn, key: string, rows: readonly Shown[]): string {
  if (type !== 'list') return key
  const labels = [...new Set(rows.map((row) => row[name]!))]
  return labels.find((label) => options.some((option) => option.label === label && !option.removed)) ?? labels[0]!
}

function labelFor({ type }: HostileColumn, value: string, labelOf: LabelOf): string {
  if (times.includes(type)) return value.startsWith('0000') ? '' : value
  if (type === 'autonumber' || named.includes(type)) return value === '0' || value === '' ? '' : labelOf(type, value) || value
  return value
}

/** ISO 8601, 3.1.1.23: a week belongs to the year that has its Thursday. */
function inPeriod(day: string, period: string): string {
  const [year, month] = day.split('-') as [string, string]
  if (period === 'year') return year
  if (period === 'quarter') return `${year}-Q${Math.ceil(Number(month) / 3)}`
  if (period === 'month') return `${year}-${month}`
  if (period === 'day') return day
  if (day === '0000-00-00') return '0000-W00'
  const thursday = new Date(`${day}T00:00:00Z`)
  while (thursday.getUTCDay() !== 4)
    thursday.setUTCDate(thursday.getUTCDate() + (thursday.getUTCDay() === 0 || thursday.getUTCDay() > 4 ? -1 : 1))
  const first = new Date(thursday)
  first.setUTCMonth(0, 1)
  const week = 1 + Math.floor((thursday.getTime() - first.getTime()) / (7 * 86_400_000))
  return `${String(thursday.getUTCFullYear()).padStart(4, '0')}-W${String(week).padStart(2, '0')}`
}

function figuresOf(rows: readonly Shown[], { counts, figures }: AskedAggregate): object {
  const shown: Record<string, Record<string, string | null>> = {}
  for (const { fn, column } of figures) {
    const values = rows.map((row) => row[column.name]!).filter((value) => !isEmpty(column, value))
    shown[fn] = { ...shown[fn], [column.name]: figureOf(fn, column, values) }
  }
  return { ...(counts && { count: rows.length }), ...shown }
}

const isEmpty = ({ type }: HostileColumn, value: string): boolean =>
  times.includes(type) ? value.startsWith('0000') : type === 'autonumber' && value === '0'

function figureOf(fn: AskedFigure['fn'], column: HostileColumn, values: readonly string[]): string | null {
  const scale = column.type === 'decimal' ? column.settings.scale! : 0
  if (fn === 'sum') return written(total(values), 9, scale)
  if (values.length === 0) return null
  if (fn === 'avg') return averageOf(values, scale)
  const sign = fn === 'min' ? 1 : -1
  const before = (one: string, other: string): number =>
    times.includes(column.type) ? (one < other ? -1 : Number(one > other)) : Number(billionths(one) - billionths(other) > 0n) * 2 - 1
  return [...values].sort((one, other) => (one === other ? 0 : sign * before(one, other)))[0]!
}

const billionths = (text: string): bigint => {
  const [whole = '', fraction = ''] = text.replace('-', '').split('.')
  const size = BigInt(whole + fraction.padEnd(9, '0'))
  return text.startsWith('-') ? -size : size
}

const total = (values: readonly string[]): bigint => values.reduce((sum, value) => sum + billionths(value), 0n)

/** Digit by digit, as on paper: nine digits after the point, and one more that rounds away from zero from 5 on. */
function averageOf(values: readonly string[], scale: number): string {
  const sum = total(values)
  const size = sum < 0n ? -sum : sum
  const count = BigInt(values.length)
  let quotient = size / count
  // `size` is in billionths already: the next digit decides.
  if (((size % count) * 10n) / count >= 5n) quotient += 1n
  const text = written(sum < 0n ? -quotient : quotient, 9, 9)
  let end = text.length
  while (end > text.length - (9 - scale) && text[end - 1] === '0') end--
  return text.slice(0, end).replace(/\.$/, '')
}

/** Units of 10^-`of` with so many digits after the point; the others are zeros. */
function written(units: bigint, of: number, scale: number): string {
  const digits = String(units < 0n ? -units : units).padStart(of + 1, '0')
  const [whole, fraction] = [digits.slice(0, -of), digits.slice(-of, scale === of ? undefined : scale - of)]
  return `${units < 0n ? '-' : ''}${whole}${scale === 0 ? '' : `.${fraction}`}`
}
