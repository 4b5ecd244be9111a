import { limits } from '../limits.ts'
import type { Kind, Stored } from '../fields/field-type.ts'
import type { Dialect } from '../sql/dialect.ts'
import { parameters, sql, type Param, type Sql } from '../sql/sql.ts'
import { afterPrefix, compareCodePoints } from './code-points.ts'
import { finder } from './piece-search.ts'

export type Takes = 'no value' | 'one value' | 'one or more values' | 'a lower and an upper value'

/** How many values a function takes. */
export const counts: Readonly<Record<Takes, readonly [least: number, most: number]>> = {
  'no value': [0, 0],
  'one value': [1, 1],
  'one or more values': [1, limits.inValues.most],
  'a lower and an upper value': [2, 2],
}

/**
 * What the values of a function are. value: values that the attribute can hold. bound: the same, but any text for a list. part: a piece of
 * the text that a response shows. member: one member of a set. empty: nothing; the function compares with the empty value.
 */
export type Operand = 'value' | 'bound' | 'part' | 'member' | 'empty'

/** A filter function. Checks, SQL, tests in memory and documents are made from this row alone. */
export interface FilterFunction {
  readonly takes: Takes
  readonly of: Operand
  readonly on: readonly Kind[]
  readonly says: string
  /** The index that can find it: 'order' over the column, 'text' over pieces of its text. */
  readonly index?: 'order' | 'text'
  /** Whether it is true exactly for the texts that contain the piece, so what a text index finds needs no comparison. */
  readonly exact?: true
  /** Whether it is true exactly for the values given. Options of a list are then looked up by label. */
  readonly isOneOf?: true
  /** `operand`: a column, or the text that a response shows. All texts are folded. */
  sql(operand: Sql, values: readonly Param[], dialect: Dialect): Sql
  /**
   * The same test for a value in memory; also for folded labels of options. The values are read once, the test runs for each
   * record. Operand and values are texts, or numbers as `exactly` returns them (predicate.ts).
   */
  test(values: readonly Stored[]): (operand: Stored) => boolean
}

type Test = FilterFunction['test']

const isOneOf =
  (wanted: boolean): Test =>
  (values) => {
    const among = new Set(values)
    return (operand) => among.has(operand) === wanted
  }

const texts =
  (meets: (text: string, part: string) => boolean): Test =>
  ([part]) =>
  (text) =>
    meets(text as string, part as string)

const holdsPiece: Test = ([piece]) => {
  const find = finder(piece as string)
  return (text) => find(text as string)
}

/** Negative, zero or positive. */
function order(left: Stored, right: Stored): number {
  if (typeof left === 'string') return compareCodePoints(left, right as string)
  return left < (right as number | bigint) ? -1 : left === right ? 0 : 1
}

const anything: readonly Kind[] = ['text', 'number', 'time', 'set', 'choice']
const ordered: readonly Kind[] = ['text', 'number', 'time', 'choice']

// prettier-ignore
export const filterFunctions: Readonly<Record<string, FilterFunction>> = {
  eq:  { takes: 'one value', of: 'value', index: 'order', isOneOf: true, on: anything, says: 'equal', sql: (c, [v]) => sql`${c} = ${v!}`, test: ([v]) => (c) => c === v },
  ne:  { takes: 'one value', of: 'value', on: anything, says: 'not equal', sql: (c, [v]) => sql`${c} <> ${v!}`, test: ([v]) => (c) => c !== v },
  gt:  { takes: 'one value', of: 'bound', index: 'order', on: ordered, says: 'greater than', sql: (c, [v]) => sql`${c} > ${v!}`, test: ([v]) => (c) => order(c, v!) > 0 },
  gte: { takes: 'one value', of: 'bound', index: 'order', on: ordered, says: 'greater than or equal', sql: (c, [v]) => sql`${c} >= ${v!}`, test: ([v]) => (c) => order(c, v!) >= 0 },
  lt:  { takes: 'one value', of: 'bound', index: 'order', on: ordered, says: 'less than', sql: (c, [v]) => sql`${c} < ${v!}`, test: ([v]) => (c) => order(c, v!) < 0 },
  lte: { takes: 'one value', of: 'bound', index: 'order', on: ordered, says: 'less than or equal', sql: (c, [v]) => sql`${c} <= ${v!}`, test: ([v]) => (c) => order(c, v!) <= 0 },

  in:  { takes: 'one or more values', of: 'value', index: 'order', isOneOf: true, on: anything, says: 'equal to one of the values', sql: (c, vs, d) => oneOf(c, vs, d), test: isOneOf(true) },
  nin: { takes: 'one or more values', of: 'value', on: anything, says: 'equal to none of the values', sql: (c, vs, d) => sql`NOT (${oneOf(c, vs, d)})`, test: isOneOf(false) },

  starts_with: { takes: 'one value', of: 'part', index: 'order', on: anything, says: 'begins with', sql: (c, [v]) => startsWith(c, String(v)), test: texts((text, part) => text.startsWith(part)) },
  ends_with:   { takes: 'one value', of: 'part', index: 'text', on: anything, says: 'ends with', sql: (c, [v], d) => d.endsWith(c, sql`${v!}`), test: texts((text, part) => text.endsWith(part)) },
  contains:    { takes: 'one value', of: 'part', index: 'text', exact: true, on: anything, says: 'contains', sql: (c, [v], d) => d.contains(c, sql`${v!}`), test: holdsPiece },

  between: {
    takes: 'a lower and an upper value', of: 'bound', index: 'order', on: ordered, says: 'lies within the range, both ends included',
    sql: (c, [low, high]) => sql`${c} BETWEEN ${low!} AND ${high!}`,
    test: ([low, high]) => (c) => order(c, low!) >= 0 && order(c, high!) <= 0,
  },

  has:      { takes: 'one value', of: 'member', index: 'text', on: ['set'], says: 'has the member', sql: (c, [v], d) => d.contains(c, sql`${v!}`), test: holdsPiece },
  is_empty: { takes: 'no value', of: 'empty', index: 'order', on: anything, says: 'holds the empty value', sql: (c, [v]) => sql`${c} = ${v!}`, test: ([v]) => (c) => c === v },
}

/** Whether it asks for all values from one on, up to one, or both. */
export const isRange = (fn: FilterFunction): boolean => ranges.has(fn)
const ranges = new Set(['gt', 'gte', 'lt', 'lte', 'between'].map((name) => filterFunctions[name]))

/** Whether it asks for what contains a piece of text. */
export const looksForPiece = (fn: FilterFunction): boolean => fn.test === holdsPiece

/** The functions without an attribute: those that combine others, search and use_filter. */
export const combining: Readonly<Record<string, string>> = {
  and: 'all expressions hold',
  or: 'at least one expression holds',
  not: 'the expression does not hold',
  search: 'each of the words is the beginning of a word in some attribute',
  use_filter: 'the saved filter with this id selects them; it cannot be combined with any other function',
}

/** As a range, which an index can find. */
function startsWith(text: Sql, prefix: string): Sql {
  const end = afterPrefix(prefix)
  return end === undefined ? sql`${text} >= ${prefix}` : sql`(${text} >= ${prefix} AND ${text} < ${end})`
}

/** Up to this many values are parameters of their own, so that the planner knows their number. */
const FEW = 8

/** Equal to one of the values, of which there may be none. */
export function oneOf(column: Sql, values: readonly Param[], dialect: Dialect): Sql {
  if (values.length === 0 || values.length > FEW) return dialect.oneOf(column, values)
  return sql`${column} IN (${parameters(values)})`
}
