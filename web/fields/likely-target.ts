import type { Resource } from '../api/client.ts'
import type { Field } from './field.ts'

/** The table that a field is likely to link to by its name: `categoryID` or `Category` to Categories; undefined: none is. */
export function likelyTarget(field: string, tables: readonly Resource[]): string | undefined {
  const word = wordOf(field.replace(/(?:_|\b| )?id$/i, ''))
  if (word.length < 3) return undefined
  return tables.find(({ attributes }) => wordOf(String(attributes['table_name'])) === word)?.id
}

/** The unique field, of those of a table, by whose values a field is likely to name its records; '': by their numbers. `title`: the field of their titles. */
export function likelyKey({ type }: Field, keys: readonly Field[], title: number): string {
  if (NUMBERS.includes(type)) return ''
  const likely = (type !== 'text' && keys.find((key) => key.type === type)) || keys.find(({ id }) => id === title) || keys[0]
  return likely ? String(likely.id) : ''
}

const NUMBERS = ['integer', 'decimal', 'autonumber', 'boolean']

/** A name without what tells several things from one, in English. */
const wordOf = (name: string): string => {
  const letters = name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')
  return letters.endsWith('ies') ? `${letters.slice(0, -3)}y` : letters.endsWith('s') ? letters.slice(0, -1) : letters
}
