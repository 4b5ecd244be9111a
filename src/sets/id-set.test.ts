import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from '../../test/support/fast-check.ts'
import { andChunks, bitmapOf, release } from './chunks.ts'
import { IdSet } from './id-set.ts'
import { packed } from './packed-set.ts'

const setOf = (ids: Iterable<number>): IdSet => new IdSet(packed(Uint32Array.from(ids)))
const members = (set: IdSet): number[] => {
  const ids: number[] = []
  set.each((id) => ids.push(id))
  return ids
}
const ascending = (ids: Iterable<number>): number[] => [...new Set(ids)].sort((one, other) => one - other)

/** Ids at the ends of chunks and words, in chunks that are empty, listed and full. */
const id = fc.oneof(
  fc.integer({ min: 0, max: 70 }),
  fc.integer({ min: 65_530, max: 65_545 }),
  fc.constantFrom(131_071, 131_072, 262_143, 4_000_000),
)
/** Stretches of ids make bitmaps. */
const some = fc
  .tuple(
    fc.array(id),
    fc.array(fc.tuple(fc.integer({ min: 0, max: 200_000 }), fc.integer({ min: 1, max: 9_000 }), fc.integer({ min: 1, max: 3 })), {
      maxLength: 3,
    }),
  )
  .map(([ids, stretches]) => [
    ...ids,
    ...stretches.flatMap(([from, count, step]) => Array.from({ length: count }, (_, i) => from + i * step)),
  ])

describe('IdSet', () => {
  it('that is released gives its memory to the next one, and cannot be used any more', () => {
    const [one, other] = [setOf(Array.from({ length: 9_000 }, (_, i) => i * 3)), setOf(Array.from({ length: 9_000 }, (_, i) => i * 4))]
    const parts = [3, 4].map((step) => ({
      chunk: bitmapOf(
        Uint16Array.from({ length: 16_000 }, (_, i) => i * step),
        16_000,
      ),
      count: 16_000,
    }))
    const both = () => andChunks(parts[0]!, parts[1]!).chunk
    const first = both()
    assert.notEqual(both(), first)
    release(first)
    assert.equal(both(), first)
    const made = one.and(other)
    made.release()
    assert.throws(() => made.has(12))
    assert.throws(() => made.page(0, 1))
    assert.throws(() => made.release())
  })

  it('that is released gives its memory to later sets, and none that is used', () =>
    fc.assert(
      fc.property(
        fc.array(fc.tuple(some, fc.constantFrom('and' as const, 'without' as const), fc.boolean(), id), { minLength: 2, maxLength: 6 }),
        (steps) => {
          const used: (readonly [set: IdSet, expected: Set<number>])[] = []
          const big = Array.from({ length: 9_000 }, (_, i) => i * 7)
          for (const [ids, by, isReleased, more] of steps) {
            const [one, other] = [new Set([...ids, ...big]), new Set(ids.filter((one) => one % 3 > 0).concat(big.slice(4_000)))]
            const made = setOf(one)[by](setOf(other))
            const expected = new Set([...one].filter((one) => other.has(one) === (by === 'and')))
            assert.deepEqual(members(made), ascending(expected))
            if (isReleased) made.release()
            else {
              made.assign(more, true)
              used.push([made, expected.add(more)])
            }
          }
          for (const [set, expected] of used) assert.deepEqual(members(set), ascending(expected))
        },
      ),
    ))

  it('holds the ids it was made of, in any order and repeated', () =>
    fc.assert(
      fc.property(some, fc.nat(20_000), fc.nat(40), (ids, offset, limit) => {
        const set = setOf(ids.toReversed())
        const expected = ascending(ids)
        assert.equal(set.size, expected.length)
        assert.deepEqual(members(set), expected)
        assert.deepEqual(set.page(offset, limit), expected.slice(offset, offset + limit))
        for (const one of [...expected.slice(0, 20), 3, 64, 65_535, 70_000, 9_000_000]) {
          assert.equal(set.has(one), expected.includes(one))
          for (const isMember of [set.tester(0), set.tester(1_000_000)]) assert.equal(isMember(one), expected.includes(one))
          assert.equal(set.rank(one), expected.filter((id) => id < one).length)
        }
      }),
      { numRuns: 60 },
    ))

  it('combines as sets do, and leaves both as they were', () =>
    fc.assert(
      fc.property(some, some, (left, right) => {
        const [one, other] = [setOf(left), setOf(right)]
        const [a, b] = [new Set(left), new Set(right)]
        assert.deepEqual(members(one.and(other)), ascending([...a].filter((id) => b.has(id))))
        assert.deepEqual(members(one.or(other)), ascending([...a, ...b]))
        assert.deepEqual(members(one.without(other)), ascending([...a].filter((id) => !b.has(id))))
        assert.equal(one.countWith(other), [...a].filter((id) => b.has(id)).length)
        assert.deepEqual([one.equals(other), one.equals(one.copy())], [members(one).join() === members(other).join(), true])
        for (const made of [one.and(other), one.or(other), one.without(other)]) {
          const [before, { bytes }] = [members(made), made]
          made.compact()
          assert.deepEqual(members(made), before)
          assert.ok(made.bytes <= bytes)
          for (const id of new Set(left.slice(0, 50))) assert.equal(made.assign(id, false), before.includes(id))
        }
        const more = one.copy()
        more.assignAll(right, true, one)
        assert.deepEqual(members(more), ascending(left))
        more.assignAll(right, true)
        assert.deepEqual(members(more), ascending([...a, ...b]))
        more.assignAll(left, false, other)
        assert.deepEqual(members(more), ascending([...b].filter((id) => !a.has(id))))
        assert.deepEqual(
          members(one.only((id) => id % 3 === 1)),
          ascending(left).filter((id) => id % 3 === 1),
        )
        const copy = one.copy()
        for (const id of left.slice(0, 50)) copy.assign(id, false)
        assert.deepEqual(members(one), ascending(left))
        assert.deepEqual(members(other), ascending(right))
      }),
      { numRuns: 60 },
    ))

  it('takes less memory, with the same members, once it is kept', () => {
    const every = setOf(Array.from({ length: 9_000 }, (_, i) => i))
    for (const [count, isList] of [
      [1_025, true],
      [4_095, true],
      [4_096, false],
    ] as const) {
      const set = every.and(
        setOf(Array.from({ length: count }, (_, i) => 2 * i).concat(Array.from({ length: 5_000 }, (_, i) => 20_000 + i))),
      )
      const { bytes } = set
      assert.ok(bytes > 8_000)
      set.compact()
      assert.equal(set.bytes < bytes, isList)
      assert.deepEqual(
        members(set),
        Array.from({ length: count }, (_, i) => 2 * i),
      )
    }
  })

  it('changes in place, also where a chunk becomes a bitmap, or empty, and is tested in between', () =>
    fc.assert(
      fc.property(some, fc.array(fc.tuple(id, fc.boolean()), { maxLength: 200 }), fc.nat(4_200), (ids, changes, more) => {
        const set = setOf(ids)
        const expected = new Set(ids)
        const all = [...changes, ...Array.from({ length: more }, (_, i): [number, boolean] => [500 + i, true])]
        const tested = [...ids.slice(0, 50), ...changes.map(([one]) => one), 500, 900, 4_500]
        for (const [at, [one, isMember]] of all.entries()) {
          if (at % 100 < 3)
            assert.deepEqual(
              tested.filter(set.tester(1_000_000)),
              tested.filter((id) => expected.has(id)),
            )
          assert.equal(set.assign(one, isMember), expected.has(one) !== isMember)
          if (isMember) expected.add(one)
          else expected.delete(one)
        }
        assert.deepEqual(members(set), ascending(expected))
        assert.deepEqual(
          tested.filter(set.tester(1_000_000)),
          tested.filter((id) => expected.has(id)),
        )
        assert.equal(set.size, expected.size)
        for (const one of expected) set.assign(one, false)
        assert.deepEqual([set.size, members(set), set.page(0, 5)], [0, [], []])
      }),
      { numRuns: 60 },
    ))
})
