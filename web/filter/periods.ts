import { parseDate, startOfWeek } from '@internationalized/date'
import type { Expression } from './language.ts'

/*
 * Weeks, months and years near the present one, by the words of the language for their first days: `week-1` is the last week. The words of weeks
 * say on which day they begin, so that a filter selects the same for a person with other weeks.
 */

/** By the day on which they begin, 0 for Sunday. */
const WEEKS: Readonly<Record<number, string>> = { 1: 'week', 5: 'week_friday', 6: 'week_saturday', 0: 'week_sunday' }

const PERIOD = /^(week(?:_friday|_saturday|_sunday)?|month|year)(-1|\+1|)$/

export const isPeriod = (text: string): boolean => PERIOD.test(text)

/** A word for a first day, such as `month-5`: how many of them from the present one, and the day on which a week begins. */
export function startOf(
  word: string,
): { readonly unit: 'week' | 'month' | 'year'; readonly step: number; readonly begin: number } | undefined {
  const [, name, step = '0'] = /^([a-z_]+)([+-]\d{1,5})?$/.exec(word) ?? []
  return name !== undefined && isPeriod(name) ? { ...partsOf(name), step: Number(step) } : undefined
}

/** Of a period: `week`, `month` or `year`, the last, present or next one, and the day on which a week begins. */
export function partsOf(period: string): { readonly unit: 'week' | 'month' | 'year'; readonly step: -1 | 0 | 1; readonly begin: number } {
  const [, word = '', step] = PERIOD.exec(period) ?? []
  const [begin] = Object.entries(WEEKS).find(([, name]) => name === word) ?? []
  return {
    unit: begin === undefined ? (word as 'month' | 'year') : 'week',
    step: Number(step) as -1 | 0 | 1,
    begin: Number(begin ?? 0),
  }
}

/** The word of a week where a person is. */
export const weekWord = (locale: string): string => WEEKS[firstDay(locale)] ?? WEEKS[1]!

/** The periods that are offered. */
export const periodsFor = (locale: string): readonly string[] =>
  [weekWord(locale), 'month', 'year'].flatMap((word) => [word, `${word}-1`, `${word}+1`])

export function firstDay(locale: string): number {
  const begin = startOfWeek(parseDate('2024-01-10'), locale)
  return new Date(Date.UTC(begin.year, begin.month - 1, begin.day)).getUTCDay()
}

export function writePeriod(attribute: string, period: string): string {
  const [, word = '', step] = PERIOD.exec(period) ?? []
  const next = Number(step) + 1
  return `and(gte(${attribute},${period}),lt(${attribute},${word}${next === 0 ? '' : `+${next}`}))`
}

/** The attribute and the period of an expression that `writePeriod` has written. */
export function readPeriod(expression: Expression): readonly [attribute: string, period: string] | undefined {
  const [from] = expression.is === 'call' && expression.name === 'and' ? expression.of : []
  const [attribute, period] = from?.is === 'call' ? from.of : []
  if (attribute?.is !== 'word' || period?.is !== 'word' || !isPeriod(period.value)) return undefined
  return expression.text.replace(/\s/g, '') === writePeriod(attribute.value, period.value) ? [attribute.value, period.value] : undefined
}
