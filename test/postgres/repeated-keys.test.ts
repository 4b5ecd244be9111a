import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { startNodes, type Service } from '../support/service.ts'

let nodes: Service[]
let close: () => Promise<void>
before(async () => {
  ;({ nodes, close } = await startNodes(2))
})
after(() => close?.())

it('a creation that was answered is answered again, however many repeat it at the same moment, on every process', async () => {
  const table = await nodes[0]!.make('table', { table_name: 'Repeated' })
  const attempt = (key: number, node: Service) =>
    node.send('POST', `/api/dev/data${table}`, {
      headers: { 'Idempotency-Key': `key ${key}` },
      body: { data: { type: `data${table}`, attributes: {} } },
    })
  for (let key = 0; key < 5; key++) {
    const first = await attempt(key, nodes[0]!)
    assert.equal(first.status, 201)
    const repeats = await Promise.all(Array.from({ length: 40 }, (_, i) => attempt(key, nodes[i % 2]!)))
    assert.deepEqual([...new Set(repeats.map(({ status, text }) => `${status} ${text}`))], [`201 ${first.text}`])
  }
  assert.equal((await nodes[1]!.get(`data${table}`)).json.meta.total, 5)
})

it('where all come at once, one creates, and nobody is told of another record', async () => {
  const table = await nodes[0]!.make('table', { table_name: 'At once' })
  const body = { data: { type: `data${table}`, attributes: {} } }
  const sending = { headers: { 'Idempotency-Key': 'once' }, body }
  const answers = await Promise.all(Array.from({ length: 40 }, (_, i) => nodes[i % 2]!.send('POST', `/api/dev/data${table}`, sending)))
  const created = answers.filter(({ status }) => status === 201)
  assert.ok(created.length > 0)
  assert.equal(new Set(created.map(({ text }) => text)).size, 1)
  for (const { status, json } of answers) if (status !== 201) assert.equal(json.errors[0].code, 'idempotency.running')
  assert.equal((await nodes[1]!.get(`data${table}`)).json.meta.total, 1)
})
