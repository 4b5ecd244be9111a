import assert from 'node:assert/strict'
import { it } from 'node:test'
import { inPlaces, moved, shifted } from './places.ts'

it('items are put before or behind another, in the order that they had', () => {
  const items = ['a', 'b', 'c', 'd']
  assert.deepEqual(moved(items, new Set(['a']), 'c', 'after'), ['b', 'c', 'a', 'd'])
  assert.deepEqual(moved(items, new Set(['d', 'c']), 'a', 'before'), ['c', 'd', 'a', 'b'])
  assert.deepEqual(moved(items, new Set(['b']), 'b', 'after'), items)
})

it('an item changes places with its neighbour, and stays at the ends', () => {
  assert.deepEqual(shifted(['a', 'b', 'c'], 1, -1), ['b', 'a', 'c'])
  assert.deepEqual(shifted(['a', 'b', 'c'], 1, 1), ['a', 'c', 'b'])
  assert.deepEqual(shifted(['a', 'b'], 0, -1), ['a', 'b'])
  assert.deepEqual(shifted(['a', 'b'], 1, 1), ['a', 'b'])
})

it('what has the same place stands in the order of ids', () => {
  const of = (id: string, at: number) => ({ type: 'table', id, attributes: { at } })
  assert.deepEqual(
    inPlaces([of('10', 1), of('9', 1), of('2', 5), of('3', 0)], 'at').map(({ id }) => id),
    ['3', '9', '10', '2'],
  )
})
