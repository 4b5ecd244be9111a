import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { makeTable, type Table } from '../support/scene.ts'
import { startNodes, type Service } from '../support/service.ts'

describe('upserts of two nodes over one database', () => {
  let close: () => Promise<void>
  let nodes: Service[]
  let table: Table
  before(async () => {
    ;({ nodes, close } = await startNodes(2))
    table = await makeTable(nodes[0]!, 'Things', { code: { field_type: 'text', unique: true }, name: 'text' })
  })
  after(() => close?.())

  const upsert = (node: Service, code: string, name: string) =>
    node.add(table.type, { [table.f['code']!]: code, [table.f['name']!]: name }, undefined, `${table.type}?upsertBy=${table.f['code']}`)

  it('of the same new value make one record: one node creates it, the others change it', async () => {
    for (let round = 0; round < 15; round++) {
      const answers = await Promise.all(Array.from({ length: 8 }, (_, i) => upsert(nodes[i % 2]!, `round ${round}`, String(i))))
      const statuses = answers.map(({ status, text }) => (status < 300 ? String(status) : text))
      assert.deepEqual(statuses.sort(), [...Array.from({ length: 7 }, () => '200'), '201'])
      assert.equal(new Set(answers.map(({ json }) => json.data.id)).size, 1)
    }
    assert.equal((await nodes[0]!.get(table.type)).json.meta.total, 15)
  })

  it('go on while the record is deleted, and while its value changes', async () => {
    const { f } = table
    for (let round = 0; round < 15; round++) {
      const code = `moving ${round}`
      const { id } = (await upsert(nodes[0]!, code, 'first')).json.data
      const moved = `${code} moved`
      const [answer] = await Promise.all([
        upsert(nodes[1]!, code, 'second'),
        round % 2 === 0 ? nodes[0]!.remove(`${table.type}/${id}`) : nodes[0]!.change(table.type, id, { [f['code']!]: moved }),
      ])
      assert.ok([200, 201].includes(answer!.status), answer!.text)
      const filter = encodeURIComponent(`in(${f['code']},'${code}','${moved}')`)
      const left = (await nodes[0]!.get(`${table.type}?filter=${filter}`)).json.data as { id: string; attributes: Record<string, string> }[]
      const codes = left.map((one) => one.attributes[f['code']!])
      // A new record, or the old one before it went: never the old one with its value taken back.
      if (answer!.status === 201) assert.ok(left.some((one) => one.id !== id && one.attributes[f['code']!] === code))
      else assert.deepEqual(codes, round % 2 === 0 ? [] : [moved])
      for (const one of left) if (one.id === id) assert.equal(one.attributes[f['code']!], moved)
    }
  })
})
