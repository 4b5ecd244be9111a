import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { join, name, sql, type Sql } from '../../src/sql/sql.ts'
import { startNodes, type Service } from '../support/service.ts'

/** Of a table, in PostgreSQL. */
const COLUMNS = 1_600
let made = 0
let node: Service
let close: () => Promise<void>
before(async () => {
  const started = await startNodes(1)
  node = started.nodes[0]!
  close = started.close
})
after(() => close?.())

it('a table whose removed columns have used up all that PostgreSQL gives it is told so, and works on as it is', async () => {
  const table = await node.make('table', { table_name: 'Restless' })
  const field = { table_id: Number(table), field_type: 'text' }
  const kept = await node.make('field', { ...field, field_name: 'Kept' })
  // As fields that come and are erased leave it: PostgreSQL never gives the place of a column again.
  const passing = Array.from({ length: COLUMNS - 10 }, (_, i) => name(`passing${i}`))
  const alter = (steps: Sql[]) => sql`ALTER TABLE ${name(`data${table}`)} ${join(steps, ', ')}`
  await node.store.db.write(async (tx) => {
    await tx.run(alter(passing.map((column) => sql`ADD COLUMN ${column} integer`)))
    await tx.run(alter(passing.map((column) => sql`DROP COLUMN ${column}`)))
  })
  while ((await node.add('field', { ...field, field_name: `Passing ${made}` })).status === 201) made++
  assert.ok(made < 10, 'the place of a dropped column is not given again')
  for (const again of [1, 2]) {
    const { status, json } = await node.add('field', { ...field, field_name: `One more ${again}` })
    assert.deepEqual([status, json.errors[0].code], [409, 'table.no_columns_left'])
  }
  const changed = await node.change('field', kept, { field_type: 'longtext' })
  assert.deepEqual([changed.status, changed.json.errors[0].code], [409, 'table.no_columns_left'])
  const record = await node.make(`data${table}`, { [`f${kept}`]: 'as before' })
  assert.equal((await node.get(`data${table}/${record}`)).json.data.attributes[`f${kept}`], 'as before')
  assert.equal((await node.get(`field?filter=eq(table_id,${table})`)).json.meta.total, 1 + made)
})
