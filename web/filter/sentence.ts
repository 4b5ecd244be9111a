import { locale } from '../api/preferences.ts'
import { nowHere } from '../fields/dates.ts'
import type { Field, TitleOf } from '../fields/field.ts'
import { idsOf } from '../fields/ids.ts'
import { plainText } from '../fields/plain.ts'
import { typeOf } from '../fields/types.ts'
import { say } from '../i18n/words.ts'
import { isWord, operatorNamed, valueType } from './operators.ts'
import { firstDay, partsOf, startOf } from './periods.ts'
import { isWhole, type Item } from './tree.ts'

/** Types whose text for spreadsheets is not what people read. */
const PLAIN: ReadonlySet<string> = new Set(['integer', 'decimal', 'date', 'datetime'])

/** Values as a person reads them. */
export function valueText(field: Field, operator: string, values: readonly string[], titleOf: TitleOf): string {
  if (operatorNamed(operator).values === 'days') return say('wordDays', { count: Number(values[0]) })
  if (operatorNamed(operator).values === 'period') return periodText(values[0] ?? '')
  const isMany = operatorNamed(operator).values === 'many'
  const of = isMany ? field : { ...field, type: valueType(field, operatorNamed(operator)) }
  const show = (value: string) =>
    isWord(field, value)
      ? wordText(value)
      : PLAIN.has(of.type)
        ? plainText(of, value)
        : typeOf(of).toText(value, of, titleOf, { locale: locale(), now: nowHere() })
  return values.map(show).join(isMany ? ', ' : ` ${say('filterAnd')} `)
}

// prettier-ignore
const PERIODS = {
  week:  { '-1': 'periodLastWeek',  0: 'periodThisWeek',  1: 'periodNextWeek' },
  month: { '-1': 'periodLastMonth', 0: 'periodThisMonth', 1: 'periodNextMonth' },
  year:  { '-1': 'periodLastYear',  0: 'periodThisYear',  1: 'periodNextYear' },
} as const

/** A week that does not begin as those of the person do says where it begins. */
export function periodText(period: string): string {
  const { unit, step, begin } = partsOf(period)
  const text = say(PERIODS[unit][step])
  return unit === 'week' && begin !== firstDay(locale()) ? `${text} ${say('periodFrom', { day: String(begin) })}` : text
}

const STARTS = { week: 'wordWeek', month: 'wordMonth', year: 'wordYear' } as const
const NEAR: Readonly<Record<number, string>> = { [-1]: 'last', 0: 'this', 1: 'next' }

function wordText(word: string): string {
  if (word === 'current_user') return say('wordMe')
  const start = startOf(word)
  if (start) {
    const { unit, step, begin } = start
    const text = say(STARTS[unit], { which: NEAR[step] ?? (step < 0 ? 'ago' : 'ahead'), count: Math.abs(step) })
    return unit === 'week' && begin !== firstDay(locale()) ? `${text} ${say('periodFrom', { day: String(begin) })}` : text
  }
  const [, days] = /([+-]\d+)$/.exec(word) ?? []
  const count = Math.abs(Number(days ?? 0))
  if (count === 0) return say(word.startsWith('now') ? 'wordNow' : 'wordToday')
  return say(days!.startsWith('-') ? 'wordDaysAgo' : 'wordDaysAhead', { count })
}

/** What a filter selects, in words; '' where it selects all. */
export function sentence(item: Item, fields: readonly Field[], titleOf: TitleOf, isInner = false): string {
  if (item.is === 'verbatim') return item.text
  if (item.is === 'condition') {
    const field = fields.find(({ name }) => name === item.attribute)
    if (!field || !isWhole(item)) return ''
    const value = valueText(field, item.operator, item.values, titleOf)
    return `${field.title} ${say(operatorNamed(item.operator).message)}${value === '' ? '' : ` ${value}`}`
  }
  const parts = item.items.map((one) => sentence(one, fields, titleOf, true)).filter((one) => one !== '')
  if (parts.length === 0) return ''
  const joined = parts.join(` ${say(item.join === 'all' ? 'filterAnd' : 'filterOr')} `)
  if (item.join === 'none') return `${say('filterNot')} (${joined})`
  return isInner && parts.length > 1 ? `(${joined})` : joined
}

/** The value of an editor for several values, as the service takes it, and back. */
export const joined = (type: string, values: readonly string[]): string =>
  type === 'multilist' ? values.join('\r\n') : type === 'references' || type === 'users' ? idsOf(values) : (values[0] ?? '')

export const parted = (type: string, value: string): string[] =>
  type === 'multilist' ? value.split('\r\n').filter((one) => one !== '') : value.split('-').filter((one) => one !== '')
