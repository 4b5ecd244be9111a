import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { judge, type Minute } from './judge.ts'

const TIMES = Array.from({ length: 1_000 }, (_, i) => 1 + (i % 100))

/** Of an hour: times from 1 to 100 ms, memory and handles that go up and down. */
const hour = (alter: (n: number) => Partial<Minute> = () => ({})): Minute[] =>
  Array.from({ length: 60 }, (_, n) => ({
    times: TIMES,
    due: 1_000,
    refused: 2,
    faults: 0,
    rss: 250 + 10 * (n % 3),
    handles: 70 + 4 * (n % 5),
    ...alter(n),
  }))

const wrongOf = (alter?: (n: number) => Partial<Minute>) => judge(hour(alter)).wrong

describe('the verdict on a soak', () => {
  it('finds nothing wrong where all stays as it was, also after a beginning that was otherwise', () => {
    assert.deepEqual(wrongOf(), [])
    assert.deepEqual(
      wrongOf((n) => (n < 9 ? { rss: 150 + 10 * n, handles: 20 + 5 * n } : {})),
      [],
    )
  })

  const planted: readonly [what: string, said: RegExp, alter: (n: number) => Partial<Minute>][] = [
    ['a MiB a minute is never given back', /memory changed by 49/, (n) => ({ rss: 250 + n })],
    ['a handle is left open every two minutes', /handles changed by 24/, (n) => ({ handles: 70 + n / 2 })],
    ['a hundredth of the requests of each minute gets slower', /p99 of the first/, (n) => ({ times: [...TIMES, ...slow(n)] })],
    ['two requests in a hundred are refused', /1200 were answered by 503/, () => ({ refused: 20 })],
    ['one request fails in the hour', /1 were answered by a fault/, (n) => ({ faults: n === 37 ? 1 : 0 })],
    ['the server cannot keep up', /of 66000 requests/, () => ({ due: 1_100 })],
    ['it stood for a while, and came after', /in these minutes: 38/, (n) => ({ due: n === 37 ? 1_100 : n === 38 ? 900 : 1_000 })],
  ]
  for (const [what, said, alter] of planted) {
    it(`finds it where ${what}`, () => {
      const wrong = wrongOf(alter)
      assert.equal(wrong.length, 1, wrong.join('; '))
      assert.match(wrong[0]!, said)
    })
  }
})

/** As many as change the hundredth part, ever slower. */
const slow = (n: number): number[] => Array.from({ length: 15 }, () => 100 + 2 * n)
