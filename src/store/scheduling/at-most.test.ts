import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Abandoned } from '../model/asker.ts'
import { atMost } from './at-most.ts'

/* What bounds long answers (limits.longAnswers, limits.longAnswersWaiting) and passwords. */

describe('work that is done so much at once', () => {
  it('waits in its order, fails for itself alone, and is refused where too much waits', async () => {
    const inTurn = atMost(2, 3)
    const begun: number[] = []
    const ends: (() => void)[] = []
    const work = (i: number) =>
      inTurn(async () => {
        begun.push(i)
        await new Promise<void>((end) => ends.push(end))
        if (i === 1) throw new Error('wrong')
        return i
      })
    const all = Promise.allSettled([1, 2, 3, 4, 5, 6].map(work))
    await Promise.resolve()
    assert.deepEqual(begun, [1, 2])
    for (let i = 0; i < 5; i++) {
      while (ends.length === 0) await new Promise((next) => setImmediate(next))
      assert.ok(begun.length <= i + 2)
      ends.shift()!()
    }
    const results = (await all).map((one) => (one.status === 'fulfilled' ? one.value : (one.reason as { code?: string }).code))
    assert.deepEqual(results, [undefined, 2, 3, 4, 5, 'server.busy'])
    assert.deepEqual(begun, [1, 2, 3, 4, 5])
  })

  it('whose client has gone waits no more, and leaves its place to others', async () => {
    const inTurn = atMost(1, 1)
    const done: string[] = []
    let end = () => {}
    const first = inTurn(() => new Promise<void>((resolve) => (end = resolve)))
    let leave = () => {}
    const client = {
      isGone: false,
      whenGone(call: () => void) {
        leave = call
        return () => {}
      },
    }
    const gone = inTurn(async () => void done.push('gone'), client)
    leave()
    await assert.rejects(gone, Abandoned)
    const next = inTurn(async () => void done.push('next'))
    end()
    await Promise.all([first, next])
    assert.deepEqual(done, ['next'])
    const late = { isGone: true, whenGone: () => () => {} }
    await assert.rejects(
      inTurn(async () => void done.push('late'), late),
      Abandoned,
    )
    assert.deepEqual(done, ['next'])
  })
})
