import type { Schema } from '../field-type.ts'

/* Small parts of JSON Schemas (2020-12). */

/** The schema with null as a further value. */
export function nullable(schema: Schema): Schema {
  const { type, enum: values, anyOf } = schema
  const types = typeof type === 'string' ? [type] : (type as readonly string[] | undefined)
  return {
    ...schema,
    ...(types && { type: [...new Set([...types, 'null'])] }),
    ...(Array.isArray(values) && { enum: [...new Set([...(values as readonly unknown[]), null])] }),
    ...(Array.isArray(anyOf) && { anyOf: [...(anyOf as readonly unknown[]), { type: 'null' }] }),
  }
}
