import type { ReactNode } from 'react'
import type { Resource } from '../api/client.ts'
import { locale } from '../api/preferences.ts'
import { say } from '../i18n/words.ts'
import { Icon } from '../ui/icon.tsx'

/* How a value of each type of field is shown. Values never depend on the locale; only what is shown does. */

export interface Field {
  readonly id: number
  /** Such as f12. */
  readonly name: string
  readonly title: string
  readonly type: string
  readonly options: readonly { readonly id: number; readonly label: string }[]
  readonly target: number | null
}

export const fieldOf = ({ id, attributes }: Resource): Field => ({
  id: Number(id),
  name: attributes['int_name'],
  title: attributes['field_name'],
  type: attributes['field_type'],
  options: attributes['options'] ?? [],
  target: attributes['reference_table_id'],
})

export const isNumber = ({ type }: Pick<Field, 'type'>): boolean => type === 'integer' || type === 'decimal' || type === 'autonumber'

/** Icons by type. */
const icons: Readonly<Record<string, string>> = {
  integer: 'number', decimal: 'number', autonumber: 'number', email: 'mail', phone: 'phone', url: 'link', reference: 'reference', references: 'reference',
  list: 'list', multilist: 'list', boolean: 'tick', date: 'calendar', datetime: 'calendar', file: 'clip', image: 'image', user: 'user', users: 'users', group: 'users',
} // prettier-ignore

export const iconOf = ({ type }: Pick<Field, 'type'>): string => icons[type] ?? 'text'

/** `titleOf`: the title of a record that a reference names, where it is known. */
export function showValue(field: Field, value: unknown, titleOf: (table: number, id: string) => string | undefined): ReactNode {
  const text = typeof value === 'string' ? value : value === null || value === undefined ? '' : String(value)
  if (text === '') return null
  return (shows[field.type] ?? plain)(text, field, titleOf)
}

type Show = (text: string, field: Field, titleOf: (table: number, id: string) => string | undefined) => ReactNode

const plain: Show = (text) => text

const number: Show = (text) => {
  const scale = text.split('.')[1]?.length ?? 0
  // A decimal as text is formatted exactly; a number would lose digits.
  return new Intl.NumberFormat(locale(), { minimumFractionDigits: scale, maximumFractionDigits: scale }).format(text as `${number}`)
}

const dateWith =
  (options: Intl.DateTimeFormatOptions): Show =>
  (text) => {
    if (text.startsWith('0000-00-00')) return null
    // Values have no zone: they are shown as they are.
    const time = Date.parse(`${text.replace(' ', 'T')}${text.length === 10 ? 'T00:00:00' : ''}Z`)
    if (Number.isNaN(time)) return text
    return <time dateTime={text}>{new Intl.DateTimeFormat(locale(), { ...options, timeZone: 'UTC' }).format(time)}</time>
  }

const label = ({ options }: Field, text: string) => {
  const at = options.findIndex((option) => option.label === text)
  return (
    <span className="label" key={text} data-hue={at === -1 ? 0 : (at % 12) + 1}>
      {text}
    </span>
  )
}

/** Several values are kept as `-1-22-`. */
const idsIn = (text: string): string[] => text.split('-').filter((id) => id !== '')

const references: Show = (text, { target }, titleOf) =>
  idsIn(text)
    .map((id) => titleOf(target ?? 0, id) ?? `#${id}`)
    .join(', ')

const shows: Readonly<Record<string, Show>> = {
  integer: number,
  decimal: number,
  boolean: (text) => (text === '1' ? <><Icon name="check" /><span className="said">{say('yes')}</span></> : <span className="said">{say('no')}</span>), // prettier-ignore
  date: dateWith({ dateStyle: 'medium' }),
  datetime: dateWith({ dateStyle: 'medium', timeStyle: 'short' }),
  list: (text, field) => label(field, text),
  multilist: (text, field) => text.split('\r\n').map((one) => label(field, one)),
  reference: (text, { target }, titleOf) => (text === '0' ? null : (titleOf(target ?? 0, text) ?? `#${text}`)),
  references,
}
