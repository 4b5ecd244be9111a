import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { limits } from '../limits.ts'
import type { Hook, Waiting } from '../store/webhooks/queue.ts'
import { add, begin, hasSlot, loadOf, nextDelivery, occupy, outgoing, renew, settle, untilDue, type Outgoing } from './outbox.ts'

const delivery = (id: number, recordId: number, next = 0): Waiting => ({ id, changeId: id, tableId: 7, recordId, next, tries: 0 })
const make = (...waiting: Waiting[]): Outgoing => outgoing({ id: 1, cursor: 0, fault: '' } as Hook, waiting, 0)

describe('the outbox of a webhook', () => {
  it('gives the oldest change of each record, when it is due, and none while an attempt of the record runs', () => {
    const one = make(delivery(1, 1, 500), delivery(2, 1), delivery(3, 2), delivery(4, 3), delivery(5, 2))
    assert.equal(nextDelivery(one, 100)?.id, 3)
    const leave = occupy(one, delivery(3, 2))
    assert.equal(nextDelivery(one, 100)?.id, 4)
    occupy(one, delivery(4, 3))
    assert.equal(nextDelivery(one, 100), undefined)
    settle(one, 3, undefined)
    leave()
    assert.equal(nextDelivery(one, 100)?.id, 5)
    assert.equal(nextDelivery(one, 500)?.id, 1)
  })

  it('says when the next attempt is due', () => {
    assert.equal(untilDue([make(), make(delivery(1, 1, 700), delivery(2, 2, 500), delivery(3, 1, 0))], 100, 9_000, 20), 400)
    assert.equal(untilDue([make(delivery(1, 1, 0))], 100, 9_000, 20), 20)
    assert.equal(untilDue([make()], 100, 9_000, 20), 9_000)
  })

  it('keeps what was settled while it is read again', async () => {
    const one = make(delivery(1, 1), delivery(2, 2), delivery(3, 3))
    await renew(one, async () => {
      settle(one, 1, undefined)
      settle(one, 2, delivery(2, 2, 900))
      return [delivery(1, 1), delivery(2, 2), delivery(3, 3), delivery(4, 4)]
    })
    assert.deepEqual(
      [...one.waiting.values()].map(({ id, next }) => [id, next]),
      [
        [2, 900],
        [3, 0],
        [4, 0],
      ],
    )
    add(one, [delivery(5, 5)])
    assert.equal(one.waiting.size, 4)
  })

  it('has several attempts at once when its receiver answers well, and one while it does not', () => {
    const one = make(...Array.from({ length: 50 }, (_, i) => delivery(i + 1, i + 1)))
    const beginAll = (all: readonly Outgoing[]) => {
      let begun = 0
      for (; hasSlot(one, loadOf(all)); begun++) occupy(one, nextDelivery(one, 0)!)
      return begun
    }
    assert.equal(beginAll([one]), 1)
    one.isSlow = false
    assert.equal(beginAll([one]), limits.webhookAttemptsOfOne.most - 1)
  })

  it('leaves half of all attempts to webhooks that are not slow', () => {
    const busy = (count: number, isSlow: boolean) => {
      const one = make()
      one.isSlow = isSlow
      for (let i = 0; i < count; i++) occupy(one, delivery(i + 1, i + 1))
      return one
    }
    const half = limits.webhookAttempts.most / 2
    const slow = Array.from({ length: half }, () => busy(1, true))
    const fresh = busy(0, false)
    const another = busy(0, true)
    assert.equal(hasSlot(another, loadOf([...slow, fresh, another])), false)
    assert.equal(hasSlot(fresh, loadOf([...slow, fresh, another])), true)
    const quick = Array.from({ length: half / 4 }, () => busy(4, false))
    assert.equal(hasSlot(fresh, loadOf([...slow, ...quick, fresh])), false)
  })

  it('goes through the queue of a webhook only after that queue has changed', () => {
    let steps = 0
    class Counted extends Map<number, Waiting> {
      override values() {
        steps += this.size
        return super.values()
      }
    }
    const length = 100
    /** The steps of two rounds over webhooks whose receivers are down, and of a round after one attempt has ended. */
    const stepsOf = (count: number) => {
      const all = new Map<number, Outgoing>()
      for (let id = 1; id <= count; id++) {
        const one = outgoing({ id, cursor: 0, fault: '' } as Hook, [], 0)
        one.waiting = new Counted(Array.from({ length }, (_, i) => [i + 1, delivery(i + 1, i + 1, 500)]))
        all.set(id, one)
      }
      const begun: number[] = []
      const round = (now: number) => {
        const before = steps
        begin([...all.values()], all, now, () => assert.fail('none is due'))
        for (const one of Array.from(all.values())) begin([one], all, now, () => assert.fail('none is due'))
        assert.equal(untilDue(all.values(), now, 9_000, 20), 500 - now)
        return steps - before
      }
      begun.push(round(100), round(101))
      settle(all.get(1)!, 1, delivery(1, 1, 700))
      begun.push(round(102))
      return begun
    }
    assert.deepEqual(stepsOf(50), [50 * length, 0, length])
    assert.deepEqual(stepsOf(200), [200 * length, 0, length])
  })

  it('begins attempts in turn: a webhook that began one is the last of all then', () => {
    const all = new Map([1, 2, 3].map((id) => [id, outgoing({ id, cursor: 0, fault: '' } as Hook, [delivery(id, id, id)], 0)]))
    const begun: number[] = []
    begin([...all.values()], all, 2, (one, next) => {
      occupy(one, next)
      begun.push(next.id)
    })
    assert.deepEqual(
      [begun, [...all.keys()]],
      [
        [1, 2],
        [3, 1, 2],
      ],
    )
  })
})
