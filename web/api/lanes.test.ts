import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isTouched, showLanes } from './lanes.ts'

describe('what was saved touches', () => {
  const stop = showLanes({ table: 7, attribute: 'f2', laneOf: (filter) => /^lane (.*)$/.exec(filter ?? '')?.[1] })
  const touched = (...of: Parameters<typeof isTouched>[2] & object) =>
    ['New', 'Won', 'Lost', ''].filter((one) => isTouched(7, `lane ${one}`, of))

  it('the lane that a record left and the one to which it came', () => {
    const moved = { now: { f1: 'x', f2: 'Won' }, values: { f2: 'Won' }, expected: { f2: ['New'] } }
    assert.deepEqual(touched(moved), ['New', 'Won'])
    assert.deepEqual(touched(moved, { ...moved, now: { f2: null }, values: { f2: '' } }), ['New', 'Won', ''])
  })

  it('the lane in which it is, if something else of it was changed', () => {
    assert.deepEqual(touched({ now: { f1: 'y', f2: 'Lost' }, values: { f1: 'y' }, expected: { f1: ['x'] } }), ['Lost'])
  })

  it('all of them, if it is not known where it was or is; and any other list', () => {
    assert.equal(touched({ now: { f2: 'Won' }, values: { f2: 'Won' }, expected: {} }).length, 4)
    assert.equal(touched({ now: { f1: 'y' }, values: { f1: 'y' }, expected: {} }).length, 4)
    assert.equal(isTouched(7, 'lane New', undefined), true)
    const other = [{ now: { f2: 'Lost' }, values: {}, expected: {} }]
    assert.equal(isTouched(7, 'another list', other), true)
    assert.equal(isTouched(8, 'lane New', other), true)
    assert.equal(isTouched(7, 'lane New', other), false)
    stop()
    assert.equal(isTouched(7, 'lane New', other), true)
  })
})
