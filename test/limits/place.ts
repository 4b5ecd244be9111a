import { limits } from '../../src/limits.ts'
import type { Server } from '../support/scratch-program.ts'

/** The table that the probes are about: a field of most types, and 60 records with long texts. */
export interface Place {
  readonly table: number
  /** Such as data2. */
  readonly type: string
  readonly field: Readonly<
    Record<
      'text' | 'longtext' | 'decimal' | 'datetime' | 'multilist' | 'reference' | 'references' | 'email' | 'url' | 'phone' | 'file',
      string
    >
  >
  /** Names of more fields than a sort may have. */
  readonly names: readonly string[]
  /** A list with as many options as it may have, in a table of its own. */
  readonly options: { readonly type: string; readonly field: string }
}

const types = ['text', 'longtext', 'decimal', 'datetime', 'multilist', 'reference', 'references', 'email', 'url', 'phone', 'file'] as const
const RECORDS = 50

export async function makePlace(server: Server, token: string): Promise<Place> {
  const make = async (type: string, attributes: object): Promise<string> => {
    const { status, body } = await server.call(token, 'POST', type, { data: { type, attributes } })
    if (status !== 201) throw new Error(JSON.stringify(body))
    return body.data.id as string
  }
  const table = Number(await make('table', { table_name: 'Place' }))
  const field: Record<string, string> = {}
  for (const type of types) {
    const more = {
      ...(type === 'multilist' && { options: ['A', 'B'] }),
      ...(type.startsWith('reference') && { reference_table_id: table }),
    }
    field[type] = `f${await make('field', { table_id: table, field_name: type, field_type: type, ...more })}`
  }
  const names = ['id', 'user_id', 'add_time', 'status']
  for (let n = 0; n < 16; n++) names.push(`f${await make('field', { table_id: table, field_name: `Text ${n}`, field_type: 'text' })}`)
  for (let n = 0; n < RECORDS; n++)
    await make(`data${table}`, { [field['text']!]: `text ${n}`, [field['longtext']!]: 'a'.repeat(1_000_000) })
  return { table, type: `data${table}`, field: field as Place['field'], names, options: await makeOptions(server, token, make) }
}

/** In each change as many options as it may bring; those that are not sent again are removed, and stay. */
async function makeOptions(
  server: Server,
  token: string,
  make: (type: string, attributes: object) => Promise<string>,
): Promise<Place['options']> {
  const table = await make('table', { table_name: 'Options' })
  const options = (part: number) =>
    Array.from({ length: limits.listMembers.most }, (_, n) => 'ё'.repeat(limits.optionLabel.most - 6) + (100_000 + part * 1_000 + n))
  const field = await make('field', { table_id: Number(table), field_name: 'list', field_type: 'list', options: options(0) })
  for (let part = 1; part < limits.optionsPerField.most / limits.listMembers.most; part++) {
    const document = { data: { type: 'field', id: field, attributes: { options: options(part) } } }
    const { status, body } = await server.call(token, 'PATCH', `field/${field}`, document)
    if (status !== 200) throw new Error(JSON.stringify(body))
  }
  await make(`data${table}`, {})
  return { type: `data${table}`, field: `f${field}` }
}
