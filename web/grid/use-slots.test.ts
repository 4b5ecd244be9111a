import assert from 'node:assert/strict'
import { test } from 'node:test'
import { slotsOf } from './use-slots.ts'

test('places that stay keep their slots, those that come take the ones that are free, and no slot is taken twice', () => {
  let before: ReadonlyMap<number, number> = new Map()
  const windows = [
    [0, 30],
    [5, 35],
    [500, 530],
    [480, 510],
    [480, 520],
    [490, 500],
    [0, 30],
  ] as const
  for (const [from, to] of windows) {
    const drawn = new Set([3, ...Array.from({ length: to - from + 1 }, (_, i) => from + i)])
    const slots = slotsOf(drawn, before)
    assert.deepEqual(new Set(slots.keys()), drawn)
    assert.equal(new Set(slots.values()).size, drawn.size)
    for (const [place, slot] of slots) if (before.has(place)) assert.equal(slot, before.get(place))
    assert.ok(Math.max(...slots.values()) < Math.max(before.size, drawn.size))
    before = slots
  }
})
