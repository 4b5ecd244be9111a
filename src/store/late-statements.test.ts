import assert from 'node:assert/strict'
import { it } from 'node:test'
import { lateStatements } from './late-statements.ts'

it('what was late is known for a minute, and no more than a thousand of it', () => {
  let time = 0
  const late = lateStatements(() => time)
  late.add('SELECT 0')
  time = 59_999
  assert.equal(late.has('SELECT 0'), true)
  time = 60_000
  assert.equal(late.has('SELECT 0'), false)
  for (let i = 0; i < 1_500; i++) late.add(`SELECT ${i}`)
  assert.deepEqual(
    [0, 499, 500, 1_499].map((i) => late.has(`SELECT ${i}`)),
    [false, false, true, true],
  )
  late.delete('SELECT 500')
  assert.equal(late.has('SELECT 500'), false)
})

it('what is very long is not kept', () => {
  const late = lateStatements()
  const long = `SELECT ${'x'.repeat(5_000)}`
  late.add(long)
  assert.equal(late.has(long), false)
})
