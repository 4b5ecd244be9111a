import { limits } from '../limits.ts'
import type { Column } from './plan.ts'

/* What a value names of a column that refers to records by a unique field. Nothing is guessed. */

/** As a request sends the records; or the part of the value that no record has; or undefined: it can be read in two ways. */
export type NamedByValue = { readonly sent: string } | { readonly missing: string } | undefined

/** The parts of a value that may name several records: between semicolons or lines, or else commas. None where nothing parts them. */
export function partsOf({ several }: Pick<Column, 'several'>, value: string): readonly string[] {
  if (several !== true) return []
  const parts = value
    .split(/[;\r\n]/.test(value) ? /[;\r\n]+/ : ',', limits.ids.most + 1)
    .map((part) => part.trim())
    .filter((part) => part !== '')
  // Lists are written with a separator at their end too, also those of one.
  const isParted = parts.length > 1 || (parts.length === 1 && parts[0] !== value)
  return isParted && parts.length <= limits.ids.most ? parts : []
}

/** All texts under which the records of a value may be found. */
export const wordsOf = (column: Column, value: string): readonly string[] => [value, ...partsOf(column, value)]

export function namedByValue(column: Column, ids: ReadonlyMap<string, number>, value: string): NamedByValue {
  const whole = ids.get(value)
  const parts = partsOf(column, value)
  const missing = parts.find((part) => !ids.has(part))
  if (parts.length === 0 || missing !== undefined) return whole === undefined ? { missing: missing ?? value } : { sent: String(whole) }
  const several = [...new Set(parts.map((part) => ids.get(part)!))]
  // A comma may be a part of a name.
  if (whole !== undefined && several.some((id) => id !== whole)) return undefined
  return { sent: `-${several.join('-')}-` }
}
