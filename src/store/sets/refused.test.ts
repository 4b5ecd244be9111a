import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Refused } from './refused.ts'

/** How often it was asked for in vain until it may be tried again. */
function asks(refused: Refused, name: string): number {
  let count = 0
  while (refused.has(name)) count++
  return count
}

describe('what could not be had', () => {
  it('may be tried again after some asks, and is told by its name', () => {
    const refused = new Refused()
    assert.equal(refused.has('a'), false)
    refused.add('a')
    assert.equal(refused.has('b'), false)
    assert.equal(asks(refused, 'a'), 200)
    refused.add('a')
    assert.equal(asks(refused, 'a'), 200)
  })

  it('may be tried after twice as many asks each time, up to a limit, where each try is long', () => {
    const refused = new Refused(1_000)
    const counts = [1, 2, 3, 4].map(() => {
      // All who waited for one try say so.
      for (let i = 0; i < 3; i++) refused.add('a')
      return asks(refused, 'a')
    })
    assert.deepEqual(counts, [200, 400, 800, 1_000])
  })
})
