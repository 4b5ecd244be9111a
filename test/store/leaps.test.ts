import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { leaps, type Leaps } from '../../src/store/upkeep/clock-leaps.ts'
import { scratchStore } from '../support/scratch-store.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const START = Date.UTC(2026, 5, 1)

describe('what is erased by its age', () => {
  let scratch: Awaited<ReturnType<typeof scratchStore>>
  let warned: number
  const begin = (): Leaps => leaps(scratch.store, () => void warned++)
  /** Looks after so many hours of the machine, by a clock that is ahead by `ahead`. */
  const looks = async (one: Leaps, hours: readonly number[], ahead = 0) => {
    const all: boolean[] = []
    for (const hour of hours) all.push(await one.mayErase({ now: START + hour * HOUR + ahead, up: hour * HOUR }))
    return all
  }

  beforeEach(async () => {
    scratch = await scratchStore()
    warned = 0
  })
  afterEach(() => scratch.remove())

  it('is erased while the clock goes as the machine does, also after a night of sleep', async () => {
    assert.deepEqual(await looks(begin(), [1, 2, 12, 13]), [true, true, true, true])
    assert.equal(warned, 0)
  })

  it('waits for a day after the clock leapt forward, and is told of once', async () => {
    const one = begin()
    await looks(one, [1, 2])
    assert.deepEqual(await looks(one, [3, 4, 26, 27, 28], 31 * DAY), [false, false, false, true, true])
    assert.equal(warned, 1)
  })

  it('is not erased by the start of a server either whose clock leapt while it was off', async () => {
    await looks(begin(), [1, 2])
    const again = begin()
    assert.deepEqual(await looks(again, [3, 4, 27], 31 * DAY), [false, false, true])
    assert.equal(warned, 1)
  })

  it('is erased again at once when the clock has been set right', async () => {
    const one = begin()
    await looks(one, [1])
    await looks(one, [2], 31 * DAY)
    assert.deepEqual(await looks(one, [3, 4]), [true, true])
  })

  it('is not erased by one of several processes whose clock leapt, while the others go on', async () => {
    const [one, other] = [begin(), begin()]
    await looks(one, [1])
    await looks(other, [1])
    assert.deepEqual(await looks(one, [2], 31 * DAY), [false])
    assert.deepEqual(await looks(other, [2]), [true])
    assert.deepEqual(await looks(one, [3, 25], 31 * DAY), [false, false])
    assert.deepEqual(await looks(other, [26]), [true])
    assert.deepEqual(await looks(one, [27], 31 * DAY), [true])
    assert.equal(warned, 1)
  })

  it('is erased after a server was off for a week', async () => {
    await looks(begin(), [1])
    assert.deepEqual(await looks(begin(), [1 + 7 * 24]), [true])
  })
})
