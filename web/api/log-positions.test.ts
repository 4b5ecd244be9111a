import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import { forgetPositions, noteRead, noteTold, positionOf, setFollowed, whenRead } from './log-positions.ts'

describe('the positions of tables in the log of changes', () => {
  let begun: number[] = []
  beforeEach(() => {
    setFollowed(new Set())
    forgetPositions()
    begun = []
    whenRead((table) => begun.push(table))
  })

  it('begin where the first of what is shown was read, before it is followed or after', () => {
    noteRead(7, 100)
    noteRead(7, 90)
    noteRead(7, 110)
    assert.deepEqual([positionOf(7), begun], [90, []])
    setFollowed(new Set([7, 8]))
    assert.deepEqual([positionOf(7), positionOf(8)], [90, undefined])
    noteRead(8, 120)
    assert.deepEqual([positionOf(8), begun], [120, [8]])
    // A stream tells both from there on.
    noteRead(8, 130)
    assert.deepEqual([positionOf(8), begun], [120, [8]])
    // An answer that was asked for earlier came later.
    noteRead(8, 115)
    assert.deepEqual([positionOf(8), begun], [115, [8, 8]])
  })

  it('go on with what is told, of all tables of a stream, and nothing is told twice', () => {
    setFollowed(new Set([7, 8]))
    noteRead(7, 100)
    noteRead(8, 200)
    const both = new Set([7, 8])
    assert.deepEqual(
      [noteTold(7, 100, both), noteTold(7, 150, both), noteTold(8, 150, both), noteTold(7, 210, both)],
      [false, true, false, true],
    )
    assert.deepEqual([positionOf(7), positionOf(8)], [210, 210])
    noteRead(7, 120)
    assert.deepEqual(positionOf(7), 210)
  })

  it('are forgotten of a table that nobody has followed for long', (t) => {
    let now = 1000
    t.mock.method(performance, 'now', () => now)
    setFollowed(new Set([7, 8]))
    noteRead(7, 100)
    noteRead(8, 100)
    setFollowed(new Set([8]))
    now += 20_000
    setFollowed(new Set([7, 8]))
    assert.deepEqual(positionOf(7), 100)
    setFollowed(new Set([8]))
    now += 40_000
    setFollowed(new Set([7, 8]))
    assert.deepEqual([positionOf(7), positionOf(8)], [undefined, 100])
  })
})
