import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { servedProgram, type ScratchProgram, type Server } from '../../support/scratch-program.ts'

const LINES = 3_000
const text = `number,name\n${Array.from({ length: LINES }, (_, i) => (i % 1_000 === 999 ? `${i},${'x'.repeat(300)}` : `${i},name ${i}`)).join('\n')}\n`

describe('imports over HTTP whose process is killed', () => {
  let program: ScratchProgram
  let server: Server
  let token: string
  let table: string
  before(async () => {
    ;({ program, server, token } = await servedProgram())
  })
  after(() => program.remove())

  const send = (method: string, path: string, body?: unknown) => server.call(token, method, path, body)
  const job = async (id: string) => (await send('GET', `job/${id}`)).body.data.attributes
  const open = (state: string) => state === 'queued' || state === 'running'
  async function upload(attributes: object, file = text): Promise<string> {
    const made = await send('POST', 'job', { data: { type: 'job', attributes: { kind: 'import', ...attributes } } })
    assert.equal(made.status, 202, JSON.stringify(made.body))
    const { id } = made.body.data
    const headers = { 'X-Auth-Token': token, 'Content-Type': 'text/csv' }
    assert.equal((await fetch(`${server.url}/api/dev/job/${id}/file`, { method: 'PUT', headers, body: file })).status, 200)
    return id
  }
  async function begun(id: string): Promise<void> {
    assert.equal((await send('POST', `job/${id}/run`)).status, 202)
    for (;;) {
      const { state, done, error } = await job(id)
      assert.ok(open(state), `${state} ${JSON.stringify(error)}`)
      if (done > 0) return
      await sleep(2)
    }
  }
  async function ended(id: string) {
    for (;;) {
      const found = await job(id)
      if (!open(found.state)) return found
      await sleep(20)
    }
  }

  /** To its end: one request has a limited time. */
  async function undo(batch: number): Promise<void> {
    for (let isDone = false; !isDone;) {
      const { status, body } = await send('POST', `batch/${batch}/undo`)
      assert.deepEqual([status, body.meta?.conflicts], [200, 0], JSON.stringify(body))
      isDone = body.meta.done
    }
  }

  it('go on behind the last line that was committed: each line is there once', async () => {
    const id = await upload({
      input: { table_name: 'Many', columns: [{ create: { type: 'integer', unique: false } }, { create: { type: 'text' } }] },
    })
    await begun(id)
    await server.stop('SIGKILL')
    server = await program.serve()
    const { state, result, batch_id: batch, total, done, error } = await ended(id)
    assert.deepEqual([state, error, done], ['done', null, total])
    assert.deepEqual([result.read, result.imported, result.bad, result.listed], [LINES, LINES - 3, 3, 3])
    const exported = (await program.ok('export', 'Many', '--format', 'csv')).trimEnd().split('\n').slice(1)
    table = exported[0]!
    assert.ok(table.includes('name 0'))
    const numbers = exported.map((line) => Number(line.split(',').at(-2)))
    const expected = Array.from({ length: LINES }, (_, i) => i).filter((i) => i % 1_000 !== 999)
    assert.deepEqual(numbers, expected)
    const errors = await (await fetch(`${server.url}/api/dev/job/${id}/errors`, { headers: { 'X-Auth-Token': token } })).text()
    assert.deepEqual(
      errors
        .trimEnd()
        .split('\n')
        .map((line) => line.split(',')[0]),
      ['line', ...Array.from({ length: LINES / 1_000 }, (_, i) => String(i * 1_000 + 1_001))],
    )
    await undo(batch)
    assert.equal(await program.ok('check'), 'Everything is in order.\n')
  })

  it('that change records count each line once', async () => {
    const first = await upload({
      input: { table_name: 'Known', columns: [{ create: { type: 'integer', unique: true } }, { create: { type: 'text' } }] },
    })
    assert.equal((await send('POST', `job/${first}/run`)).status, 202)
    await ended(first)
    const tableId = (await send('GET', "table?filter=eq(table_name,'Known')")).body.data[0].id
    const half = text.replace(/^(\d+),/gm, (_, number) => `${Number(number) + LINES / 2},`)
    const id = await upload({ table_id: Number(tableId), input: { update_by: 'number' } }, half)
    await begun(id)
    await server.stop('SIGKILL')
    server = await program.serve()
    const { state, result, batch_id: batch } = await ended(id)
    assert.deepEqual([state, result.read, result.bad, result.listed], ['done', LINES, 3, 3])
    const known = new Set(Array.from({ length: LINES }, (_, i) => i).filter((i) => i % 1_000 !== 999))
    const sent = Array.from({ length: LINES }, (_, i) => [i, i + LINES / 2] as const).filter(([i]) => i % 1_000 !== 999)
    assert.equal(result.imported, sent.length)
    assert.equal(result.updated, sent.filter(([, number]) => known.has(number)).length)
    await undo(batch)
    assert.equal((await send('GET', `data${tableId}?page[limit]=1`)).body.meta.total, known.size)
    assert.equal(await program.ok('check'), 'Everything is in order.\n')
  })

  it('are interrupted where lines refer to later lines; what was imported can be undone', async () => {
    const lines = Array.from({ length: LINES }, (_, i) => `${i},${Math.min(i + 1, LINES - 1)}`).join('\n')
    const columns = [{ create: { type: 'integer', unique: true } }, { reference: { field: 'number' } }]
    const id = await upload({ input: { table_name: 'Chain', columns } }, `number,next\n${lines}\n`)
    await begun(id)
    await server.stop('SIGKILL')
    server = await program.serve()
    const { state, error, result } = await ended(id)
    assert.deepEqual([state, error.code], ['failed', 'job.interrupted'])
    assert.ok(result.imported > 0 && result.batch_id > 0)
    await undo(result.batch_id)
  })

  it('end where they are cancelled', async () => {
    const many = 20 * LINES
    const id = await upload({ input: { table_name: 'Half' } }, `number,name\n${'1,name\n'.repeat(many)}`)
    await begun(id)
    assert.ok((await send('DELETE', `job/${id}`)).status < 300)
    const { state, result } = await ended(id)
    assert.equal(state, 'cancelled')
    assert.ok(result.imported > 0 && result.imported < many, JSON.stringify(result))
  })
})
