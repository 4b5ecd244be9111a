import { limits } from '../limits.ts'
import type { Kind } from '../fields/field-type.ts'
import type { Dialect } from '../sql/dialect.ts'
import { join, sql, type Param, type Sql } from '../sql/sql.ts'
import { afterPrefix, compareCodePoints } from './code-points.ts'

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

/** A filter function. Checks, SQL and documents are made from this row alone. */
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
  /** The function for folded labels of options. Required if `on` has 'choice'. */
  holds?(values: readonly string[]): (label: string) => boolean
}

const isOneOf =
  (values: ReadonlySet<string>, wanted: boolean) =>
  (label: string): boolean =>
    values.has(label) === wanted

const anything: readonly Kind[] = ['text', 'number', 'time', 'set', 'choice']
const ordered: readonly Kind[] = ['text', 'number', 'time', 'choice']

// prettier-ignore
export const filterFunctions: Readonly<Record<string, FilterFunction>> = {
  eq:  { takes: 'one value', of: 'value', index: 'order', isOneOf: true, on: anything, says: 'equal', sql: (c, [v]) => sql`${c} = ${v!}`, holds: ([v]) => (l) => l === v },
  ne:  { takes: 'one value', of: 'value', on: anything, says: 'not equal', sql: (c, [v]) => sql`${c} <> ${v!}`, holds: ([v]) => (l) => l !== v },
  gt:  { takes: 'one value', of: 'bound', index: 'order', on: ordered, says: 'greater than', sql: (c, [v]) => sql`${c} > ${v!}`, holds: ([v]) => (l) => compareCodePoints(l, v!) > 0 },
  gte: { takes: 'one value', of: 'bound', index: 'order', on: ordered, says: 'greater than or equal', sql: (c, [v]) => sql`${c} >= ${v!}`, holds: ([v]) => (l) => compareCodePoints(l, v!) >= 0 },
  lt:  { takes: 'one value', of: 'bound', index: 'order', on: ordered, says: 'less than', sql: (c, [v]) => sql`${c} < ${v!}`, holds: ([v]) => (l) => compareCodePoints(l, v!) < 0 },
  lte: { takes: 'one value', of: 'bound', index: 'order', on: ordered, says: 'less than or equal', sql: (c, [v]) => sql`${c} <= ${v!}`, holds: ([v]) => (l) => compareCodePoints(l, v!) <= 0 },

  in:  { takes: 'one or more values', of: 'value', index: 'order', isOneOf: true, on: anything, says: 'equal to one of the values', sql: (c, vs, d) => oneOf(c, vs, d), holds: (vs) => isOneOf(new Set(vs), true) },
  nin: { takes: 'one or more values', of: 'value', on: anything, says: 'equal to none of the values', sql: (c, vs, d) => sql`NOT (${oneOf(c, vs, d)})`, holds: (vs) => isOneOf(new Set(vs), false) },

  starts_with: { takes: 'one value', of: 'part', index: 'order', on: anything, says: 'begins with', sql: (c, [v]) => startsWith(c, String(v)), holds: ([v]) => (l) => l.startsWith(v!) },
  ends_with:   { takes: 'one value', of: 'part', index: 'text', on: anything, says: 'ends with', sql: (c, [v], d) => d.endsWith(c, sql`${v!}`), holds: ([v]) => (l) => l.endsWith(v!) },
  contains:    { takes: 'one value', of: 'part', index: 'text', exact: true, on: anything, says: 'contains', sql: (c, [v], d) => d.contains(c, sql`${v!}`), holds: ([v]) => (l) => l.includes(v!) },

  between: {
    takes: 'a lower and an upper value', of: 'bound', index: 'order', on: ordered, says: 'lies within the range, both ends included',
    sql: (c, [low, high]) => sql`${c} BETWEEN ${low!} AND ${high!}`,
    holds: ([low, high]) => (l) => compareCodePoints(l, low!) >= 0 && compareCodePoints(l, high!) <= 0,
  },

  has:      { takes: 'one value', of: 'member', index: 'text', on: ['set'], says: 'has the member', sql: (c, [v], d) => d.contains(c, sql`${v!}`) },
  is_empty: { takes: 'no value', of: 'empty', index: 'order', on: anything, says: 'holds the empty value', sql: (c, [v]) => sql`${c} = ${v!}`, holds: () => (l) => l === '' },
}

/** The functions that combine others, and use_filter. */
export const combining: Readonly<Record<string, string>> = {
  and: 'all expressions hold',
  or: 'at least one expression holds',
  not: 'the expression does not hold',
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
  return sql`${column} IN (${join(
    values.map((value) => sql`${value}`),
    ', ',
  )})`
}
