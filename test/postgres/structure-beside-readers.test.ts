import assert from 'node:assert/strict'
import { it } from 'node:test'
import pg from 'pg'
import { scratchDatabase } from '../support/scratch-database.ts'
import { makeTable } from '../support/scene.ts'
import { startNodes } from '../support/service.ts'
import { until } from '../support/until.ts'

/* PostgreSQL gives a table to nobody who comes after a change of structure that waits for somebody who reads it. */

it('lists and writes go on while a change of structure waits for somebody who reads the table for long', async () => {
  const { url, drop } = await scratchDatabase({ isLaidOut: true })
  const { nodes, close } = await startNodes(1, url)
  const service = nodes[0]!
  const reader = new pg.Client(url)
  try {
    const deals = await makeTable(service, 'Deals', { title: 'text' })
    await service.add(deals.type, { [deals.f.title]: 'first' })
    await reader.connect()
    await reader.query(`BEGIN; SELECT count(*) FROM data${deals.id}`)
    let isMade = false
    const making = service.add('field', { table_id: deals.id, field_name: 'Sum', field_type: 'decimal' }).then((answer) => {
      isMade = true
      return answer
    })
    const waits = async () =>
      (await reader.query("SELECT 1 FROM pg_locks WHERE NOT granted AND mode = 'AccessExclusiveLock'")).rows.length > 0
    // Each time while it waits.
    for (let i = 0; i < 4; i++) {
      await until('the change of structure to wait', waits)
      const answers = await Promise.all([
        service.get(`${deals.type}?sort=-id&filter=ne(id,${i + 100})`),
        service.get(`${deals.type}/1`),
        service.add(deals.type, { [deals.f.title]: `more ${i}` }),
      ])
      assert.deepEqual(
        answers.map(({ status }) => status),
        [200, 200, 201],
      )
    }
    assert.equal(isMade, false)
    await reader.query('COMMIT')
    const { status, json } = await making
    assert.equal(status, 201)
    const record = await service.get(`${deals.type}/1`)
    assert.equal(record.json.data.attributes[`f${json.data.id}`], '0.00')
  } finally {
    await reader.end()
    await close()
    await drop()
  }
})
