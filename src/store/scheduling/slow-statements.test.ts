import assert from 'node:assert/strict'
import { it } from 'node:test'
import { lateStatements } from './slow-statements.ts'

it('what was late is forgotten within a minute', ({ mock }) => {
  mock.timers.enable({ apis: ['setInterval'] })
  const late = lateStatements()
  late.add('SELECT 0')
  assert.equal(late.has('SELECT 0'), true)
  mock.timers.tick(60_000)
  assert.equal(late.has('SELECT 0'), false)
  late.close()
})

it('no more than a thousand are kept, and none that is very long', () => {
  const late = lateStatements()
  const long = `SELECT ${'x'.repeat(5_000)}`
  late.add(long)
  assert.equal(late.has(long), false)
  for (let i = 0; i < 1_500; i++) late.add(`SELECT ${i}`)
  assert.deepEqual([late.has('SELECT 999'), late.has('SELECT 1000')], [true, false])
  late.delete('SELECT 999')
  assert.equal(late.has('SELECT 999'), false)
  late.close()
})
