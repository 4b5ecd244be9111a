import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, it } from 'node:test'
import { startBucket, type TestBucket } from '../support/bucket.ts'
import { scratchDatabase } from '../support/scratch-database.ts'
import { scratchProgram, type ScratchProgram } from '../support/scratch-program.ts'

let bucket: TestBucket
let programs: ScratchProgram[]
let drop: () => Promise<void>
before(async () => {
  bucket = await startBucket()
  const database = await scratchDatabase()
  drop = database.drop
  // Each with a data directory of its own, as on two machines.
  programs = [1, 2].map(() => scratchProgram({ KARTOTEKA_DATABASE_URL: database.url, ...bucket.environment }))
})
after(async () => {
  for (const program of programs) await program.remove()
  await bucket.close()
  await drop()
})

it('of two processes that have nothing in common but the database and the bucket, one uploads and the other serves', async () => {
  const [first, second] = programs as [ScratchProgram, ScratchProgram]
  const token = await first.token()
  const table = Number((await first.ok('table', 'create', 'Papers')).match(/\d+/)![0])
  await first.ok('field', 'create', 'Papers', 'Papers', 'file')
  const [here, there] = await Promise.all([first.serve(), second.serve()])
  const id = (await here.call(token, 'POST', `data${table}`, { data: { type: `data${table}`, attributes: {} } })).body.data.id
  const at = `/api/dev/file/${table}/f1/${id}/a.bin`
  const headers = { 'X-Auth-Token': token }
  const bytes = randomBytes(2_000_000)
  const stored = await fetch(here.url + at, { method: 'PUT', headers, body: bytes })
  assert.equal(stored.status, 201, await stored.text())
  const read = await fetch(there.url + at, { headers: { ...headers, Range: 'bytes=1000000-' } })
  assert.deepEqual([read.status, Buffer.from(await read.arrayBuffer())], [206, bytes.subarray(1_000_000)])
  assert.equal((await fetch(`${there.url}/readyz`)).status, 200)
  assert.equal(await second.ok('check'), 'Everything is in order.\n')
  await Promise.all([here.stop(), there.stop()])
})
