import assert from 'node:assert/strict'
import { test } from 'node:test'
import { movedWith, slotsOf } from './use-slots.ts'

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

test('a row that moves takes its slot along, and the row at its new place takes the one that it had', () => {
  const slots = new Map([
    [3, 0],
    [4, 1],
    [5, 2],
  ])
  const moved = new Map([
    [3, 2],
    [4, 1],
    [5, 0],
  ])
  assert.deepEqual(movedWith(slots, 3, 5), moved)
  const far = new Map([
    [4, 1],
    [5, 2],
    [9, 0],
  ])
  assert.deepEqual(movedWith(slots, 3, 9), far)
  assert.equal(movedWith(slots, 7, 3), slots)
})
