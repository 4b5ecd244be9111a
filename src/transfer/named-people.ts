import { fold } from '../fields/fold.ts'
import { fieldType } from '../fields/index.ts'
import type { FieldType } from '../fields/field-type.ts'
import { limits } from '../limits.ts'
import type { Uses } from '../store/ground/store.ts'
import type { Caller } from '../store/model/access.ts'
import { usersCalled, type UsersCalled } from '../store/people/users-called.ts'
import { valueOf, type Plan } from './plan.ts'
import type { Line } from './read-csv.ts'

/* What a value names of a field of people: a number, or the name, login or address of exactly one. Nothing is guessed. */

/** As a request sends them, or why it names nobody. */
export type PeopleOfValue = { readonly sent: string } | { readonly reason: string }
/** By the place of a column, what its values name. */
export type NamedPeople = ReadonlyMap<number, (value: string) => PeopleOfValue>

const NUMBER = /^(#?)([1-9]\d{0,14})$/
/** As requests send them: one id or several. */
const SENT = /^(?:0*|(?:-\d+)+-)$/

/** Of the columns that are fields of people, what the values of some lines name. */
export async function namedPeople(store: Uses<'db' | 'catalogue'>, by: Caller, plan: Plan, lines: readonly Line[]): Promise<NamedPeople> {
  const columns = columnsOf(store, plan)
  if (columns.length === 0) return new Map()
  const words = columns.flatMap(({ index, several }) =>
    lines.flatMap((line) => {
      const value = valueOf(plan, line, { index })
      return SENT.test(value) ? [] : [value.trim(), ...partsOf(value, several)]
    }),
  )
  const ids = words.flatMap((word) => NUMBER.exec(word)?.[2] ?? [])
  const found = await usersCalled(store, by, words, [...new Set(ids.map(Number))])
  return new Map(columns.map(({ index, several }) => [index, (value) => meant(value, several, found)]))
}

function columnsOf(
  store: Uses<'catalogue'>,
  { tableId, columns, trials = [] }: Plan,
): { readonly index: number; readonly several: boolean }[] {
  const fields = store.catalogue().tables.get(tableId)?.fields ?? []
  const typed: (readonly [number, FieldType | undefined])[] = [
    ...columns.map(
      ({ index, attribute, reference }) => [index, reference ? undefined : fields.find(({ name }) => name === attribute)?.type] as const,
    ),
    ...trials.map(({ index, type }) => [index, fieldType(type)] as const),
  ]
  return typed.flatMap(([index, type]) => (type?.target === 'user' ? [{ index, several: type.kind === 'set' }] : []))
}

/** The parts of a value that may name several: numbers between any marks, names between semicolons or lines, or else commas. None where it is one. */
function partsOf(value: string, several: boolean): readonly string[] {
  if (!several) return []
  const words = value.split(/[,;\s]+/, limits.ids.most + 1).filter((word) => word !== '')
  const named = value.split(/[;\r\n]/.test(value) ? /[;\r\n]+/ : ',', limits.ids.most + 1).map((part) => part.trim())
  const parts = words.every((word) => NUMBER.test(word)) ? words : named.filter((part) => part !== '')
  return parts.length > 1 && parts.length <= limits.ids.most ? parts : []
}

function meant(value: string, several: boolean, found: UsersCalled): PeopleOfValue {
  if (SENT.test(value)) return { sent: value }
  const sent = (ids: readonly number[]) => ({ sent: several ? `-${[...new Set(ids)].join('-')}-` : String(ids[0]) })
  const whole = oneOf(value.trim(), found)
  const parts = partsOf(value, several).map((part) => oneOf(part, found))
  if (parts.length === 0 || (typeof whole === 'object' && whole.isSure)) return typeof whole === 'number' ? sent([whole]) : whole
  const wrong = parts.find((part) => typeof part === 'object')
  if (wrong) return typeof whole === 'number' ? sent([whole]) : wrong
  if (typeof whole === 'number') return { reason: ofSeveral(value) }
  return sent(parts.filter((part) => typeof part === 'number'))
}

/** The id, or why it is none. `isSure`: something is called so. */
function oneOf(name: string, { called, ids }: UsersCalled): number | { readonly reason: string; readonly isSure: boolean } {
  const [, sign, digits] = NUMBER.exec(name) ?? []
  const number = digits === undefined ? undefined : Number(digits)
  if (number !== undefined && sign === '#') return number
  const others = [...(called.get(fold(name)) ?? [])].filter((id) => id !== number)
  // A number that nobody has is refused by the field, as where requests send it.
  if (number !== undefined && (others.length === 0 || ids.has(number)))
    return others.length === 0 ? number : { reason: numberOrName(name), isSure: true }
  if (others.length === 1) return others[0]!
  return others.length === 0 ? { reason: nobody(name), isSure: false } : { reason: ofSeveral(name), isSure: true }
}

function nobody(name: string): string {
  const reason = `No person has '${shown(name)}' as name, login or e-mail address.`
  return reason
}

function ofSeveral(name: string): string {
  const reason = `'${shown(name)}' names several people.`
  return reason
}

function numberOrName(name: string): string {
  const reason = `'${shown(name)}' is the number of one person and the name of another.`
  return reason
}

/** The part of a value that a message shows. */
const shown = (value: string): string => (value.length > NAMED ? `${value.slice(0, NAMED)}…` : value)
const NAMED = 100
