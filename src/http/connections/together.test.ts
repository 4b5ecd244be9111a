import assert from 'node:assert/strict'
import { it } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { answersTogether } from './together.ts'

it('answers of one turn are written at its end, in their order', async () => {
  const written: number[] = []
  const together = answersTogether(() => 0)
  for (const i of [1, 2, 3]) together.write(() => written.push(i))
  together.pause()
  assert.deepEqual(written, [])
  await turn()
  assert.deepEqual(written, [1, 2, 3])
  await turn()
  assert.deepEqual(written, [1, 2, 3])
})

it('an answer does not wait for request after request', async () => {
  const written: number[] = []
  let now = 1
  const together = answersTogether(() => now)
  together.write(() => written.push(1))
  now += 0.003
  // The next request begins.
  together.pause()
  assert.deepEqual(written, [1])
  together.write(() => written.push(2))
  now += 0.003
  together.write(() => written.push(3))
  assert.deepEqual(written, [1, 2, 3])
  together.write(() => written.push(4))
  together.pause()
  assert.deepEqual(written, [1, 2, 3])
  await turn()
  assert.deepEqual(written, [1, 2, 3, 4])
})
