import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, it } from 'node:test'
import Database from 'better-sqlite3'
import { scratchProgram, type ScratchProgram } from '../../support/scratch-program.ts'

let program: ScratchProgram
before(() => {
  program = scratchProgram({ NODE_OPTIONS: '--max-old-space-size=128' })
})
after(() => program.remove())

it('an installation with 150 saved filters of 1 MB starts with a heap of 128 MiB, changes its structure and uses them', async () => {
  let server = await program.serve()
  const token = await program.token()
  await program.ok('table', 'create', 'Notes')
  await program.ok('field', 'create', 'Notes', 'Text', 'longtext')
  assert.equal((await server.call(token, 'POST', 'data1', { data: { type: 'data1', attributes: { f1: 'x1' } } })).status, 201)
  await server.stop()
  const database = new Database(join(program.data, 'kartoteka.sqlite'))
  const values = Array.from({ length: 1_000 }, (_, i) => `'x${i}${'-'.repeat(i === 1 ? 0 : 990)}'`)
  const expression = `in(f1,${values.join(',')})`
  const add = database.prepare(
    "INSERT INTO saved_filters (table_id, title, titlek, expression, expressionk, user_id) VALUES (1, 'old', 'old', ?, '', 0)",
  )
  database.transaction(() => Array.from({ length: 150 }, () => add.run(expression)))()
  database.close()
  server = await program.serve()
  assert.equal((await server.call(token, 'GET', 'data1?filter=use_filter(150)')).body.meta.total, 1)
  for (let i = 0; i < 5; i++)
    assert.equal((await server.call(token, 'POST', 'table', { data: { type: 'table', attributes: { table_name: `T${i}` } } })).status, 201)
  assert.equal((await server.stop()).code, 0)
  server = await program.serve()
  assert.equal((await server.call(token, 'GET', 'filter?page[limit]=1')).body.meta.total, 150)
  await server.stop()
})
