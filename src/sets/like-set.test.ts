import assert from 'node:assert/strict'
import { it } from 'node:test'
import * as fc from '../../test/support/fast-check.ts'
import { IdSet } from './id-set.ts'
import { alike } from './like-set.ts'
import { packed } from './packed-set.ts'

const setOf = (ids: Iterable<number>): IdSet => new IdSet(packed(Uint32Array.from(ids)))

/** Ids in stretches, dense ones and sparse ones, in several chunks. */
const some = fc
  .array(fc.tuple(fc.integer({ min: 0, max: 300_000 }), fc.integer({ min: 1, max: 9_000 }), fc.integer({ min: 1, max: 30 })), {
    maxLength: 4,
  })
  .map((stretches) => stretches.flatMap(([from, count, step]) => Array.from({ length: count }, (_, i) => from + i * step)))

it('a set has what two sets have in common, or the first one alone, but for some ids', () =>
  fc.assert(
    fc.property(some, some, fc.boolean(), fc.boolean(), fc.integer({ min: 1, max: 50 }), (left, right, isRest, areMembers, every) => {
      const [within, other] = [new Set([...left, 7, 65_535]), new Set([...right, ...left.slice(0, left.length >> 1), 7])]
      // As between a range and its anchor: they are not what the others of their side are. Some are no members of `within`.
      const differing = [...new Set([...left, ...right])].filter((id) => id % every === 0 && (other.has(id) !== isRest) !== areMembers)
      const exceptions = new Set(differing)
      const expected = [...within]
        .filter((id) => (exceptions.has(id) ? areMembers : other.has(id) !== isRest))
        .sort((one, more) => one - more)
      const set = alike(setOf(within), setOf(other), isRest, { differing, areMembers })
      assert.deepEqual(set.page(0, expected.length + 1), expected)
    }),
    { numRuns: 80 },
  ))
