import { locale } from '../api/preferences.ts'
import { timeOf } from './dates.ts'
import type { Field } from './field.ts'
import { kept } from './kept.ts'
import { showNumber } from './numbers.ts'

const date = (options: Intl.DateTimeFormatOptions) => {
  // Values have no zone: they are shown as they are.
  const formats = kept((language) => new Intl.DateTimeFormat(language, { ...options, timeZone: 'UTC' }))
  return (text: string) => {
    const time = timeOf(text)
    return time === undefined ? '' : formats(locale()).format(time)
  }
}

const number = (text: string) => showNumber(text, locale())

export const shownDate = date({ dateStyle: 'medium' })
export const shownDateTime = date({ dateStyle: 'medium', timeStyle: 'short' })

const plain: Readonly<Record<string, (text: string) => string>> = {
  integer: number,
  decimal: number,
  date: shownDate,
  datetime: shownDateTime,
  multilist: (text) => text.split('\r\n').join(', '),
}

/** A value in one line of text, as people write it: for titles and lists of choices. */
export function plainText({ type }: Pick<Field, 'type'>, value: unknown): string {
  const text = typeof value === 'string' ? value : ''
  return text === '' ? '' : (plain[type]?.(text) ?? text).replace(/\s+/gu, ' ')
}

/** Characters of a name within a sentence. */
const LONGEST = 60

/** A name as it stands within a sentence. */
export function shortName(name: string): string {
  const characters = Array.from(name)
  return characters.length > LONGEST ? `${characters.slice(0, LONGEST - 1).join('')}…` : name
}
