import type { Field } from '../fields/field.ts'
import type { Call } from './call.ts'

/* What an example of a request sends. */

/** Values as the service takes them, by type of field; a list gives its first option. Other types are only sent where they are required. */
const examples: Readonly<Record<string, string>> = {
  text: 'Text',
  longtext: 'Text',
  integer: '42',
  decimal: '19.90',
  boolean: '1',
  date: '2026-12-31',
  datetime: '2026-12-31 14:30:00',
  email: 'anna@example.com',
  phone: '+7 900 123-45-67',
  url: 'https://example.com',
}
/** The service sets them, or files are sent to an address of their own. */
const NOT_SENT: ReadonlySet<string> = new Set(['autonumber', 'file', 'image'])
/** Attributes of an example, besides those that are required. */
const FEW = 3

const exampleOf = ({ type, options }: Field): string | undefined => options[0]?.label ?? examples[type]

type Sends = NonNullable<Call['sends']>

/** A new record: what is required, and some more. The first record stands for those that are referred to. */
export function creates(table: string, fields: readonly Field[]): Sends {
  const settable = fields.filter(({ type, maySet }) => maySet && !NOT_SENT.has(type))
  const some = settable.filter((field) => !field.isRequired && exampleOf(field) !== undefined).slice(0, FEW)
  const sent = settable.filter((field) => field.isRequired || some.includes(field))
  return { method: 'POST', type: `data${table}`, attributes: sent.map((field) => [field.name, exampleOf(field) ?? '1']) }
}

/** A change of one attribute of a record: the first that has a value that may be set. */
export function changes(table: string, id: string, fields: readonly Field[], values: Readonly<Record<string, unknown>>): Sends {
  const settable = fields.filter(({ type, maySet }) => maySet && !NOT_SENT.has(type))
  const isFilled = ({ name }: Field) => typeof values[name] === 'string' && values[name] !== ''
  const one = settable.find(isFilled) ?? settable.find((field) => exampleOf(field) !== undefined)
  const value = (field: Field): string => (isFilled(field) ? String(values[field.name]) : exampleOf(field)!)
  return { method: 'PATCH', type: `data${table}`, id, attributes: one === undefined ? [] : [[one.name, value(one)]] }
}
