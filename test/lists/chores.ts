import { setTimeout as sleep } from 'node:timers/promises'
import { write as written, type Question } from '../support/oracle/answer.ts'
import { Cut } from './nodes.ts'
import { STAGES } from './table.ts'
import { note, type Writing } from './writers.ts'

/* What administrators do to the table while lists are asked. */

export interface Chores extends Writing {
  /** The rule of the reader's group: those that held, newest last. */
  readonly rules: Question[]
  readonly access: string
  /** Another one. */
  nextRule(): Question
  readonly login: { readonly login: string; readonly password: string }
  readonly reader: { token: string }
}

/** Milliseconds between two chores, and that a job may take. */
const PAUSE = 60
const ENDED = 120_000
const IMPORTED = 250

export async function doChores(chores: Chores): Promise<void> {
  const { gate, random, stopped, done, refused } = chores
  for (let left = [...all]; !stopped.now; await sleep(PAUSE)) {
    if (left.length === 0) left = [...all]
    const [chore] = left.splice(random.int(left.length), 1)
    await gate.through(async () => {
      try {
        await chore!(chores)
        note(done, chore!.name)
      } catch (error) {
        if (error instanceof Cut) note(refused, 'chore cut short')
        else note(refused, `${chore!.name}: ${String(error).slice(0, 200)}`)
      }
    })
  }
}

async function must({ nodes }: Writing, method: string, path: string, data?: object) {
  const { status, body } = await nodes.call(nodes.token, method, path, data && { data })
  if (status >= 400) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(body?.errors?.[0]?.code ?? body)}`)
  return body
}

const patch = (chores: Writing, type: string, id: string, attributes: object, query = '') =>
  must(chores, 'PATCH', `${type}/${id}${query}`, { type, id, attributes })

async function jobEnded(chores: Writing, id: string): Promise<void> {
  for (const until = performance.now() + ENDED; ; await sleep(25)) {
    const { state } = (await must(chores, 'GET', `job/${id}`)).data.attributes
    if (state !== 'queued' && state !== 'running') return
    if (performance.now() > until) throw new Error(`the job stays ${state}`)
  }
}

/** Lines of the same kind as other records; about as many records are deleted by a filter. */
async function importLines(chores: Chores): Promise<void> {
  const { nodes, table, random } = chores
  const names = table.columns.filter(({ type }) => ['text', 'longtext', 'integer', 'decimal', 'date', 'boolean', 'phone'].includes(type))
  const fields = names.flatMap(({ name }) => (/^f\d/.test(name) && name !== table.field.marker ? [name] : []))
  const lines = Array.from({ length: IMPORTED }, () => {
    const values = table.all(random)
    return JSON.stringify(Object.fromEntries(fields.map((name) => [name, values[name] ?? 'imported'])))
  })
  const { data } = await must(chores, 'POST', 'job', { type: 'job', attributes: { kind: 'import', table_id: table.id } })
  const status = await nodes.put(nodes.token, `job/${data.id}/file`, `${lines.join('\n')}\n`)
  if (status !== 200) throw new Error(`the file: ${status}`)
  await patch(chores, 'job', data.id, { input: { file_name: 'a.jsonl', columns: fields.map((field) => ({ field })) } })
  await must(chores, 'POST', `job/${data.id}/run`)
  await jobEnded(chores, data.id)
  const { meta } = await must(chores, 'GET', `${table.type}?page[limit]=1`)
  if (meta.total > 12_000) await deleteMatching(chores, meta.total - 12_000)
}

async function deleteMatching(chores: Chores, count: number): Promise<void> {
  const { table, random, ids, deleted } = chores
  const from = random.int(Math.max(1, ids.length - count))
  const some = ids.splice(from, Math.min(count, 600))
  await must(chores, 'DELETE', `${table.type}?filter=${encodeURIComponent(`in(id,${some.join()})`)}`)
  deleted.push(...some)
  if (deleted.length > 2_000) deleted.splice(0, 1_000)
}

async function convertNumbers(chores: Chores): Promise<void> {
  const { table, random } = chores
  const id = table.field.flipped.slice(1)
  const { field_type } = (await must(chores, 'GET', `field/${id}`)).data.attributes
  const to = field_type === 'integer' ? { field_type: 'decimal', scale: 2 } : { field_type: 'integer' }
  await convert(chores, id, to, random.percent(50))
}

async function convertTexts(chores: Chores): Promise<void> {
  const { table, random } = chores
  const id = table.field.stretched.slice(1)
  const { field_type } = (await must(chores, 'GET', `field/${id}`)).data.attributes
  await convert(chores, id, { field_type: field_type === 'text' ? 'longtext' : 'text' }, random.percent(50))
}

async function convert(chores: Chores, id: string, to: object, asJob: boolean): Promise<void> {
  const { data } = await patch(chores, 'field', id, to, `?convertMode=lossy${asJob ? '&asJob=true' : ''}`)
  if (data.type === 'job') await jobEnded(chores, data.id)
}

async function renameOptions(chores: Chores): Promise<void> {
  const { table, random } = chores
  const id = table.field.stage.slice(1)
  const { options } = (await must(chores, 'GET', `field/${id}`)).data.attributes as { options: { id: number; label: string }[] }
  const turned = random.int(STAGES.length)
  const labels = [...STAGES.slice(turned), ...STAGES.slice(0, turned)]
  await patch(chores, 'field', id, { options: options.map((option, i) => ({ id: option.id, label: labels[i]! })) })
}

/**
 * A field that is made, filled, sorted by, deleted, restored, and in the end erased. It holds no words, since the searches of others look through it
 * too, and it stays where the chore is cut short.
 */
async function makeAndEraseField(chores: Chores): Promise<void> {
  const { table, random, ids, nodes } = chores
  const attributes = { table_id: table.id, field_name: `Extra ${random.int(1e9)}`, field_type: random.pick(['longtext', 'text']) }
  const { data } = await must(chores, 'POST', 'field', { type: 'field', attributes })
  const filter = encodeURIComponent(`in(id,${Array.from({ length: 50 }, () => random.pick(ids)).join()})`)
  await must(chores, 'PATCH', `${table.type}?filter=${filter}`, {
    type: table.type,
    attributes: { [`f${data.id}`]: '!?' },
  })
  const { body } = await nodes.call(nodes.token, 'GET', `${table.type}?sort=-f${data.id}&filter=not(is_empty(f${data.id}))`)
  if (!(body.meta.total > 0)) throw new Error('nothing is in the new field')
  await must(chores, 'DELETE', `field/${data.id}`)
  const entry = async () =>
    (await must(chores, 'GET', `trash?sort=-id&filter=${encodeURIComponent(`and(eq(kind,'field'),eq(item_id,${data.id}))`)}`)).data[0].id
  await must(chores, 'POST', `trash/${await entry()}/restore`)
  await must(chores, 'DELETE', `field/${data.id}`)
  await must(chores, 'DELETE', `trash/${await entry()}`)
}

async function renameField(chores: Chores): Promise<void> {
  const { table, random } = chores
  await patch(chores, 'field', table.field.flipped.slice(1), { field_name: `flipped ${random.int(1e6)}` })
}

async function buildOrDropIndex(chores: Chores): Promise<void> {
  const { table, random } = chores
  const column = random.pick(
    table.columns.filter(
      ({ type, name }) => /^f\d/.test(name) && ['text', 'integer', 'decimal', 'date', 'datetime', 'email', 'list'].includes(type),
    ),
  )
  const kind = column.type === 'text' && random.percent(60) ? 'text' : 'order'
  const filter = `and(eq(table_id,${table.id}),eq(attribute,'${column.name}'),eq(kind,'${kind}'))`
  const known = (await must(chores, 'GET', `index?filter=${encodeURIComponent(filter)}`)).data[0]
  const wish = random.pick(['pinned', 'forbidden', 'auto'])
  if (known) await patch(chores, 'index', known.id, { wish })
  else
    await must(chores, 'POST', 'index', { type: 'index', attributes: { table_id: table.id, attribute: column.name, kind, wish: 'pinned' } })
}

async function changeRule(chores: Chores): Promise<void> {
  const rule = chores.nextRule()
  chores.rules.push(rule)
  await patch(chores, 'access', chores.access, { read_filter: written(rule) })
}

/** The reader signs in again. */
async function signIn({ nodes, login, reader }: Chores): Promise<void> {
  const { status, body } = await nodes.call('', 'POST', 'token', { data: { type: 'token', attributes: login } })
  if (status !== 201) throw new Error(`sign-in: ${status}`)
  reader.token = body.data.attributes.token
}

/** Records that are in the trash go for good. */
async function eraseRecords(chores: Chores): Promise<void> {
  const { data } = await must(chores, 'GET', `trash?page[limit]=10&filter=${encodeURIComponent("eq(kind,'record')")}`)
  for (const { id } of data) await chores.nodes.call(chores.nodes.token, 'DELETE', `trash/${id}`)
}

const all: readonly ((chores: Chores) => Promise<void>)[] = [
  importLines,
  importLines,
  convertNumbers,
  convertTexts,
  renameOptions,
  makeAndEraseField,
  renameField,
  buildOrDropIndex,
  buildOrDropIndex,
  buildOrDropIndex,
  changeRule,
  changeRule,
  signIn,
  eraseRecords,
]
