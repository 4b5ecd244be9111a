import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { until } from '../support/until.ts'
import { programOfRun, type ScratchProgram, type Server } from '../support/scratch-program.ts'

const STREAMS = 20
/** More than an import writes in the thread that serves. */
const LINES = 2_500
/** Milliseconds after which a server that was told to stop is late: it waits for no client. */
const SOON = 20_000

interface Stream {
  /** Ids of the events so far. */
  ids(): string[]
  lastId(): string
  /** Whether the answer is complete: a chunk without bytes ended it. */
  isComplete(): boolean
  /** Resolves when the server has closed the connection; with the error where it did so abruptly. */
  readonly closed: Promise<Error | undefined>
  isClosed(): boolean
  destroy(): void
}

describe('streams of events of the program', () => {
  let program: ScratchProgram
  let server: Server
  let token: string
  before(async () => {
    program = await programOfRun()
    server = await program.serve()
    token = await program.token()
    await program.ok('table', 'create', 'Deals')
    await program.ok('field', 'create', 'Deals', 'Title', 'text')
  })
  after(() => program.remove())

  const create = (title: string) => server.call(token, 'POST', 'data1', { data: { type: 'data1', attributes: { f1: title } } })

  /** A client over a plain connection, which sees how the answer ends. */
  async function listen(by: string, last = ''): Promise<Stream> {
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
    let text = ''
    let error: Error | undefined
    let isClosed = false
    socket.setEncoding('utf8').on('data', (some: string) => (text += some))
    socket.on('error', (one) => (error = one))
    const closed = once(socket, 'close').then(() => {
      isClosed = true
      return error
    })
    const header = last === '' ? '' : `Last-Event-ID: ${last}\r\n`
    socket.write(`GET /api/dev/events?tables=1 HTTP/1.1\r\nHost: x\r\nX-Auth-Token: ${by}\r\n${header}\r\n`)
    await until('the stream has begun', () => text.includes('retry:') || isClosed)
    assert.match(text, /^HTTP\/1\.1 200 /)
    return {
      ids: () => [...text.matchAll(/event: change\nid: (\d+)\n/g)].map(([, id]) => id!),
      lastId: () => [...text.matchAll(/^id: (\d+)$/gm)].at(-1)![1]!,
      isComplete: () => text.endsWith('\r\n0\r\n\r\n'),
      closed,
      isClosed: () => isClosed,
      destroy: () => socket.destroy(),
    }
  }

  /** The changes of the table from a cursor on. */
  async function changesAfter(cursor: string): Promise<string[]> {
    const ids: string[] = []
    for (let at = cursor; ;) {
      const { body } = await server.call(token, 'GET', `change?filter=eq(table_id,1)&page[after]=${at}&page[limit]=50`)
      ids.push(...body.data.map(({ id }: { id: string }) => id))
      at = body.meta.cursor
      if (!body.meta.more) return ids
    }
  }

  it('end in order at SIGTERM while others write, the process ends soon, and who comes back misses nothing', async () => {
    const streams = await Promise.all(Array.from({ length: STREAMS }, () => listen(token)))
    const start = streams[0]!.lastId()
    let made = 0
    const writing = (async () => {
      for (;;) {
        const status = await create(`Deal ${made}`).then(
          (answer) => answer.status,
          () => 0,
        )
        if (status !== 201) return
        made++
      }
    })()
    await until('events come', () => streams.every((one) => one.ids().length > 3))
    const ended = server.stop('SIGTERM')
    const first = await Promise.race([ended, sleep(SOON, undefined, { ref: false })])
    assert.ok(first, 'the process goes on')
    assert.deepEqual([first.code, first.signal, first.err], [0, null, ''])
    await writing
    for (const one of streams) {
      assert.equal(await one.closed, undefined)
      assert.ok(one.isComplete())
    }

    server = await program.serve()
    assert.equal((await create('after the stop')).status, 201)
    let expected: string[] = []
    await until('all can be followed', async () => (expected = await changesAfter(start)).length > made)
    const again = await Promise.all(streams.map((one) => listen(token, one.lastId())))
    for (const [i, one] of again.entries()) {
      const seen = () => [...streams[i]!.ids(), ...one.ids()]
      await until('the rest comes', () => seen().length >= expected.length)
      assert.deepEqual(seen(), expected)
      one.destroy()
    }
  })

  // On SQLite another thread of the server writes the lines, over PostgreSQL another process.
  it('have all that an import writes, in the order of the log', async () => {
    const stream = await listen(token)
    const lines = Array.from({ length: LINES }, (_, i) => `Imported ${i}`).join('\n')
    await program.ok('import', 'Deals', program.file('deals.csv', `Title\n${lines}\n`))
    await until('all have come', () => stream.ids().length >= LINES)
    assert.deepEqual(stream.ids(), await changesAfter(String(Number(stream.ids()[0]) - 1)))
    assert.equal(stream.ids().length, LINES)
    stream.destroy()
  })

  it('end in order when their token is revoked; with another token the client goes on where it was', async () => {
    const other = (await program.ok('token', 'create', '--login', 'admin')).trim()
    const [stream, witness] = [await listen(other), await listen(token)]
    await create('seen by both')
    await until('the event comes', () => stream.ids().length === 1)
    const { body } = await server.call(other, 'GET', 'token?sort=-id&page[limit]=1')
    assert.equal((await server.call(token, 'DELETE', `token/${body.data[0].id}`)).status, 200)
    await create('not for the revoked token')
    await until('it has ended', () => stream.isComplete() || stream.isClosed())
    assert.ok(stream.isComplete())
    assert.equal(stream.ids().length, 1)
    const back = await listen(token, stream.lastId())
    await until('both have all', () => witness.ids().length === 2 && back.ids().length === 1)
    assert.deepEqual([...stream.ids(), ...back.ids()], witness.ids())
    for (const one of [stream, witness, back]) one.destroy()
  })

  it('end in order when their token expires', async () => {
    const { body } = await server.call(token, 'POST', 'user', {
      data: { type: 'user', attributes: { login: 'mira', fio: 'Mira', password: 'long enough for her', group_id: 1 } },
    })
    assert.equal(body.data.attributes.login, 'mira')
    const signedIn = await fetch(`${server.url}/api/dev/token`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/vnd.api+json' },
      body: JSON.stringify({ data: { type: 'token', attributes: { login: 'mira', password: 'long enough for her', lifetime: 3 } } }),
    })
    const brief = ((await signedIn.json()) as { data: { attributes: { token: string } } }).data.attributes.token
    const stream = await listen(brief)
    await sleep(3_500)
    await create('too late for it')
    await until('it has ended', () => stream.isComplete() || stream.isClosed())
    assert.ok(stream.isComplete())
    assert.deepEqual(stream.ids(), [])
    const back = await listen(token, stream.lastId())
    await until('nothing is missed', () => back.ids().length === 1)
    for (const one of [stream, back]) one.destroy()
  })
})
