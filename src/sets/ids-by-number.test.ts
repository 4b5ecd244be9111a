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

function sorted(ids: readonly number[], numberOf: (id: number) => number): { readonly ids: number[]; readonly steps: number } {
  const steps = idsByNumber({ ids: Uint32Array.from(ids), numbers: Float64Array.from(ids, numberOf) })
  for (let count = 0; ; count++) {
    const { done, value } = steps.next()
    if (done) return { ids: [...value], steps: count }
  }
}

describe('idsByNumber', () => {
  it('orders ids by their numbers, and leaves those of the same number as they are', () =>
    fc.assert(
      fc.property(fc.array(number, { maxLength: 60 }), fc.integer(), (numbers, seed) => {
        const ids = [...numbers.keys()].sort((one, other) => ((one * seed) % 97) - ((other * seed) % 97) || other - one)
        const expected = ids.toSorted((one, other) => numbers[one]! - numbers[other]!)
        assert.deepEqual(sorted(ids, (id) => numbers[id]!).ids, expected)
      }),
    ))

  it('takes steps of some hundred thousand ids', () => {
    const ids = Array.from({ length: 300_000 }, (_, i) => i)
    const numberOf = (id: number) => ((id * 7_919) % 300_007) - 150_000
    const { ids: found, steps } = sorted(ids, numberOf)
    assert.deepEqual(
      found,
      ids.toSorted((one, other) => numberOf(one) - numberOf(other)),
    )
    // Of three parts each: the range of the numbers, and twice for each of two digits.
    assert.equal(steps, 15)
  })
})
