import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { dayAfter, daysOf, moved, weekOf } from './month.ts'

describe('a month', () => {
  it('has whole weeks, from the day on which they begin', () => {
    for (const month of ['2024-02', '2026-11', '2021-02', '2023-10', '1999-12'])
      for (const begin of [0, 1, 5, 6]) {
        const days = daysOf(month, begin)
        assert.equal(days.length % 7, 0)
        assert.equal(new Date(days[0]!).getUTCDay(), begin)
        assert.deepEqual([days.slice(0, 7).includes(`${month}-01`), days.slice(-7).includes(dayAfter(`${moved(month, 1)}-01`, -1))], [true, true]) // prettier-ignore
        assert.deepEqual(
          days,
          days.map((_, i) => dayAfter(days[0]!, i)),
        )
      }
    assert.deepEqual([daysOf('2021-02', 1).length, daysOf('2021-02', 1)[0]], [28, '2021-02-01'])
    assert.deepEqual([daysOf('2021-02', 0).length, daysOf('2021-02', 0)[0]], [35, '2021-01-31'])
  })

  it('has weeks of their own, also over the end of a year', () => {
    for (const day of ['2026-12-28', '2026-12-31', '2027-01-03']) {
      const days = weekOf(day, 1)
      assert.deepEqual([days.length, days[0], days[6]], [7, '2026-12-28', '2027-01-03'])
      assert.equal(weekOf(day, 0)[0], day === '2027-01-03' ? day : '2026-12-27')
    }
    assert.deepEqual([dayAfter('2024-02-28', 1), dayAfter('2027-01-03', 1), dayAfter('2024-03-01', -7)], ['2024-02-29', '2027-01-04', '2024-02-23']) // prettier-ignore
  })

  it('is followed and preceded by others', () => {
    assert.deepEqual([moved('2026-12', 1), moved('2026-01', -1), moved('2026-05', 14)], ['2027-01', '2025-12', '2027-07'])
  })
})
