import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { allFolded, folded, isFolded, UNFOLDED } from './folding.ts'

describe('groups that are folded away', () => {
  const values = Array.from({ length: 5000 }, (_, i) => `value ${i}`)

  it('are those that are named, however many', () => {
    const some = folded(UNFOLDED, values.slice(0, 900), true)
    assert.deepEqual([isFolded(some, 'value 899'), isFolded(some, 'value 900'), isFolded(some, 'new')], [true, false, false])
    assert.equal(isFolded(folded(some, ['value 5'], false), 'value 5'), false)
    assert.equal(folded(some, values, false).others.size, 0)
  })

  it('are all but those that are named, also those that come later', () => {
    const all = folded(allFolded(true), ['value 1', 'value 2'], false)
    assert.deepEqual(['value 0', 'value 1', 'new'].map((one) => isFolded(all, one)), [true, false, true]) // prettier-ignore
    assert.equal(all.others.size, 2)
    assert.equal(isFolded(folded(all, ['value 1'], true), 'value 1'), true)
    assert.deepEqual(folded(all, ['value 1', 'value 2'], true), allFolded(true))
  })
})
