import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { ATOMIC_TYPE } from '../../../src/http/answers/jsonapi.ts'
import { cluster } from '../../support/scratch-database.ts'
import { programOfRun, type Server } from '../../support/scratch-program.ts'

const RECORDS = 4_000

describe('a conversion', () => {
  it('goes on behind its last step when its server is killed, before and after the swap', { timeout: 180_000 }, async (context) => {
    const program = await programOfRun()
    try {
      const token = await program.token()
      let server: Server = await program.serve()
      const call = async (method: string, path: string, body?: object, headers = {}) => server.call(token, method, path, body, headers)
      const add = async (type: string, attributes: object) => (await call('POST', type, { data: { type, attributes } })).body.data.id
      const table = await add('table', { table_name: 'Deals' })
      const type = `data${table}`
      const field = await add('field', { table_id: Number(table), field_name: 'Count', field_type: 'text' })
      const operation = (i: number) => ({ op: 'add', data: { type, attributes: { [`f${field}`]: String(i + 1) } } })
      for (let made = 0; made < RECORDS; made += 1_000) {
        const operations = { 'atomic:operations': Array.from({ length: 1_000 }, (_, i) => operation(made + i)) }
        assert.equal((await call('POST', 'operations', operations, { 'Content-Type': ATOMIC_TYPE })).status, 200)
      }
      const attributes = { field_type: 'integer' }
      const asked = await call('PATCH', `field/${field}?asJob=true`, { data: { type: 'field', id: field, attributes } })
      assert.equal(asked.status, 202)
      const look = async () => (await call('GET', `job/${asked.body.data.id}`)).body.data.attributes
      const kills: number[] = []
      let seen = 0
      for (let now = await look(); now.state !== 'done'; now = await look()) {
        assert.ok(['queued', 'running'].includes(now.state), JSON.stringify(now))
        assert.ok(now.done >= seen, 'it never goes back')
        seen = now.done
        if ((kills.length === 0 && seen > 0) || (kills.length === 1 && seen > RECORDS)) {
          await server.stop('SIGKILL')
          kills.push(seen)
          server = await program.serve()
        }
        await sleep(cluster === undefined ? 2 : 10)
      }
      context.diagnostic(`killed after ${kills.join(' and ')} of ${2 * RECORDS} steps or before`)
      assert.ok(kills.length > 0)
      const { result, batch_id: batch } = await look()
      assert.deepEqual(result, { batch_id: batch, converted: true, records: RECORDS, lost: 0, examples: [] })
      const totalOf = async (path: string) => (await call('GET', path)).body.meta.total
      assert.equal(await totalOf(`${type}?filter=between(f${field},1,${RECORDS})`), RECORDS)
      // Each record was converted once, and all in one batch, with the change of the field.
      assert.equal(await totalOf(`change?filter=and(eq(table_id,${table}),eq(action,'convert'))`), RECORDS)
      assert.equal(await totalOf(`change?filter=eq(batch_id,${batch})`), RECORDS + 1)
      await server.stop('SIGTERM')
      assert.equal((await program.run('check')).code, 0)
    } finally {
      await program.remove()
    }
  })
})
