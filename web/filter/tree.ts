import type { Field } from '../fields/field.ts'
import { parse, quote, type Expression } from './language.ts'
import { daysOf, isDays, isWord, operatorNamed, operators, operatorsOf, type Operator } from './operators.ts'
import { isPeriod, readPeriod, writePeriod } from './periods.ts'

/* A filter as the builder draws it. What it cannot draw stays as it is written. */

export type Item = Group | Condition | Verbatim

export interface Group {
  readonly is: 'group'
  /** Which of its items hold. */
  readonly join: 'all' | 'any' | 'none'
  readonly items: readonly Item[]
}

export interface Condition {
  readonly is: 'condition'
  readonly attribute: string
  readonly operator: string
  /** As the service takes them, or words such as today-30. */
  readonly values: readonly string[]
}

export interface Verbatim {
  readonly is: 'verbatim'
  readonly text: string
}

export const nothing: Group = { is: 'group', join: 'all', items: [] }

type Fields = readonly Pick<Field, 'name' | 'type'>[]

/** Undefined: it is no expression. */
export function readFilter(text: string | undefined, fields: Fields): Group | undefined {
  if (text === undefined || text.trim() === '') return nothing
  const expression = parse(text)
  if (expression?.is !== 'call') return undefined
  const item = read(expression, fields)
  return item.is === 'group' ? item : { is: 'group', join: 'all', items: [item] }
}

const JOINS: Readonly<Record<string, Group['join']>> = { and: 'all', or: 'any' }

function read(expression: Expression, fields: Fields): Item {
  const verbatim: Item = { is: 'verbatim', text: expression.text }
  if (expression.is !== 'call') return verbatim
  const { name, of } = expression
  const period = periodIn(expression, fields)
  if (period) return period
  const join = JOINS[name]
  if (join) return { is: 'group', join, items: of.map((one) => read(one, fields)) }
  if (name === 'not' && of.length === 1) {
    const [inner] = of
    const condition = inner?.is === 'call' ? conditionOf(inner, fields, true) : undefined
    if (condition) return condition
    if (inner?.is === 'call' && inner.name === 'or') return { is: 'group', join: 'none', items: inner.of.map((one) => read(one, fields)) }
    return { is: 'group', join: 'none', items: [read(inner!, fields)] }
  }
  return conditionOf(expression, fields, false) ?? verbatim
}

function conditionOf(expression: Expression & { is: 'call' }, fields: Fields, isNot: boolean): Condition | undefined {
  const [first, ...rest] = expression.of
  const field = first?.is === 'word' ? fields.find(({ name }) => name === first.value) : undefined
  if (!field || rest.some(({ is }) => is === 'call')) return undefined
  const values = rest.map((one) => (one as { value: string }).value)
  const days = !isNot && expression.name === 'between' && rest.every(({ is }) => is === 'word') ? daysIn(field, values) : undefined
  if (days) return { is: 'condition', attribute: field.name, ...days }
  // A text in quotes that is also a word, such as 'today', is not that word: the builder would write it as one.
  const isUnclear = rest.some((one) => (one.is === 'text') === isWord(field, (one as { value: string }).value))
  const operator = operatorsOf(field).find(
    (one) =>
      one.call === expression.name &&
      one.values !== 'days' &&
      one.values !== 'period' &&
      (one.isNot ?? false) === isNot &&
      (one.fixed === undefined ? fits(one, values.length) : values.length === 1 && values[0] === one.fixed),
  )
  if (
    !operator ||
    (isUnclear && operator.fixed === undefined && !rest.every((one) => one.is === 'word' && /^-?\d+(\.\d+)?$/.test(one.value)))
  )
    return undefined
  return { is: 'condition', attribute: field.name, operator: operator.name, values: operator.fixed === undefined ? values : [] }
}

function periodIn(expression: Expression, fields: Fields): Condition | undefined {
  const [attribute, period] = readPeriod(expression) ?? []
  const field = fields.find(({ name }) => name === attribute)
  const operator = field && operatorsOf(field).find(({ values }) => values === 'period')
  return operator && { is: 'condition', attribute: field.name, operator: operator.name, values: [period!] }
}

/** Whether the values are the days before or after the present one. */
function daysIn(field: Pick<Field, 'type'>, values: readonly string[]): Pick<Condition, 'operator' | 'values'> | undefined {
  for (const { name } of operatorsOf(field).filter((one) => one.values === 'days')) {
    const [, beside = '0'] = /[+-](\d+)$/.exec(values[name === 'lastDays' ? 0 : 1] ?? '') ?? []
    const days = field.type === 'datetime' ? beside : String(Number(beside) + 1)
    if (isDays(days) && daysOf(field, name, days).join() === values.join()) return { operator: name, values: [days] }
  }
  return undefined
}

const COUNTS: Readonly<Record<Operator['values'], readonly [number, number]>> = {
  none: [0, 0],
  one: [1, 1],
  two: [2, 2],
  days: [1, 1],
  period: [1, 1],
  many: [1, Infinity],
}

function fits({ values }: Operator, count: number): boolean {
  const [least, most] = COUNTS[values]
  return count >= least && count <= most
}

/** Whether all values are there. */
export const isWhole = ({ operator, values }: Condition): boolean => {
  const wanted = operatorNamed(operator)
  const isOne = { days: isDays, period: isPeriod, none: () => true, one: isFilled, two: isFilled, many: isFilled }[wanted.values]
  return fits(wanted, values.length) && values.every(isOne)
}

const isFilled = (value: string): boolean => value !== ''

/** What is not whole is left out; undefined: nothing is left. */
export function writeFilter(item: Item, fields: Fields): string | undefined {
  if (item.is === 'verbatim') return item.text
  if (item.is === 'condition') return isWhole(item) ? writeCondition(item, fields) : undefined
  const parts = item.items.flatMap((one) => writeFilter(one, fields) ?? [])
  if (parts.length === 0) return undefined
  if (item.join === 'none') return parts.length === 1 ? `not(${parts[0]})` : `not(or(${parts.join(',')}))`
  return parts.length === 1 ? parts[0] : `${item.join === 'all' ? 'and' : 'or'}(${parts.join(',')})`
}

function writeCondition({ attribute, operator: name, values }: Condition, fields: Fields): string {
  const { call, isNot, fixed, values: wanted } = operators.find((one) => one.name === name)!
  const field = fields.find((one) => one.name === attribute) ?? { type: 'text' }
  if (wanted === 'period') return writePeriod(attribute, values[0]!)
  if (wanted === 'days') return `${call}(${[attribute, ...daysOf(field, name, values[0]!)].join()})`
  const written = (fixed === undefined ? values : [fixed]).map((value) => (isWord(field, value) ? value : quote(value)))
  const text = `${call}(${[attribute, ...written].join(',')})`
  return isNot ? `not(${text})` : text
}

/** The condition that a cell meets. */
export function conditionAt(field: Pick<Field, 'name' | 'type'>, value: unknown): Condition {
  const text = typeof value === 'string' ? value : ''
  const [first] = operatorsOf(field)
  const make = (operator: string, values: readonly string[]): Condition => ({ is: 'condition', attribute: field.name, operator, values })
  if (field.type === 'boolean') return make(text === '1' ? 'yes' : 'no', [])
  const has = (name: string) => operatorsOf(field).some((one) => one.name === name)
  const isNobody = text === '0' && ['reference', 'user', 'group'].includes(field.type)
  const isEmpty = isNobody || text === '' || text === '0000-00-00' || text === '0000-00-00 00:00:00'
  if (isEmpty && has('empty')) return make('empty', [])
  if (has('is')) return make('is', [text])
  if (!has('has')) return make('filled', [])
  const member = field.type === 'multilist' ? text.split('\r\n')[0]! : text.split('-').find((one) => one !== '')!
  return first ? make('has', [member]) : make('filled', [])
}
