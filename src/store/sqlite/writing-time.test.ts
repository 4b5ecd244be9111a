import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { writingTime, type Clock } from './writing-time.ts'

const never = () => false

/** A clock that stands still but for sleeps, each of which takes this much longer than it was told, in part by others who write. */
function beside(writes: number, late = 0) {
  let time = 1_000
  const clock: Clock = {
    now: () => time,
    async sleep(milliseconds) {
      const takes = milliseconds + late
      await timed(async () => void (time += takes * writes))
      time += takes * (1 - writes)
    },
  }
  const { timed, giveWay } = writingTime(clock)
  return async (milliseconds: number) => {
    const began = time
    await giveWay(milliseconds, never)
    return time - began
  }
}

describe('who leaves the database to others', () => {
  it('waits for the longer the more they write', async () => {
    assert.equal(await beside(1)(200), 200)
    assert.equal(await beside(0.5)(200), 100)
    assert.equal(await beside(0)(200), 5)
  })

  it('waits no longer where the thread is late', async () => {
    assert.equal(await beside(1, 20)(200), 200)
    assert.equal(await beside(0.5, 20)(200), 100)
  })

  it('counts what is not ended yet', async () => {
    let time = 0
    const { timed, giveWay } = writingTime({ now: () => time, sleep: async (milliseconds) => void (time += milliseconds) })
    const { promise, resolve } = Promise.withResolvers<void>()
    const one = timed(() => promise)
    await giveWay(100, never)
    assert.equal(time, 100)
    resolve()
    await one
  })

  it('ends its wait where the service stops', async () => {
    let [left, time] = [3, 0]
    const { timed, giveWay } = writingTime({ now: () => time, sleep: async (milliseconds) => void (time += milliseconds) })
    void timed(() => new Promise<never>(() => {}))
    await giveWay(1_000_000, () => --left < 0)
    assert.equal(left, -1)
  })
})
