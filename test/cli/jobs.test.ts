import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { programOfRun, type ScratchProgram, type Server } from '../support/scratch-program.ts'

describe('commands for jobs', () => {
  let program: ScratchProgram
  let server: Server
  let token: string
  before(async () => {
    program = await programOfRun()
    server = await program.serve()
    token = await program.token()
  })
  after(() => program.remove())

  const rows = async () => JSON.parse((await program.ok('job', 'list', '--json')).trim()) as Record<string, unknown>[]
  const send = (method: string, path: string, body?: unknown) => server.call(token, method, path, body)
  const draft = async (attributes: object): Promise<string> => {
    const { status, body } = await send('POST', 'job', { data: { type: 'job', attributes: { kind: 'import', ...attributes } } })
    assert.equal(status, 202, JSON.stringify(body))
    return body.data.id
  }

  it('list those of all users, and remove a draft', async () => {
    assert.deepEqual(await rows(), [])
    await program.ok('table', 'create', 'Deals')
    const id = await draft({ table_id: 1 })
    const [row] = await rows()
    assert.deepEqual(
      { ...row, made: '' },
      {
        id: Number(id),
        kind: 'import',
        table: 1,
        state: 'draft',
        done: 0,
        total: '',
        user: 1,
        batch: '',
        made: '',
        begun: '',
        ended: '',
        error: '',
      },
    )
    const removed = await program.run('job', 'cancel', id)
    assert.deepEqual([removed.code, removed.out, removed.err], [0, '', `Job ${id} removed.\n`])
    assert.deepEqual(await rows(), [])
    const again = await program.run('job', 'cancel', id)
    assert.deepEqual([again.code, again.err], [2, `kartoteka: There is no job ${id}.\n`])
  })

  it('cancel one that runs: it ends, and what it has done stays', async () => {
    const id = await draft({ input: { table_name: 'Many' } })
    const lines = 500_000
    const headers = { 'X-Auth-Token': token, 'Content-Type': 'text/csv' }
    const file = `Name\n${'one\n'.repeat(lines)}`
    assert.equal((await fetch(`${server.url}/api/dev/job/${id}/file`, { method: 'PUT', headers, body: file })).status, 200)
    assert.equal((await send('POST', `job/${id}/run`)).status, 202)
    const mine = async () => (await rows()).find((row) => row['id'] === Number(id))!
    while (Number((await mine())['done']) === 0) assert.match(String((await mine())['state']), /queued|running/)
    const cancelled = await program.run('job', 'cancel', id)
    assert.deepEqual([cancelled.code, cancelled.err], [0, `Job ${id} ends after its present step.\n`])
    while (/running|cancelling/.test(String((await mine())['state'])));
    const { state, ended } = await mine()
    assert.equal(state, 'cancelled')
    assert.match(String(ended), /^2/)
    const { meta } = (await send('GET', 'data2?page[limit]=1')).body
    assert.ok(meta.total > 0 && meta.total < lines, `${meta.total}`)
    assert.match(await program.ok('audit'), /job_cancelled.*job \d+/)
  })
})
