import type { Schema } from '../fields/field-type.ts'
import type { View } from '../store/model/access.ts'
import { recordSchemas } from './record-schema.ts'

/*
 * The records of tables as TypeScript types. Names of tables and fields are any text: they are only in comments, in quoted keys and, as
 * far as identifiers can hold them, in names of types.
 */

export const HEAD = `/* Types of the tables of this installation. Written by: kartoteka types */
`

/** The types of one table. `name`: of the type of its records, besides `Data7`. */
export function typesOfTable(view: View, name: string): string {
  const { id, title } = view.table
  const { shown, create, update } = recordSchemas(view)
  return [
    `/** ${comment(`${title}: table ${id}, as answers show its records`)} */`,
    `export interface Data${id} ${members(shown, (one) => view.attributes.has(one))}`,
    `/** ${comment(`${title}: the attributes of a new record`)} */`,
    `export interface Data${id}Create ${members(create)}`,
    `/** ${comment(`${title}: the attributes that a change may send`)} */`,
    `export interface Data${id}Update ${members(update)}`,
    `export type ${name} = Data${id}`,
    '',
  ].join('\n')
}

/** All tables by type, which the typed client takes, and the names of attributes by those that people gave. */
export function tableOfTables(views: readonly View[]): string {
  const types = views.map(({ table: { id } }) => `  data${id}: { shown: Data${id}; create: Data${id}Create; update: Data${id}Update }`)
  const names = views.map((view) => {
    const fields = view.table.fields.filter(({ name }) => view.attributes.has(name))
    const rows = unique(fields.map(({ name, title }) => [title, name])).map(([title, name]) => `      ${JSON.stringify(title)}: '${name}',`)
    return { title: view.table.title, type: `data${view.table.id}`, rows }
  })
  const rows = unique(names.map((one) => [one.title, one] as const)).map(([title, { type, rows: fields }]) =>
    [`  ${JSON.stringify(title)}: {`, `    type: '${type}',`, '    fields: {', ...fields, '    },', '  },'].join('\n'),
  )
  return ['/** By type: for the typed client. */', 'export interface Tables {', ...types, '}', '', '/** The names on the wire, by those that people see. */',
    'export const tables = {', ...rows, '} as const', ''].join('\n') // prettier-ignore
}

/** Names for the types of tables: identifiers, each only once. */
export function typeNames(views: readonly View[]): ReadonlyMap<number, string> {
  const taken = new Set(['Tables'])
  const names = new Map<number, string>()
  for (const { table } of views) {
    const words = table.title.split(/[^\p{ID_Continue}]+/u).filter((word) => word !== '')
    const joined = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
    const name = /^\p{ID_Start}/u.test(joined) && !/^Data\d/.test(joined) ? joined : `Table${joined}`
    const one = taken.has(name) || reserved.has(name) ? `${name}_${table.id}` : name
    taken.add(one)
    names.set(table.id, one)
  }
  return names
}

/** Names that a type cannot have, of those that begin with a capital or a letter without case. */
const reserved: ReadonlySet<string> = new Set(['Infinity', 'NaN'])

/** With a number after those that are there already: titles may repeat. */
function unique<T>(rows: readonly (readonly [title: string, value: T])[]): (readonly [string, T])[] {
  const taken = new Set<string>()
  return rows.map(([title, value]) => {
    let one = title
    for (let i = 2; taken.has(one); i++) one = `${title} (${i})`
    taken.add(one)
    // `__proto__` as a key of an object literal would set its prototype.
    return [one === '__proto__' ? '__proto__ ' : one, value]
  })
}

function members(schema: Schema, isAlways: (name: string) => boolean = () => false): string {
  const required = new Set(schema['required'] as readonly string[] | undefined)
  const lines = Object.entries(schema['properties'] as Readonly<Record<string, Schema>>).flatMap(([name, one]) => [
    `  /** ${comment([one['title'], one['description']].filter((text) => text !== undefined).join('. '))} */`,
    `  ${name}${isAlways(name) || required.has(name) ? '' : '?'}: ${typeOf(one)}`,
  ])
  return `{\n${lines.join('\n')}\n}`
}

/** One line of a comment. */
const comment = (text: string): string => text.replaceAll(/\s+/gu, ' ').replaceAll('*/', '* /')

function typeOf(schema: Schema): string {
  const { const: value, enum: values, anyOf, type, items, properties } = schema
  if (value !== undefined) return JSON.stringify(value)
  if (Array.isArray(values)) return union((values as readonly unknown[]).map((one) => JSON.stringify(one)))
  if (Array.isArray(anyOf)) return union((anyOf as readonly Schema[]).map(typeOf))
  if (Array.isArray(type)) return union((type as readonly string[]).map((one) => typeOf({ ...schema, type: one })))
  if (type === 'array') return `readonly (${items ? typeOf(items as Schema) : 'unknown'})[]`
  if (type === 'object') return properties ? inline(schema) : 'Record<string, unknown>'
  return typeof type === 'string' ? (otherNames[type] ?? type) : 'unknown'
}

/** Of types that JSON Schema calls otherwise. */
const otherNames: Readonly<Record<string, string>> = { integer: 'number' }

const union = (types: readonly string[]): string => [...new Set(types)].join(' | ')

function inline(schema: Schema): string {
  const required = new Set(schema['required'] as readonly string[] | undefined)
  const all = Object.entries(schema['properties'] as Readonly<Record<string, Schema>>)
  return `{ ${all.map(([name, one]) => `${JSON.stringify(name)}${required.has(name) ? '' : '?'}: ${typeOf(one)}`).join('; ')} }`
}
