import assert from 'node:assert/strict'
import { it } from 'node:test'
import { slowStatements } from './slow-statements.ts'

it('what was slow is forgotten within a minute', ({ mock }) => {
  mock.timers.enable({ apis: ['setInterval'] })
  const slow = slowStatements()
  slow.add('SELECT 0')
  assert.equal(slow.has('SELECT 0'), true)
  mock.timers.tick(60_000)
  assert.equal(slow.has('SELECT 0'), false)
  slow.close()
})

it('no more than a thousand are kept, and none that is very long', () => {
  const slow = slowStatements()
  const long = `SELECT ${'x'.repeat(5_000)}`
  slow.add(long)
  assert.equal(slow.has(long), false)
  for (let i = 0; i < 1_500; i++) slow.add(`SELECT ${i}`)
  assert.deepEqual([slow.has('SELECT 999'), slow.has('SELECT 1000')], [true, false])
  slow.delete('SELECT 999')
  assert.equal(slow.has('SELECT 999'), false)
  slow.close()
})
