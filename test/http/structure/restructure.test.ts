import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { startService } from '../../support/service.ts'

describe('a structure that changes under requests', () => {
  it('gives right answers or refusals, never a fault, and loses nothing', async () => {
    const server = await startService()
    const tableId = await server.make('table', { table_name: 'Companies' })
    const field = (field_type: string, more: object = {}) =>
      server.make('field', { table_id: Number(tableId), field_name: field_type, field_type, ...more })
    const steady = await field('text')
    const moving = await field('text')
    const seen = new Map<number, number>()
    const made: string[] = []
    let running = true
    const count = ({ status }: { status: number }) => seen.set(status, (seen.get(status) ?? 0) + 1)

    const writer = async (n: number) => {
      for (let i = 0; running; i++) {
        const answer = await server.add(`data${tableId}`, { [`f${steady}`]: `${n}-${i}`, [`f${moving}`]: '7' })
        count(answer)
        if (answer.status !== 201) continue
        made.push(answer.json.data.id)
        count(await server.change(`data${tableId}`, answer.json.data.id, { [`f${steady}`]: `${n}-${i}!` }))
      }
    }
    const reader = async () => {
      while (running) {
        const answer = await server.get(`data${tableId}?filter=contains(f${moving},'7')&sort=f${moving}`)
        count(answer)
        for (const { attributes } of answer.json.data ?? [])
          assert.ok(['7', '7.00'].includes(attributes[`f${moving}`]), attributes[`f${moving}`])
      }
    }
    const requests = [writer(1), writer(2), reader()]
    for (const change of [
      { field_type: 'integer' },
      { field_type: 'decimal' },
      { field_type: 'text' },
      { field_type: 'longtext' },
      { field_type: 'integer' },
    ]) {
      const answer = await server.change('field', moving, change, undefined, '?convertMode=lossy')
      assert.equal(answer.status, 200, JSON.stringify(answer.json))
      const added = await field('autonumber')
      assert.equal((await server.remove(`field/${added}`)).status, 200)
    }
    assert.equal((await server.remove(`field/${moving}`)).status, 200)
    while ((seen.get(201) ?? 0) <= 5) await setTimeout(5)
    running = false
    await Promise.all(requests)

    assert.deepEqual(
      [...seen.keys()].filter((status) => ![200, 201, 400].includes(status)),
      [],
      JSON.stringify([...seen]),
    )
    assert.ok(seen.get(201)! > 5, JSON.stringify([...seen]))
    const { json } = await server.get(`data${tableId}?filter=ends_with(f${steady},'!')`)
    assert.equal(json.meta.total, made.length)
    const [counted] = await server.store.db.read(server.store.positions.total(Number(tableId)))
    assert.equal(counted![0]![0], made.length)
    await server.close()
  })
})
