import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { heightOf, numbersWidth, placeAt, placeWith, rowsAt, scrolled, type Place } from './scroll.ts'

const list = (rows: number) => ({ rows, height: 33, view: 660 })

describe('the rows of a list', () => {
  for (const rows of [3, 1000, 242_424, 1_000_000, 10_000_000]) {
    it(`are all reached in a list of ${rows}`, () => {
      const it = list(rows)
      for (const row of [0, 1, Math.floor(rows / 3), Math.floor(rows / 2), rows - 2, rows - 1]) {
        const place = placeWith(row, { top: 0, at: 0 }, it)
        const { from, to } = rowsAt(place, it)
        assert.equal(from <= row && row <= to, true, `${row}: ${from}–${to}`)
        assert.equal(place.top >= 0 && place.top <= Math.max(0, heightOf(it) - it.view), true)
      }
    })

    it(`move by pixels with a wheel in a list of ${rows}, and never out of it`, () => {
      const it = list(rows)
      const end = Math.max(0, heightOf(it) - it.view)
      let place: Place = placeAt((rows * 33) / 2, it)
      for (const by of [100, 100, -33, 1, 400]) {
        const top = Math.min(end, Math.max(0, place.top + by))
        const next = scrolled(place, top, it)
        if (top > 0 && top < end) assert.equal(next.at - place.at, by)
        place = next
      }
    })
  }

  it('are at the same part of the list where the bar was dragged to', () => {
    const it = list(1_000_000)
    const end = heightOf(it) - it.view
    const { from } = rowsAt(scrolled({ top: 0, at: 0 }, end / 2, it), it)
    assert.equal(Math.abs(from - 500_000) < 20, true, String(from))
    assert.equal(rowsAt(scrolled({ top: 0, at: 0 }, end, it), it).to, 999_999)
    assert.equal(rowsAt(scrolled({ top: end, at: 1e9 }, 0, it), it).from, 0)
  })

  it('keep the width of their numbers while a search leaves fewer of them', () => {
    const all = numbersWidth(1, 1_000_000)
    assert.equal(numbersWidth(1, 20), all)
    assert.equal(numbersWidth(1, 10_000_000) > all, true)
    assert.equal(numbersWidth(2, 20) < all, true)
  })
})
