import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from '../../test/support/fast-check.ts'
import { idsByNumber } from './ids-by-number.ts'

const WIDEST = 2 ** 51
const number = fc.oneof(
  fc.integer({ min: -3, max: 3 }),
  fc.integer({ min: -3_000_000, max: 3_000_000 }),
  fc.constantFrom(2_047, 2_048, 2_049, -WIDEST + 1, WIDEST - 1),
)

describe('idsByNumber', () => {
  it('orders ids by their numbers, and leaves those of the same number as they are', () =>
    fc.assert(
      fc.property(fc.array(number, { maxLength: 60 }), fc.integer(), (numbers, seed) => {
        const ids = Uint32Array.from(numbers.keys()).sort((one, other) => ((one * seed) % 97) - ((other * seed) % 97) || other - one)
        const before = [...ids]
        const expected = before.toSorted((one, other) => numbers[one]! - numbers[other]!)
        assert.deepEqual([...idsByNumber(ids, (id) => numbers[id])!], expected)
        assert.deepEqual([...ids], before)
      }),
    ))

  it('gives none where an id has no number', () => {
    const numbers = [1, undefined, 2]
    assert.equal(
      idsByNumber(Uint32Array.of(0, 1, 2), (id) => numbers[id]),
      undefined,
    )
    assert.deepEqual([...idsByNumber(new Uint32Array(), () => 0)!], [])
  })
})
