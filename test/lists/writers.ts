import { setTimeout as sleep } from 'node:timers/promises'
import type { Random } from '../support/random.ts'
import type { Seen } from './judge.ts'
import { Cut, type Nodes } from './nodes.ts'
import type { Gate } from './gate.ts'
import type { ListedTable } from './table.ts'

/* Who writes to the table while lists are asked. */

export interface Writing {
  readonly nodes: Nodes
  readonly table: ListedTable
  readonly gate: Gate
  readonly random: Random
  /** Ids of records that writers and chores may change. */
  readonly ids: string[]
  /** Those that were deleted. */
  readonly deleted: string[]
  readonly done: Map<string, number>
  /** Answers 4xx: what another writer had deleted, mostly. */
  readonly refused: Map<string, number>
  readonly stopped: { now: boolean }
}

export const note = (counts: Map<string, number>, what: string): void => void counts.set(what, (counts.get(what) ?? 0) + 1)

/** Milliseconds between two writes of one writer, at most. */
const PAUSE = 16
const MANY = 40
export const ATOMIC = { 'Content-Type': 'application/vnd.api+json;ext="https://jsonapi.org/ext/atomic"' }

export async function write(writing: Writing): Promise<void> {
  const { gate, random, stopped, done, refused } = writing
  while (!stopped.now) {
    const act = random.pick(acts)
    await gate.through(async () => {
      try {
        const status = await act(writing)
        note(status < 400 ? done : refused, status < 400 ? act.name : `${act.name} ${status}`)
      } catch (error) {
        if (!(error instanceof Cut)) throw error
        note(refused, 'cut short')
      }
    })
    await sleep(random.int(PAUSE))
  }
}

async function create({ nodes, table, random, ids }: Writing): Promise<number> {
  const { type } = table
  const { status, body } = await nodes.call(nodes.token, 'POST', type, { data: { type, attributes: table.all(random) } })
  if (status === 201) ids.push(body.data.id)
  return status
}

async function change({ nodes, table, random, ids }: Writing): Promise<number> {
  const { type } = table
  const id = random.pick(ids)
  return (await nodes.call(nodes.token, 'PATCH', `${type}/${id}`, { data: { type, id, attributes: table.some(random) } })).status
}

async function remove({ nodes, table, random, ids, deleted }: Writing): Promise<number> {
  const [id] = ids.splice(random.int(ids.length), 1)
  const { status } = await nodes.call(nodes.token, 'DELETE', `${table.type}/${id}`)
  if (status < 300) deleted.push(id!)
  return status
}

async function restore({ nodes, random, ids, deleted }: Writing): Promise<number> {
  if (deleted.length === 0) return 404
  const [id] = deleted.splice(random.int(deleted.length), 1)
  const filter = encodeURIComponent(`and(eq(kind,'record'),eq(item_id,${id}))`)
  const { body } = await nodes.call(nodes.token, 'GET', `trash?sort=-id&filter=${filter}`)
  if (!body.data?.[0]) return 404
  const { status } = await nodes.call(nodes.token, 'POST', `trash/${body.data[0].id}/restore`)
  if (status < 300) ids.push(id!)
  return status
}

const several = (random: Random, ids: readonly string[]) => [
  ...new Set(Array.from({ length: 2 + random.int(MANY) }, () => random.pick(ids))),
]

/** Many records in one transaction; at times it is taken back. */
async function changeMany({ nodes, table, random, ids }: Writing): Promise<number> {
  const { type } = table
  const data = several(random, ids).map((id) => ({ type, id, attributes: table.some(random) }))
  const { status, body } = await nodes.call(nodes.token, 'PATCH', type, { data })
  if (status >= 300 || random.percent(60) || !body?.meta?.batch_id) return status
  return (await nodes.call(nodes.token, 'POST', `batch/${body.meta.batch_id}/undo`)).status
}

/** Those that match a filter, in the same way. */
async function changeMatching({ nodes, table, random, ids }: Writing): Promise<number> {
  const { type } = table
  const filter = encodeURIComponent(`in(id,${several(random, ids).join()})`)
  return (await nodes.call(nodes.token, 'PATCH', `${type}?filter=${filter}`, { data: { type, attributes: table.some(random) } })).status
}

async function operate({ nodes, table, random, ids }: Writing): Promise<number> {
  const { type } = table
  const operations = several(random, ids)
    .slice(0, 8)
    .map((id) => ({ op: 'update', data: { type, id, attributes: table.some(random) } }))
  const added = { op: 'add', data: { type, attributes: table.all(random) } }
  const { status } = await nodes.call(nodes.token, 'POST', 'operations', { 'atomic:operations': [...operations, added] }, ATOMIC)
  return status
}

/** Of what references name: filters go along them. */
async function changeReferred({ nodes, table, random }: Writing): Promise<number> {
  const { type, title } = table.referred
  const id = String(1 + random.int(12))
  return (
    await nodes.call(nodes.token, 'PATCH', `${type}/${id}`, { data: { type, id, attributes: { [title]: `Title ${random.int(9)}` } } })
  ).status
}

const often = <T>(times: number, act: T): T[] => Array.from({ length: times }, () => act)
const acts: readonly ((writing: Writing) => Promise<number>)[] = [
  ...often(8, change),
  ...often(3, create),
  ...often(2, remove),
  restore,
  changeMany,
  changeMatching,
  operate,
  changeReferred,
]

/** A list each of whose states is known: what one writer alone adds to and takes from. */
export interface Marked {
  readonly marker: string
  readonly states: (readonly string[])[]
  readonly seen: (Seen & { readonly path: string })[]
}

const COUNTED = 'counted '

/** `all`: a list of its own after each answer that did not come. */
export async function writeMarked(writing: Writing, all: Marked[]): Promise<void> {
  const { nodes, table, gate, random, stopped, done } = writing
  const { type, field } = table
  while (!stopped.now) {
    await gate.through(async () => {
      const { marker, states } = all.at(-1)!
      const now = states.at(-1)!
      try {
        if (now.length > 30 || (now.length > 3 && random.percent(40))) {
          const id = random.pick(now)
          await nodes.call(nodes.token, 'DELETE', `${type}/${id}`)
          states.push(now.filter((one) => one !== id))
        } else {
          const attributes = { [field.marker]: marker }
          const { body } = await nodes.call(nodes.token, 'POST', type, { data: { type, attributes } })
          states.push([...now, body.data.id])
        }
        note(done, 'marked')
      } catch (error) {
        if (!(error instanceof Cut)) throw error
        // Lists that were judged are no longer in `all`, and their records are still there.
        all.push({ marker: `${COUNTED}${Number(marker.slice(COUNTED.length)) + 1}`, states: [[]], seen: [] })
      }
    })
    await sleep(random.int(PAUSE))
  }
}
