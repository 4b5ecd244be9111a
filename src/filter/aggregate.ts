import { fail, type Failure } from '../errors.ts'
import type { Attribute, FieldType } from '../fields/field-type.ts'
import { likeOthers } from '../fields/named.ts'
import { limits } from '../limits.ts'
import type { Dialect } from '../sql/dialect.ts'
import { name, sql, type Sql } from '../sql/sql.ts'

/*
 * What an aggregate asks for: `function=count,sum:f4,min:f5` and `groupBy=f6` or `groupBy=f5:month`.
 */

const isAmount = ({ kind, target }: FieldType): boolean => kind === 'number' && target === undefined
const hasEnds = (type: FieldType): boolean => isAmount(type) || type.kind === 'time'

interface AggregateFunction {
  readonly on: (type: FieldType) => boolean
  readonly takes: string
}

const numbers = { on: isAmount, takes: 'an attribute that holds numbers' }
const ends = { on: hasEnds, takes: 'an attribute that holds numbers, dates or times' }
/** The functions of an attribute. `count` has none. */
export const aggregateFunctions = { sum: numbers, avg: numbers, min: ends, max: ends } as const satisfies Readonly<
  Record<string, AggregateFunction>
>
type FunctionName = keyof typeof aggregateFunctions

/** A function of the values of an attribute. */
export interface Figure {
  readonly fn: FunctionName
  readonly attribute: Attribute
}

export interface Figures {
  readonly counts: boolean
  readonly figures: readonly Figure[]
}

interface Period {
  /** The period of a date or time, as text. */
  readonly sql: (time: Sql, dialect: Dialect) => Sql
  /** The same of a day in memory: YYYY-MM-DD. */
  readonly of: (day: string) => string
}

/** Periods of a date, by how a group of them is written. */
export const periods = {
  year: { sql: (time) => sql`substr(${time}, 1, 4)`, of: (day) => day.slice(0, 4) },
  quarter: {
    sql: (time) => sql`substr(${time}, 1, 4) || '-Q' || ((CAST(substr(${time}, 6, 2) AS integer) + 2) / 3)`,
    of: (day) => `${day.slice(0, 4)}-Q${Math.floor((Number(day.slice(5, 7)) + 2) / 3)}`,
  },
  month: { sql: (time) => sql`substr(${time}, 1, 7)`, of: (day) => day.slice(0, 7) },
  week: { sql: (time, dialect) => dialect.weekOf(sql`substr(${time}, 1, 10)`), of: weekOf },
  day: { sql: (time) => sql`substr(${time}, 1, 10)`, of: (day) => day },
} as const satisfies Readonly<Record<string, Period>>

/** Milliseconds. */
const DAY = 86_400_000
/** Days after Monday. */
const THURSDAY = 3

/** ISO 8601: the week belongs to the year of its Thursday. No date is in week 0. */
function weekOf(day: string): string {
  if (day < '0001') return '0000-W00'
  const own = Date.parse(`${day}T00:00:00Z`)
  const thursday = new Date(own + (THURSDAY - ((new Date(own).getUTCDay() + 6) % 7)) * DAY)
  const year = thursday.getUTCFullYear()
  const first = new Date(0).setUTCFullYear(year, 0, 1)
  const week = 1 + Math.floor((thursday.getTime() - first) / (7 * DAY))
  return `${String(year).padStart(4, '0')}-W${String(week).padStart(2, '0')}`
}

/** What records are grouped by. */
export interface Grouping {
  readonly attribute: Attribute
  /** For dates and times. */
  readonly period: keyof typeof periods | undefined
}

type Attributes = ReadonlyMap<string, Attribute>

/** Parses `count,sum:f4`; '' is `count`. @throws `attribute.unknown`, `parameter.invalid` */
export function parseFigures(text: string, attributes: Attributes): Figures {
  const refused = (why: string): Failure => fail('parameter.invalid', { why }, { expression: 'function' })
  const asked = (text === '' ? 'count' : text).split(',', limits.aggregateFunctions.most + 1)
  if (asked.length > limits.aggregateFunctions.most) throw refused(`At most ${limits.aggregateFunctions.most} functions are computed.`)
  if (new Set(asked).size < asked.length) throw refused('A function is named more than once.')
  const figures = asked
    .filter((one) => one !== 'count')
    .map((one): Figure => {
      const [fn, named] = splitAt(one)
      if (!Object.hasOwn(aggregateFunctions, fn) || named === undefined)
        throw refused(
          `'${one.slice(0, 100)}' is neither count nor ${Object.keys(aggregateFunctions).join(', ')} of an attribute, such as sum:f4.`,
        )
      const { on, takes } = aggregateFunctions[fn as FunctionName]
      const attribute = attributes.get(named)
      if (!attribute) throw fail('attribute.unknown', likeOthers(named, attributes.keys()), { expression: 'function' })
      if (!on(attribute.type)) throw refused(`'${fn}' takes ${takes}, and '${named}' does not.`)
      return { fn: fn as FunctionName, attribute }
    })
  return { counts: asked.includes('count'), figures }
}

/** Parses `f6` or `f5:month`; '' is no grouping. @throws `attribute.unknown`, `parameter.invalid` */
export function parseGrouping(text: string, attributes: Attributes): Grouping | undefined {
  if (text === '') return undefined
  const refused = (why: string): Failure => fail('parameter.invalid', { why }, { expression: 'groupBy' })
  const [named, period] = splitAt(text)
  const attribute = attributes.get(named)
  if (!attribute) throw fail('attribute.unknown', likeOthers(named, attributes.keys()), { expression: 'groupBy' })
  const { kind } = attribute.type
  const known = Object.keys(periods).join(', ')
  if (kind === 'text' || kind === 'set')
    throw refused(`Records are grouped by one option, id, number or date, which '${named}' does not hold.`)
  if (kind === 'time' && period === undefined) throw refused(`A date is grouped by one of ${known}, such as ${named}:month.`)
  if (kind !== 'time' && period !== undefined) throw refused(`'${named}' holds no dates, so it has no '${period.slice(0, 100)}'.`)
  if (period !== undefined && !Object.hasOwn(periods, period)) throw refused(`'${period.slice(0, 100)}' is not one of ${known}.`)
  return { attribute, period: period as Grouping['period'] }
}

const splitAt = (text: string): readonly [string, string | undefined] => {
  const colon = text.indexOf(':')
  return colon < 0 ? [text, undefined] : [text.slice(0, colon), text.slice(colon + 1)]
}

/** The column, or its period, that is the same for the records of a group. */
export function groupKey({ attribute: { column }, period }: Grouping, dialect: Dialect): Sql {
  if (period === undefined) return name(column)
  return periods[period].sql(dialect.byCodePoint(name(column)), dialect)
}
