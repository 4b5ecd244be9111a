import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { startReceiver, type Received } from './receiver.ts'
import type { ScratchProgram, Server } from './scratch-program.ts'

/** Of the servers: receivers are on this machine. */
export const env = { KARTOTEKA_WEBHOOK_HTTP: 'yes', KARTOTEKA_WEBHOOK_NETWORKS: '127.0.0.1' }

/* A webhook of a server that is killed, and its receiver. */

/** A receiver that answers late, wrongly or not at all, and what it said it has taken. */
export async function unreliable(random: { int(below: number): number }) {
  const taken: { change: number; record: number }[] = []
  /** Each change is refused once at most: it is sent again after some seconds then. */
  const refused = new Set<number>()
  const faults = { isOver: false }
  const receiver = await startReceiver((response, one: Received) => {
    const answer = (status: number) => {
      if (status < 300) taken.push(read(one))
      response.writeHead(status).end()
    }
    const { change } = read(one)
    const chance = faults.isOver ? 20 : random.int(20)
    if (chance < 2 && !refused.has(change)) {
      refused.add(change)
      return chance === 0 ? answer(500) : void response.destroy()
    }
    if (chance < 8) return void setTimeout(() => answer(204), random.int(50))
    return answer(204)
  })
  const read = ({ body }: Received) => {
    const { id, attributes } = JSON.parse(body.toString()).data
    return { change: Number(id), record: attributes.record_id as number }
  }
  return { ...receiver, taken, faults }
}

export type Unreliable = Awaited<ReturnType<typeof unreliable>>

/** Makes a table with a webhook. */
export async function begin(program: ScratchProgram, receiver: Unreliable, server: Server) {
  const token = await program.token()
  const make = async (type: string, attributes: object): Promise<string> => {
    const { status, body } = await server.call(token, 'POST', type, { data: { type, attributes } })
    assert.equal(status, 201, JSON.stringify(body))
    return body.data.id
  }
  const table = await make('table', { table_name: 'Deals' })
  const field = `f${await make('field', { table_id: Number(table), field_name: 'Title', field_type: 'text' })}`
  await make('webhook', { url: `http://127.0.0.1:${receiver.port}/`, table_id: Number(table) })
  return { token, type: `data${table}`, field }
}
export type Begun = Awaited<ReturnType<typeof begin>>

/** Writes of a client in one life of the server, at most: a lease of a killed server lasts for seconds, and all of them wait meanwhile. */
const WRITES = 100
/** Milliseconds between two of them. */
const PAUSE = 150

/** Writes until the server is gone, or enough is written. */
export async function write(server: Server, { token, type, field }: Begun, client: number, isOver: () => boolean): Promise<void> {
  let id: string | undefined
  for (let i = 0; i < WRITES && !isOver(); i++) {
    const data = { type, ...(id !== undefined && { id }), attributes: { [field]: `client ${client} write ${i}` } }
    try {
      const { body } = await server.call(token, id === undefined ? 'POST' : 'PATCH', id === undefined ? type : `${type}/${id}`, { data })
      id = i % 10 === 9 ? undefined : body.data.id
      await sleep(PAUSE)
    } catch {
      return
    }
  }
}

/** All changes of the log. */
export async function logged(server: Server, token: string): Promise<{ change: number; record: number }[]> {
  const all: { change: number; record: number }[] = []
  for (let after = ''; ;) {
    const { body } = await server.call(token, 'GET', `change?page[after]=${after}&page[limit]=50`)
    for (const { id, attributes } of body.data) if (attributes.table_id > 0) all.push({ change: Number(id), record: attributes.record_id })
    if (body.meta.cursor === after) return all
    after = body.meta.cursor
  }
}

/** Each change that is in the log was taken, in the order of its record; what was taken again is left aside. */
export function verify(log: readonly { change: number; record: number }[], taken: Unreliable['taken']): void {
  const seen = new Set<number>()
  const first = taken.filter(({ change }) => !seen.has(change) && seen.add(change))
  assert.deepEqual(
    log.filter(({ change }) => !seen.has(change)),
    [],
  )
  const last = new Map<number, number>()
  for (const { change, record } of first) {
    assert.ok(change > (last.get(record) ?? 0), `record ${record}: ${change} after ${last.get(record)}`)
    last.set(record, change)
  }
}
