import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from '../../test/support/fast-check.ts'
import { IdSet } from './id-set.ts'
import { LikeSet } from './like-set.ts'
import { packed } from './packed-set.ts'

const setOf = (ids: Iterable<number>): IdSet => new IdSet(packed(Uint32Array.from(ids)))

/** Ids in stretches, dense ones and sparse ones, in several chunks. */
const some = fc
  .array(fc.tuple(fc.integer({ min: 0, max: 300_000 }), fc.integer({ min: 1, max: 9_000 }), fc.integer({ min: 1, max: 30 })), {
    maxLength: 4,
  })
  .map((stretches) => stretches.flatMap(([from, count, step]) => Array.from({ length: count }, (_, i) => from + i * step)))

describe('LikeSet', () => {
  it('has every page and all members of what two sets have in common, or the first one alone, but for some ids', () =>
    fc.assert(
      fc.property(
        some,
        some,
        fc.boolean(),
        fc.boolean(),
        fc.integer({ min: 1, max: 50 }),
        fc.array(fc.nat(40_000), { maxLength: 5 }),
        (left, right, isRest, areMembers, every, offsets) => {
          const [within, other] = [new Set([...left, 7, 65_535]), new Set([...right, ...left.slice(0, left.length >> 1), 7])]
          // As between a range and its anchor: they are not what the others of their side are. Some are no members of `within`.
          const differing = [...new Set([...left, ...right])].filter((id) => id % every === 0 && (other.has(id) !== isRest) !== areMembers)
          const exceptions = new Set(differing)
          const expected = [...within]
            .filter((id) => (exceptions.has(id) ? areMembers : other.has(id) !== isRest))
            .sort((one, more) => one - more)
          const like = new LikeSet(setOf(within), setOf(other), isRest, { differing, areMembers })
          assert.deepEqual(like.toSet().page(0, expected.length + 1), expected)
          const { length: size } = expected
          for (const offset of [0, size - 1, size, size + 5, size >> 1, ...offsets.map((one) => one % (size + 1))]) {
            if (offset < 0) continue
            for (const limit of [1, 20, 5_000]) assert.deepEqual(like.page(offset, limit, size), expected.slice(offset, offset + limit))
          }
        },
      ),
      { numRuns: 80 },
    ))
})
