import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { daysOf, moved } from './month.ts'

describe('a month', () => {
  it('has whole weeks from Monday', () => {
    for (const month of ['2024-02', '2026-11', '2021-02', '2023-10', '1999-12']) {
      const days = daysOf(month)
      assert.equal(days.length % 7, 0)
      assert.equal(new Date(days[0]!).getUTCDay(), 1)
      assert.equal(days.includes(`${month}-01`), true)
      assert.equal(new Set(days).size, days.length)
    }
    assert.deepEqual([daysOf('2021-02').length, daysOf('2021-02')[0]], [28, '2021-02-01'])
  })

  it('is followed and preceded by others', () => {
    assert.deepEqual([moved('2026-12', 1), moved('2026-01', -1), moved('2026-05', 14)], ['2027-01', '2025-12', '2027-07'])
  })
})
