import type { Column, Shown } from '../support/oracle/answer.ts'
import { hostileColumns, hostileRecord, labels, systemColumns, updateTime, type HostileColumn } from '../support/oracle/hostile.ts'
import { sentOf } from '../support/oracle/shown.ts'
import { withExistingIds } from '../support/oracle/http-table.ts'
import type { Random } from '../support/random.ts'
import * as fc from '../support/fast-check.ts'
import type { Nodes } from './nodes.ts'

/* The table that lists are asked of: a field of every type with hostile values, and some more that chores change. */

/** What the table of the run is, and how values for it are made. */
export interface ListedTable {
  readonly type: string
  readonly id: number
  /** All that a record shows, those of the record that it refers to aside. */
  readonly columns: readonly HostileColumn[]
  /** Of the record that the reference names. */
  readonly step: Column
  readonly referred: { readonly type: string; readonly title: string }
  readonly reference: string
  /** Of the fields that chores change, and that by which records are counted. */
  readonly field: Readonly<Record<'flipped' | 'stretched' | 'stage' | 'marker', string>>
  /** Labels of the list that gets other labels. */
  stages: readonly string[]
  /** Attributes for a record: some of them, all of them. */
  some(random: Random): Record<string, unknown>
  all(random: Random): Record<string, unknown>
}

/** Different values of each column. */
const PALETTE = 500
/** Records with files, of a hundred. */
const FILES = 2
const NAMED = 12
export const STAGES: readonly string[] = ['Open', 'Won', 'Lost', 'Ёж', 'on hold', 'Deferred', 'a', '10']

const small = fc.integer({ min: -40, max: 400 }).map(String)
const flipped: HostileColumn = {
  name: 'flipped',
  type: 'integer',
  settings: {},
  value: small,
  operand: small,
  part: fc.constantFrom('1', '-', '20', '0'),
}
const text = hostileColumns[0]!
const label = fc.constantFrom(...STAGES)
const more: readonly HostileColumn[] = [
  flipped,
  { ...text, name: 'stretched' },
  { name: 'stage', type: 'list', settings: {}, value: label, operand: label, part: fc.constantFrom('o', 'ё', 'd', '1') },
]

type Add = (type: string, attributes: object) => Promise<string>

export async function makeTable(nodes: Nodes, seed: number): Promise<ListedTable> {
  const add: Add = async (type, attributes) => {
    const { status, body } = await nodes.call(nodes.token, 'POST', type, { data: { type, attributes } })
    if (status !== 201) throw new Error(`${type} ${JSON.stringify(attributes)}: ${status} ${JSON.stringify(body)}`)
    return body.data.id
  }
  const referred = await makeTargets(add)
  const id = Number(await add('table', { table_name: 'Listed' }))
  const written: HostileColumn[] = []
  const field: Record<string, string> = {}
  for (const column of [...hostileColumns, ...more]) {
    const name = `f${await add('field', fieldOf(id, Number(referred.type.slice(4)), column))}`
    if (more.includes(column)) field[column.name] = name
    // The table of the run never had the options that other tests remove: 'ЕЖ' is no label here, and means 'Ёж'.
    written.push({ ...column, name, ...(column.options && { options: keptOptions }) })
  }
  field['marker'] = `f${await add('field', { table_id: id, field_name: 'marker', field_type: 'text' })}`
  const reference = written.find(({ type }) => type === 'reference')!.name
  const palette = fc.sample(hostileRecord(written), { numRuns: PALETTE, seed })
  const value = (column: HostileColumn, random: Random): unknown => {
    const made = random.pick(palette)[column.name]!
    if (column.type === 'file' || column.type === 'image') return random.percent(FILES) ? sentOf(column, made) : ''
    return column.options ? withLabels(made) : withExistingIds(column, made)
  }
  const settable = written.filter(({ type, name }) => type !== 'autonumber' && name !== field['stage'])
  const table: ListedTable = {
    type: `data${id}`,
    id,
    columns: [...written, { ...text, name: field['marker'] }, ...systemColumns, updateTime],
    step: { name: `${reference}.${referred.title}`, type: 'text' },
    referred,
    reference,
    field: field as ListedTable['field'],
    stages: STAGES,
    some: (random) => {
      const chosen = Array.from({ length: 1 + random.int(4) }, () => random.pick(settable))
      const status = random.percent(20) ? { status: String(random.int(2)) } : {}
      return {
        ...status,
        ...Object.fromEntries(chosen.map((column) => [column.name, value(column, random)])),
        ...staged(table, random, 40),
      }
    },
    all: (random) => ({
      status: String(random.int(2)),
      ...Object.fromEntries(settable.map((column) => [column.name, value(column, random)])),
      ...staged(table, random, 90),
    }),
  }
  return table
}

const staged = ({ field, stages }: ListedTable, random: Random, share: number) =>
  random.percent(share) ? { [field.stage]: random.pick(stages) } : {}

/** What references name. */
async function makeTargets(add: Add): Promise<ListedTable['referred']> {
  const id = await add('table', { table_name: 'Referred to' })
  const title = `f${await add('field', { table_id: Number(id), field_name: 'Title', field_type: 'text' })}`
  for (let i = 1; i <= NAMED; i++) {
    await add(`data${id}`, { [title]: `Title ${i % 5}` })
    if (i > 1) await add('user', { login: `user ${i}` })
    if (i > 3) await add('group', { group_name: `Group ${i}` })
  }
  return { type: `data${id}`, title }
}

const keptOptions = labels.filter(({ removed }) => !removed)
const kept = keptOptions.map((option) => option.label)

const fieldOf = (table_id: number, referred: number, { name, type, settings, options }: HostileColumn) => ({
  table_id,
  field_name: name,
  field_type: type,
  ...(type === 'decimal' && settings),
  ...(options && { options: kept }),
  ...(name === 'stage' && { options: STAGES }),
  ...(type.startsWith('reference') && { reference_table_id: referred }),
})

/** Labels that are no options become some. */
const withLabels = (text: string): string =>
  [...new Set(text.split('\r\n').map((one) => (one === '' || kept.includes(one) ? one : 'a')))].join('\r\n')

const SIZE = 500

/** All records as they are now, by id, with the title of what they refer to. */
export async function readAll(nodes: Nodes, { type, columns, referred, reference, step }: ListedTable): Promise<Shown[]> {
  const names = columns.flatMap(({ name }) => (name === 'id' ? [] : name))
  const walked = async (of: string, shown: readonly string[]) => {
    const all: Record<string, string>[] = []
    for (let after = ''; ;) {
      const { status, body } = await nodes.call(nodes.token, 'GET', `${of}?page[size]=${SIZE}&fields[${of}]=${shown.join()}${after}`)
      if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`)
      for (const { id, attributes } of body.data) all.push({ id, ...attributes })
      if (body.data.length < SIZE) return all
      after = `&page[after]=${encodeURIComponent(body.data.at(-1).meta.page.cursor)}`
    }
  }
  const titles = new Map((await walked(referred.type, [referred.title])).map((row) => [row['id'], row[referred.title]!]))
  const rows = await walked(type, names)
  for (const row of rows) {
    const title = titles.get(row[reference]!)
    if (title !== undefined) row[step.name] = title
  }
  return rows
}
