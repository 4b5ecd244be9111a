import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Load } from '../ground/db.ts'
import { giveWay, othersTime } from './index-pace.ts'

/** A database that writes for so many of 5 milliseconds. Tells how often it was looked at. */
function database(waiting: number, writes: number) {
  const none = { waiting: 0, running: 0 }
  let looked = 0
  const load = (): Load => ({
    statements: { read: 0, write: 0 },
    writing: 1_000 + writes * looked++,
    queues: { quick: none, slow: none, write: { waiting, running: 0 } },
  })
  return { load, looked: () => looked }
}
const never = () => false

describe('between two steps of an index', () => {
  it('others write for the longer the more they do', async () => {
    for (const [writes, milliseconds, looks] of [
      [5, 100, 21],
      [2.5, 100, 6],
      [1, 100, 2],
      [0, 100, 2],
      [9, 20, 5],
    ] as const) {
      const db = database(3, writes)
      await giveWay(db, milliseconds, never)
      assert.equal(db.looked(), looks, `${writes} of 5 ms, ${milliseconds} ms`)
    }
  })

  it('nothing is waited for where nobody had to wait, or the service stops', async () => {
    const nobody = database(0, 5)
    await giveWay(nobody, 1_000_000, never)
    assert.equal(nobody.looked(), 1)
    let left = 3
    const always = database(3, 5)
    await giveWay(always, 1_000_000, () => --left < 0)
    assert.equal(always.looked(), 4)
  })

  it('they have less time where the index is far behind, and as long as the step in any case', () => {
    assert.equal(othersTime(40, 0), 760)
    assert.equal(othersTime(40, 50_000), 760)
    assert.equal(othersTime(40, 100_000), 380)
    assert.equal(othersTime(40, 10_000_000), 40)
    assert.equal(othersTime(3_000, 0), 10_000)
  })
})
