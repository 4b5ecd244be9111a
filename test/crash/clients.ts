import type { Answer, Server } from '../support/scratch-program.ts'
import { fixed, newEntry, sent, type Entry, type Shape, type State } from './ledger.ts'
import type { Random } from '../support/random.ts'

/** Records a client keeps, live and in the trash, at most. */
const LIVE_MOST = 12
const TRASH_MOST = 6

/** One of those who write at once, with records of its own. */
export interface Client {
  readonly name: string
  readonly entries: Entry[]
  made: number
}

export interface Storm {
  readonly server: Server
  readonly token: string
  readonly shape: Shape
  readonly random: Random
  /** Whether the server has been killed; until then it must answer. */
  killed: boolean
  /** Writes acknowledged so far. */
  answered: number
}

/** What a verification needs of it. */
export type Calm = Pick<Storm, 'server' | 'token' | 'shape' | 'random'>

/** Writes until the server is gone. @throws where an answer is not the one it should be. */
export async function writeUntilKilled(storm: Storm, client: Client): Promise<void> {
  while (await writeOnce(storm, client));
}

async function writeOnce(storm: Storm, client: Client): Promise<boolean> {
  const { random } = storm
  const live = client.entries.filter(({ known }) => typeof known === 'number')
  const trash = client.entries.filter(({ known }) => known === 'trash')
  const dice = random.int(10)
  if (trash.length > TRASH_MOST || (dice === 0 && trash.length > 0)) return leaveTrash(storm, random.pick(trash))
  if (live.length === 0 || (dice < 5 && live.length < LIVE_MOST)) return create(storm, client)
  return dice < 8 ? change(storm, random.pick(live)) : remove(storm, random.pick(live))
}

function create(storm: Storm, client: Client): Promise<boolean> {
  const entry = newEntry(`${client.name}-${++client.made}`)
  if (storm.random.int(2) === 0) entry.key = `key of ${entry.marker}`
  client.entries.push(entry)
  return write(storm, entry, 1, 201, sendCreate(storm, entry))
}

/** The request that creates it, each time the same. */
export const sendCreate = ({ server, token, shape }: Calm, { marker, key }: Entry): Promise<Answer> =>
  server.call(
    token,
    'POST',
    shape.type,
    { data: { type: shape.type, attributes: sent(shape, marker, 1) } },
    key === undefined ? {} : { 'Idempotency-Key': key },
  )

function change(storm: Storm, entry: Entry): Promise<boolean> {
  const { server, token, shape } = storm
  const { type, fields } = shape
  const next = entry.revision + 1
  const { [fields.marker]: _, ...attributes } = sent(shape, entry.marker, next)
  const body = { data: { type, id: entry.id, attributes } }
  return write(storm, entry, next, 200, server.call(token, 'PATCH', `${type}/${entry.id}`, body))
}

const remove = (storm: Storm, entry: Entry): Promise<boolean> =>
  write(storm, entry, 'trash', 200, storm.server.call(storm.token, 'DELETE', `${storm.shape.type}/${entry.id}`))

/** Restores or erases it. */
async function leaveTrash(storm: Storm, entry: Entry): Promise<boolean> {
  const { server, token, shape, random } = storm
  const path = await inTrash(storm, `and(eq(kind,'record'),eq(table_id,${shape.table}),eq(item_id,${entry.id}))`)
  if (path === undefined) return false
  return random.int(2) === 0
    ? write(storm, entry, entry.revision, 200, server.call(token, 'POST', `${path}/restore`))
    : write(storm, entry, 'nowhere', 200, server.call(token, 'DELETE', path))
}

/** The path of the one thing in the trash that matches; undefined where the server was killed. */
export async function inTrash(storm: Storm, filter: string): Promise<string | undefined> {
  const found = await unlessKilled(storm, storm.server.call(storm.token, 'GET', `trash?filter=${encodeURIComponent(filter)}`))
  if (!found) return undefined
  must(found, 200)
  return `trash/${found.body.data[0].id}`
}

/** A write that makes the entry what it is asked to be; false where the server was killed before it answered. */
export async function write(storm: Storm, entry: Entry, asked: State, status: number, answered: Promise<Answer>): Promise<boolean> {
  entry.asked = asked
  const answer = await unlessKilled(storm, answered)
  if (!answer) return false
  // Fields came and went too often meanwhile: the client is told to try again, and nothing was done.
  if (answer.body.errors?.[0].code === 'server.structure_changing') {
    entry.asked = undefined
    return true
  }
  must(answer, status)
  storm.answered++
  settle(entry, asked)
  entry.tag = answer.headers.get('etag') ?? undefined
  if (status === 201) {
    const { id, type, attributes } = answer.body.data
    entry.id = id
    entry.answer = JSON.stringify(answer.body)
    if (type === storm.shape.type) entry.fixed = fixed(storm.shape, attributes)
  }
  return true
}

export function settle(entry: Entry, state: State): void {
  entry.known = state
  entry.asked = undefined
  if (typeof state === 'number') entry.revision = state
}

/** Whatever breaks a connection here is the kill: a server that lives answers. */
async function unlessKilled(storm: Storm, answer: Promise<Answer>): Promise<Answer | undefined> {
  try {
    const answered = await answer
    // With its database gone, the server may say so before it is killed itself.
    return storm.killed && answered.status >= 500 ? undefined : answered
  } catch (error) {
    if (!storm.killed) throw error
    return undefined
  }
}

function must({ status, body }: Answer, wanted: number): void {
  if (status !== wanted) throw new Error(`${status} instead of ${wanted}: ${JSON.stringify(body)}`)
}
