import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inOrder, moved } from './side-order.ts'

const items = (ids: string) => [...ids].map((id) => ({ id }))
const ids = (some: readonly { readonly id: string }[]) => some.map(({ id }) => id).join('')

test('named items come first, the others stay in the order they have', () => {
  assert.equal(ids(inOrder(items('abcd'), [])), 'abcd')
  assert.equal(ids(inOrder(items('abcd'), ['d', 'x', 'b'])), 'dbac')
})

test('an item takes the place of another, up and down', () => {
  assert.equal(moved([...'abcd'], 'd', 'b').join(''), 'adbc')
  assert.equal(moved([...'abcd'], 'a', 'c').join(''), 'bcad')
  assert.equal(moved([...'abcd'], 'a', 'x').join(''), 'abcd')
})
