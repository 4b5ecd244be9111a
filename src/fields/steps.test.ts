import assert from 'node:assert/strict'
import { it } from 'node:test'
import { atOnce, sorting } from './steps.ts'

it('items are sorted in steps as they are at once, and what is equal keeps its order', () => {
  for (const count of [0, 1, 511, 512, 513, 5_000, 10_000]) {
    const items = Array.from({ length: count }, (_, i) => ({ key: (i * 7_919) % 1_000, i }))
    const compare = (one: { readonly key: number }, other: { readonly key: number }) => one.key - other.key
    assert.deepEqual(atOnce(sorting(items, compare)), items.toSorted(compare), `${count} items`)
    let compared = 0
    let most = 0
    const counted = sorting(items, (one, other) => (compared++, compare(one, other)))
    for (; !counted.next().done; compared = 0) most = Math.max(most, compared)
    assert.ok(most <= 20_000, `${most} comparisons in one step of ${count} items`)
  }
})
