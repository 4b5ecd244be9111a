import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { ATOMIC_TYPE } from '../../../src/http/answers/jsonapi.ts'
import { cluster } from '../../support/scratch-database.ts'
import { programOfRun, type Server } from '../../support/scratch-program.ts'

const RECORDS = 2_000

describe('jobs', () => {
  it('go on behind their last step when their server is killed, in the next one or in another', { timeout: 180_000 }, async (context) => {
    const program = await programOfRun()
    try {
      const token = await program.token()
      let server: Server = await program.serve()
      // Over PostgreSQL, another process takes over.
      const other = cluster === undefined ? undefined : await program.serve()
      const add = async (type: string, attributes: object) =>
        (await server.call(token, 'POST', type, { data: { type, attributes } })).body.data.id
      const table = await add('table', { table_name: 'Deals' })
      const type = `data${table}`
      const count = `f${await add('field', { table_id: Number(table), field_name: 'Count', field_type: 'integer' })}`
      const operation = { op: 'add', data: { type, attributes: { [count]: 1 } } }
      const headers = { 'Content-Type': ATOMIC_TYPE }
      const operations = { 'atomic:operations': Array.from({ length: 1_000 }, () => operation) }
      for (let made = 0; made < RECORDS; made += 1_000)
        assert.equal((await server.call(token, 'POST', 'operations', operations, headers)).status, 200)
      const input = { action: 'update', filter: `gte(${count},1)`, attributes: { [count]: 2 } }
      const job = `job/${await add('job', { kind: 'bulk', table_id: Number(table), input })}`
      const look = async () => (await server.call(token, 'GET', job)).body.data.attributes
      let kills = 0
      let seen = 0
      for (let now = await look(); now.state !== 'done'; now = await look()) {
        assert.ok(['queued', 'running'].includes(now.state), JSON.stringify(now))
        assert.ok(now.done >= seen, 'it never goes back')
        seen = now.done
        if (kills === 0 && seen > 0) {
          await server.stop('SIGKILL')
          kills++
          server = other ?? (await program.serve())
        }
        await sleep(kills > 0 && other ? 100 : 3)
      }
      assert.equal(kills, 1)
      context.diagnostic(`killed after ${seen} of ${RECORDS} records or before`)
      const { result, batch_id: batch } = await look()
      assert.deepEqual(result, { batch_id: batch, records: RECORDS, refused: 0, left_out: 0, listed: [] })
      const totalOf = async (path: string) => (await server.call(token, 'GET', path)).body.meta.total
      assert.equal(await totalOf(`${type}?filter=eq(${count},2)`), RECORDS)
      // Each record was changed once, and all in one batch.
      assert.equal(await totalOf(`change?filter=and(eq(table_id,${table}),eq(action,'update'))`), RECORDS)
      assert.equal(await totalOf(`change?filter=eq(batch_id,${batch})`), RECORDS)
    } finally {
      await program.remove()
    }
  })
})
