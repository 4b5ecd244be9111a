import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { keysLater } from '../../test/support/keys-later.ts'
import { IdOrder } from './id-order.ts'
import { OrderCounts } from './order-counts.ts'
import { packedOrder } from './order-parts.ts'
import { IdSet } from './id-set.ts'
import { packed } from './packed-set.ts'

describe('an order whose keys have to be waited for', () => {
  it('asks for few keys: of those that divide a block, and of what has no place yet where that matters', () => {
    const table = new Map(Array.from({ length: 2_000 }, (_, i) => [i + 1, 10 * i]))
    const keys = keysLater(table)
    const order = new IdOrder(packedOrder(Uint32Array.from(table.keys()))!, keys)
    const asked = <T>(ask: () => T) => {
      const before = keys.known.size
      return { answer: keys.whenKnown(ask), keys: keys.known.size - before }
    }
    asked(() => order.readFirsts())
    const far = asked(() => order.rank(order.seek({ key: 9_005, id: 0 })))
    assert.ok(far.answer === 901 && far.keys <= 30, String(far.keys))
    const near = asked(() => order.rank(order.seek({ key: 9_025, id: 0 })))
    assert.ok(near.answer === 903 && near.keys <= 11, String(near.keys))

    const moved = new Set([1_001, 1_501])
    for (const id of moved) table.set(id, 9_015)
    keys.changed(moved)
    order.update(moved, () => true)
    const others = new IdSet(packed(Uint32Array.from([...table.keys()].filter((id) => !moved.has(id)))))
    const counts = new OrderCounts(order, others)
    assert.deepEqual(
      asked(() => order.page(900, 4, others, counts)),
      { answer: [901, 902, 903, 904], keys: 0 },
    )
    const all = asked(() => order.page(900, 6))
    assert.deepEqual(all.answer, [901, 902, 1_001, 1_501, 903, 904])
    assert.ok(all.keys <= 30, String(all.keys))
  })

  it('needs none for its pages while nothing has moved, and then the first one of each block at once', () => {
    const table = new Map(Array.from({ length: 2_000 }, (_, i) => [i + 1, 10 * i]))
    const keys = keysLater(table)
    const order = new IdOrder(packedOrder(Uint32Array.from(table.keys()))!, keys)
    const half = new IdSet(packed(Uint32Array.from(table.keys(), (id) => 2 * id).filter((id) => id <= 2_000)))
    assert.ok(order.prepare(new Set()))
    order.update(new Set(), () => true)
    assert.deepEqual(
      [order.page(900, 2), order.page(900, 2, half, new OrderCounts(order, half))],
      [
        [901, 902],
        [1_802, 1_804],
      ],
    )
    assert.equal(keys.known.size, 0)
    const moved = new Set([1])
    table.set(1, 9_005)
    keys.changed(moved)
    assert.ok(keys.whenKnown(() => order.prepare(moved)))
    assert.equal(keys.reads(), 1)
    order.update(moved, () => true)
    assert.deepEqual(
      keys.whenKnown(() => order.page(898, 4)),
      [900, 901, 1, 902],
    )
  })

  it('reads once what lies between two keys that are known', () => {
    const table = new Map(Array.from({ length: 2_000 }, (_, i) => [i + 1, 10 * i]))
    const later = keysLater(table)
    const order = new IdOrder(packedOrder(Uint32Array.from(table.keys()))!, later)
    later.whenKnown(() => order.readFirsts())
    const reads = (key: number) => {
      const before = [later.known.size, later.reads()] as const
      assert.equal(
        later.whenKnown(() => order.rank(order.seek({ key, id: 0 }))),
        Math.ceil(key / 10),
      )
      return [later.known.size - before[0], later.reads() - before[1]]
    }
    // Ids from 769 to 960 are in one block.
    assert.deepEqual([7_705, 8_005, 8_015, 9_205].map(reads), [
      [26, 2],
      [12, 1],
      [0, 0],
      [12, 1],
    ])
  })

  it('brings a block that is too large into order, also for a list that what has no place is no part of: else it would never be divided', () => {
    const table = new Map(Array.from({ length: 2_000 }, (_, i) => [i + 1, 10 * i]))
    const keys = keysLater(table)
    const order = new IdOrder(packedOrder(Uint32Array.from(table.keys()))!, keys)
    const move = (from: number, count: number) => {
      const moved = new Set(Array.from({ length: count }, (_, i) => from + i))
      for (const id of moved) table.set(id, 9_000 + id)
      keys.changed(moved)
      keys.whenKnown(() => order.prepare(moved))
      order.update(moved, () => true)
    }
    move(1, 70)
    const others = new IdSet(packed(Uint32Array.from({ length: 1_900 }, (_, i) => i + 101)))
    const counts = new OrderCounts(order, others)
    const first = () => keys.whenKnown(() => order.page(700, 4, others, counts))
    assert.deepEqual(first(), [801, 802, 803, 804])
    move(71, 1)
    assert.ok(Array.from(order.blocks.all(), ({ size }) => size).every((size) => size < 256))
  })

  it('divides a block when something moves, not while a place in it is being used', () => {
    const table = new Map(Array.from({ length: 2_000 }, (_, i) => [i + 1, 10 * i]))
    const keys = keysLater(table)
    const order = new IdOrder(packedOrder(Uint32Array.from(table.keys()))!, keys)
    const moved = new Set(Array.from({ length: 90 }, (_, i) => i + 1))
    for (const id of moved) table.set(id, 9_000 + id)
    keys.changed(moved)
    keys.whenKnown(() => order.readFirsts())
    order.update(moved, () => true)
    const largest = () => Math.max(...Array.from(order.blocks.all(), ({ size }) => size))
    assert.equal(largest(), 282)
    const place = keys.whenKnown(() => order.seek({ key: 9_205, id: 0 }))
    assert.ok(order.prepare(new Set()))
    order.update(new Set(), () => true)
    const isBefore = order.sideOf(place)
    assert.deepEqual(
      [...table.keys()].filter((id) => isBefore(id)),
      [...table.keys()].filter((id) => table.get(id)! < 9_205),
    )
    const next = new Set([91])
    keys.changed(next)
    keys.whenKnown(() => order.prepare(next))
    order.update(next, () => true)
    assert.equal(largest(), 192)
  })
})
