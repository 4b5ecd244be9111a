import type { Values } from '../api/records.ts'
import type { Field } from '../fields/field.ts'

/** Each record has its own. */
const NOT_COPIED: ReadonlySet<string> = new Set(['file', 'image', 'autonumber'])

/** What a copy of a record begins with: the values that the person may set and that are not empty. */
export const copied = (fields: readonly Field[], attributes: Values): Record<string, string> =>
  Object.fromEntries(
    fields.flatMap((field) => {
      const value = attributes[field.name]
      return field.maySet && !NOT_COPIED.has(field.type) && typeof value === 'string' && value !== '' ? [[field.name, value]] : []
    }),
  )
