import assert from 'node:assert/strict'
import type { Answer, Service } from '../service.ts'
import type { Shown } from './answer.ts'
import { labels, type HostileColumn } from './hostile.ts'
import { sentOf, shownOf } from './shown.ts'

/** A hostile table behind a server. */
export interface HttpTable {
  /** Type of its records, such as data7. */
  readonly type: string
  readonly id: number
  /** The columns under the names that the service gave them. */
  readonly columns: readonly HostileColumn[]
  /** The records by what the service shows of them. */
  readonly rows: readonly Shown[]
}

/** The columns that rules may name. */
export const inRules = ({ columns }: HttpTable): readonly HostileColumn[] => columns.filter(({ onlyNamed }) => !onlyNamed)

/** What references may name: so many records of another table, users and groups. */
const NAMED = 12

/** Makes what hostile references name; returns the table they refer to. */
export async function makeTargets(service: Service): Promise<number> {
  const table = Number(await service.make('table', { table_name: 'Referred to' }))
  for (let i = 1; i <= NAMED; i++) {
    await service.make(`data${table}`, {})
    if (i > 1) await service.make('user', { login: `user ${i}` })
    if (i > 3) await service.make('group', { group_name: `Group ${i}` })
  }
  return table
}

/** A new table of these columns with these records, each written at the moment that its add_time says, and again at its update_time. */
export async function makeHttpTable(
  service: Service,
  referred: number,
  columns: readonly HostileColumn[],
  records: readonly Readonly<Record<string, string>>[],
  hoursAhead: number,
): Promise<HttpTable> {
  const id = Number(await service.make('table', { table_name: 'Hostile' }))
  const named = new Map<string, HostileColumn>()
  for (const column of columns) named.set(column.name, { ...column, name: await makeField(service, id, referred, column) })
  const written = records.map((record) => Object.entries(record).filter(([name]) => name !== 'id'))
  for (const record of written) {
    const values = record.map(([name, text]) => ({ column: named.get(name)!, text: existing(named.get(name)!, text) }))
    await makeRecord(service, `data${id}`, values, hoursAhead)
  }
  for (const { name, options } of named.values()) if (options) await settleOptions(service, name.slice(1))
  const names = [...named.values()].flatMap(({ name }) => (name === 'id' ? [] : name))
  const { json } = await service.get(`data${id}?page[limit]=50&fields[data${id}]=${names.join(',')}`)
  assert.equal(json.data.length, records.length)
  const rows = (json.data as { id: string; attributes: Shown }[]).map((one) => ({ id: one.id, ...one.attributes }))
  return { type: `data${id}`, id, columns: [...named.values()], rows }
}

/** Returns the name of the column as the service has it. */
async function makeField(service: Service, tableId: number, referred: number, { name, type, settings, options }: HostileColumn) {
  if (!/^f\d/.test(name)) return name
  const made = await service.make('field', {
    table_id: tableId,
    field_name: name,
    field_type: type,
    ...(type === 'decimal' && settings),
    ...(options && { options: labels.map(({ label }) => first(label)) }),
    ...(type.startsWith('reference') && { reference_table_id: referred }),
  })
  return `f${made}`
}

async function makeRecord(
  service: Service,
  type: string,
  values: readonly { readonly column: HostileColumn; readonly text: string }[],
  hoursAhead: number,
): Promise<void> {
  const textOf = (name: string) => values.find(({ column }) => column.name === name)?.text
  const goTo = (time: string) => void (service.clock.now = Date.parse(`${time.replace(' ', 'T')}Z`) - hoursAhead * 3_600_000)
  const [made, updated, status] = [textOf('add_time')!, textOf('update_time'), textOf('status')!]
  const sent = values.filter(({ column }) => !column.name.endsWith('_time') && column.type !== 'autonumber')
  const attributes = Object.fromEntries(sent.map(({ column, text }) => [column.name, sentOf(column, text)]))
  goTo(made)
  let answer = await service.add(type, updated === undefined ? attributes : { ...attributes, status: status === '0' ? '1' : '0' })
  assert.equal(answer.status, 201, answer.text)
  if (updated !== undefined) {
    goTo(updated)
    answer = await service.change(type, answer.json.data.id, { status })
    assert.equal(answer.status, 200, answer.text)
  }
  mustShow(
    answer,
    values.filter(({ column }) => !column.onlyNamed),
  )
}

function mustShow(
  { json }: Answer,
  values: readonly { readonly column: Pick<HostileColumn, 'name' | 'type' | 'settings'>; readonly text: string }[],
): void {
  const shown = json.data.attributes as Record<string, string>
  const wanted = Object.fromEntries(values.map(({ column, text }) => [column.name, shownOf(column, text) ?? shown[column.name]!]))
  assert.deepEqual(shown, wanted)
}

/** Ids that nothing has become ids of something. */
export const withExistingIds = ({ type }: Pick<HostileColumn, 'type'>, text: string): string =>
  /^(reference|user|group)/.test(type) ? text.replace(/\d{13,}/, '3').replace('42', '5') : text

/** The same, and labels become the first that their option had. */
function existing(column: HostileColumn, text: string): string {
  return column.options ? text.split('\r\n').map(first).join('\r\n') : withExistingIds(column, text)
}

/** Two options whose labels differ but for case cannot be made at once: one of them gets its label later. */
const first = (label: string): string => (label === 'Ёж' ? 'renamed later' : label)

/** Gives options the labels they are to have, and removes those that are to be gone. */
async function settleOptions(service: Service, fieldId: string): Promise<void> {
  const { options } = (await service.get(`field/${fieldId}`)).json.data.attributes as { options: { id: number; label: string }[] }
  const kept = labels.filter(({ removed }) => !removed)
  const wishes = kept.map(({ label }) => ({ label, id: options.find((option) => option.label === first(label))!.id }))
  const answer = await service.change('field', fieldId, { options: wishes })
  assert.equal(answer.status, 200, answer.text)
}
