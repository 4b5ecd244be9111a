import type { Field } from '../fields/field.ts'
import { directionOf, keysOf } from './order.ts'

/* By what a list is grouped, as the address and a saved view say it: an attribute such as f6, or a date with its period such as f5:month. */

export const PERIODS = ['year', 'month', 'day'] as const

export interface Grouping {
  readonly text: string
  readonly field: Field
  readonly period: string | undefined
}

const PLAIN: ReadonlySet<string> = new Set(['list', 'reference', 'user', 'group', 'boolean'])

export const isDate = ({ type }: Field): boolean => type === 'date' || type === 'datetime'

export const canGroup = (field: Field): boolean => PLAIN.has(field.type) || isDate(field)

/** Undefined where the text names no field that the person sees, or none that makes groups. */
export function groupingOf(text: string | undefined, fields: readonly Field[]): Grouping | undefined {
  const [, name, period] = /^(f\d{1,15}|add_time|user_id|update_time)(?::(year|quarter|month|week|day))?$/.exec(text ?? '') ?? []
  const field = fields.find((one) => one.name === name)
  return field && (period === undefined ? PLAIN.has(field.type) : isDate(field)) ? { text: text!, field, period } : undefined
}

/** The order of a grouped list: by its groups, then as it is sorted otherwise. */
export function sortOf(sort: string | undefined, grouping: Grouping | undefined): string | undefined {
  if (!grouping) return sort
  const { name } = grouping.field
  const others = keysOf(sort).filter((key) => key !== name && key !== `-${name}`)
  return [directionOf(sort, name) === 'descending' ? `-${name}` : name, ...others].join(',')
}

/** A period such as 2024-05 as people call it. A quarter and a week stay as they are. */
export function periodName(value: string, period: string, locale: string): string {
  const [year, month, day] = value.split('-').map(Number)
  const inWords = (options: Intl.DateTimeFormatOptions) => {
    const date = new Date(0)
    date.setUTCFullYear(year!, (month ?? 1) - 1, day ?? 1)
    return new Intl.DateTimeFormat(locale, { timeZone: 'UTC', ...options }).format(date)
  }
  if (period === 'month') return inWords({ year: 'numeric', month: 'long' })
  if (period === 'day') return inWords({ dateStyle: 'full' })
  return value
}
