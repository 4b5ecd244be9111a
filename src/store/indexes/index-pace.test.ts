import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Load } from '../ground/db.ts'
import { giveWay, othersTime } from './index-pace.ts'

/** A database whose writes so far are `written` of how often that was asked. */
function database(waiting: number, written: (asked: number) => number) {
  const none = { waiting: 0, running: 0 }
  let asked = 0
  const load = (): Load => {
    const queues = { quick: none, slow: none, write: { waiting, running: 0 } }
    return {
      queues,
      get statements() {
        return { read: 0, write: written(asked++) }
      },
    }
  }
  return { load, asked: () => asked }
}
const never = () => false

describe('between two steps of an index', () => {
  it('others write for as long as they do, and no longer than they may', async () => {
    const nobody = database(0, () => 7)
    await giveWay(nobody, 1_000_000, never)
    assert.ok(nobody.asked() < 4, `${nobody.asked()}`)

    const forAWhile = database(3, (asked) => Math.min(asked, 6))
    await giveWay(forAWhile, 1_000_000, never)
    assert.ok(forAWhile.asked() > 6 && forAWhile.asked() < 12, `${forAWhile.asked()}`)

    const always = database(3, (asked) => asked)
    await giveWay(always, 20, never)
    assert.ok(always.asked() > 4 && always.asked() < 12, `${always.asked()}`)
  })

  it('nothing is waited for when the service stops', async () => {
    let left = 3
    const always = database(3, (asked) => asked)
    await giveWay(always, 1_000_000, () => --left < 0)
    assert.equal(left, -1)
  })

  it('they have less time where the index is far behind, and as long as the step in any case', () => {
    assert.equal(othersTime(40, 0), 760)
    assert.equal(othersTime(40, 50_000), 760)
    assert.equal(othersTime(40, 100_000), 380)
    assert.equal(othersTime(40, 10_000_000), 40)
    assert.equal(othersTime(3_000, 0), 10_000)
  })
})
