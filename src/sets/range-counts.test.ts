import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from '../../test/support/fast-check.ts'
import { IdOrder } from './id-order.ts'
import { IdSet } from './id-set.ts'
import { packedOrder } from './order-parts.ts'
import { packed } from './packed-set.ts'
import { RangeCounts } from './range-counts.ts'

const RECORDS = 24_000
const setOf = (ids: Iterable<number>): IdSet => new IdSet(packed(Uint32Array.from(ids)))

/** Records from 1 on, each `step` after the one before, with a number below 1,000 as their key. */
function tableOf(step: number) {
  const keys = new Map(Array.from({ length: RECORDS }, (_, i) => [1 + i * step, (i * 7_919) % 1_000]))
  const inOrder = [...keys.keys()].sort((one, other) => keys.get(one)! - keys.get(other)! || one - other)
  const order = new IdOrder(packedOrder(Uint32Array.from(inOrder))!, { of: (id) => keys.get(id)!, compare: (one, other) => one - other })
  return { keys, order }
}

/** Where many records go and come: into few blocks, which are divided, or out of them. */
const moves = fc.record({
  from: fc.nat(RECORDS),
  count: fc.constantFrom(1, 30, 700),
  key: fc.option(fc.nat(1_100)),
  members: fc.boolean(),
  setFirst: fc.boolean(),
})

describe('RangeCounts', () => {
  it('has the pages by id of what is before any place, and of the others, beside changes', () =>
    fc.assert(
      fc.property(
        fc.constantFrom(1, 3, 40),
        fc.constantFrom(1, 5, 200),
        fc.constantFrom(2_000, 60_000, Infinity),
        fc.array(moves, { maxLength: 8 }),
        fc.array(fc.tuple(fc.nat(1_000), fc.nat(RECORDS), fc.constantFrom(1, 20, 3_000)), { minLength: 4, maxLength: 8 }),
        (step, every, most, acts, pages) => {
          const { keys, order } = tableOf(step)
          const members = new Set([...keys.keys()].filter((_, i) => i % every === 0))
          const set = setOf(members)
          const first = RangeCounts.of(order, set, most)!
          for (const { from, count, key, members: areMembers, setFirst } of acts) {
            const ids = Array.from({ length: count }, (_, i) => 1 + (from + i) * step)
            const follow = () => {
              for (const id of ids) if (set.assign(id, areMembers)) first.assigned(id, areMembers)
            }
            for (const id of ids) members[areMembers ? 'add' : 'delete'](id)
            if (setFirst) follow()
            for (const id of ids) keys[key === null ? 'delete' : 'set'](id, key!)
            order.update(new Set(ids), (id) => keys.has(id))
            if (!setFirst) follow()
          }
          const counts = first.isOutgrown ? RangeCounts.of(order, set, most)! : first
          assert.equal(counts.isOutgrown, false)
          const sorted = [...members].filter((id) => keys.has(id)).sort((one, other) => one - other)
          for (const [key, offset, limit] of pages) {
            const place = order.seek({ key, id: 9_000 })
            const isBefore = (id: number) => keys.get(id)! < key || (keys.get(id) === key && id < 9_000)
            for (const isRest of [false, true]) {
              const expected = sorted.filter((id) => isBefore(id) !== isRest)
              const { length: size } = expected
              for (const begin of [0, offset % (size + 1), Math.max(0, size - 5), size])
                assert.deepEqual(counts.page(place, isRest, begin, limit, size), expected.slice(begin, begin + limit))
            }
          }
        },
      ),
      { numRuns: 60 },
    ))

  it('is outgrown by a member behind all ids that there were, and where many records have come to one place', () => {
    const { keys, order } = tableOf(1)
    const counts = RangeCounts.of(order, setOf([1, 2, 90_000]), Infinity)!
    const add = (ids: readonly number[]) => {
      for (const id of ids) keys.set(id, 500)
      order.update(new Set(ids), (id) => keys.has(id))
    }
    add([80_000])
    assert.equal(counts.isOutgrown, false)
    add([90_000])
    assert.equal(counts.isOutgrown, true)
    const others = RangeCounts.of(order, setOf([...keys.keys()]), Infinity)!
    add(Array.from({ length: 1_000 }, (_, i) => 1 + i))
    assert.equal(others.isOutgrown, false)
    add(Array.from({ length: 10_000 }, (_, i) => 1_001 + i))
    assert.equal(others.isOutgrown, true)
  })

  it('is not made where the ids are too far apart', () => {
    const far = 2 ** 27 + 1
    const packed = { places: new Uint32Array(256), sizes: Uint16Array.of(0), blockOf: new Uint16Array(far + 1) }
    const order = new IdOrder(packed, { of: () => 0, compare: () => 0 })
    assert.equal(RangeCounts.of(order, setOf([1]), Infinity), undefined)
  })
})
