import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from '../../test/support/fast-check.ts'
import { limits } from '../limits.ts'
import { MOST_ATTEMPTS, nextAfter, readRetryAfter } from './backoff.ts'

const DAY = 86_400_000
/** The waits of a delivery that never succeeds. */
function waits(chance: number, retryAfter?: number): number[] {
  const all: number[] = []
  for (let attempts = 1; ; attempts++) {
    const next = nextAfter({ status: 503, retryAfter }, attempts, chance)
    if (next.is !== 'waiting') return all
    all.push(next.milliseconds)
  }
}

describe('after an attempt to deliver a webhook', () => {
  it('it is delivered by any 2xx, and by nothing else', () => {
    for (const status of [200, 201, 202, 204, 299]) assert.deepEqual(nextAfter({ status }, 1, 0), { is: 'delivered' })
    for (const status of [100, 101, 199, 300, 301, 304, 307, 400, 401, 404, 422, 429, 500, 503, 599, 0])
      assert.equal(nextAfter({ status }, 1, 0).is, 'waiting', String(status))
  })

  it('the waits grow to two hours, for three days, then it is parked', () => {
    const shortest = waits(0)
    assert.deepEqual(shortest.slice(0, 8), [5_000, 30_000, 120_000, 600_000, 1_800_000, 3_600_000, 7_200_000, 7_200_000])
    assert.equal(shortest.length, MOST_ATTEMPTS - 1)
    const sum = (all: readonly number[]): number => all.reduce((total, wait) => total + wait, 0)
    assert.ok(sum(shortest) >= 3 * DAY && sum(shortest) < 3.1 * DAY, String(sum(shortest)))
    assert.ok(sum(waits(1)) < 3.75 * DAY)
  })

  it('it is parked after the last attempt, whatever went wrong', () => {
    for (const outcome of [{ status: 500 }, { status: 429, retryAfter: 1_000 }, { fault: 'timed_out', detail: '' }] as const) {
      assert.equal(nextAfter(outcome, MOST_ATTEMPTS - 1, 0.5).is, 'waiting')
      assert.deepEqual(nextAfter(outcome, MOST_ATTEMPTS, 0.5), { is: 'parked' })
    }
    assert.deepEqual(nextAfter({ status: 204 }, MOST_ATTEMPTS, 0.5), { is: 'delivered' })
  })

  it('410 Gone parks it at once', () => {
    assert.deepEqual(nextAfter({ status: 410 }, 1, 0), { is: 'parked' })
  })

  it('Retry-After makes a wait longer, up to two hours, and never shorter', () => {
    const after = (retryAfter: number, attempts: number) => nextAfter({ status: 429, retryAfter }, attempts, 0)
    assert.deepEqual(after(60_000, 1), { is: 'waiting', milliseconds: 60_000 })
    assert.deepEqual(after(60_000, 4), { is: 'waiting', milliseconds: 600_000 })
    assert.deepEqual(after(0, 1), { is: 'waiting', milliseconds: 5_000 })
    assert.deepEqual(after(365 * DAY, 1), { is: 'waiting', milliseconds: limits.webhookWait.most })
    assert.equal(waits(0, 365 * DAY).length, MOST_ATTEMPTS - 1)
  })

  it('chance makes a wait up to a fifth longer', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: MOST_ATTEMPTS - 1 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.option(fc.nat()),
        (attempts, chance, asked) => {
          const outcome = { status: 503, retryAfter: asked ?? undefined }
          const [least, next] = [nextAfter(outcome, attempts, 0), nextAfter(outcome, attempts, chance)]
          if (least.is !== 'waiting' || next.is !== 'waiting') return assert.fail('It is parked too early.')
          assert.ok(next.milliseconds >= least.milliseconds && next.milliseconds <= least.milliseconds * 1.2 + 1)
          assert.ok(next.milliseconds <= limits.webhookWait.most * 1.2)
        },
      ),
    )
    assert.deepEqual(nextAfter({ status: 500 }, 1, 1), { is: 'waiting', milliseconds: 6_000 })
  })
})

it('reads Retry-After as seconds or as a date', () => {
  const now = Date.UTC(2026, 10, 22, 12, 0, 0)
  for (const [text, milliseconds] of [
    ['0', 0],
    ['120', 120_000],
    ['Sun, 22 Nov 2026 12:01:30 GMT', 90_000],
    ['Sun, 22 Nov 2026 11:00:00 GMT', 0],
    ['9999999999', 9_999_999_999_000],
    [undefined, undefined],
    ['', undefined],
    ['-1', undefined],
    ['1.5', undefined],
    ['1e3', undefined],
    ['99999999999', undefined],
    ['soon', undefined],
    ['2027', 2_027_000],
    ['2027-01-01', undefined],
    ['Sun, 99 Nov 2026 12:01:30 GMT', undefined],
    ['Sun, 22 Nov 2026 12:01:30', undefined],
  ] as const)
    assert.equal(readRetryAfter(text, now), milliseconds, String(text))
})
