import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { drawnAt, heightOf, measured, PAGE, topOf, wholeOf, type LaneHeights } from './lane-pages.ts'

describe('pages of a lane', () => {
  const of = (cards: number, known: Record<number, number> = {}): LaneHeights => ({
    cards,
    page: 2000,
    known: new Map(Object.entries(known).map(([page, height]) => [Number(page), height])),
  })

  it('lie one below the other, whatever their heights are', () => {
    const lane = of(PAGE * 10 + 5, { 0: 1000, 3: 3000, 10: 77 })
    for (let page = 0; page <= 10; page++) assert.equal(topOf(page + 1, lane), topOf(page, lane) + heightOf(page, lane), String(page))
    assert.equal(heightOf(1, lane), 2000)
    assert.equal(heightOf(10, lane), 77)
    assert.equal(wholeOf(lane), topOf(11, lane))
    assert.equal(heightOf(1, of(PAGE + 5, { 0: 800 })), 500)
  })

  it('are drawn near the window only; one that has the focus stays', () => {
    const lane = of(100_000, { 0: 2000 })
    assert.deepEqual(drawnAt(0, 700, lane), [0])
    assert.deepEqual(drawnAt(1_000_000, 700, lane), [499, 500])
    assert.deepEqual(drawnAt(1_000_000, 700, lane, 2), [2, 499, 500])
    assert.deepEqual(drawnAt(0, 700, lane, 4999), [0, 4999])
    assert.deepEqual(drawnAt(0, 700, lane, 5000), [0])
    assert.deepEqual(drawnAt(wholeOf(lane) - 700, 700, lane), [4999])
    assert.deepEqual(drawnAt(0, 700, of(0)), [])
  })

  it('of a million cards are not higher than a browser allows, however far one has scrolled', () => {
    let known: ReadonlyMap<number, number> = new Map()
    for (let page = 0; page < 5000; page++) known = measured({ ...of(1_000_000), known }, new Map([[page, 2400]]))
    assert.ok(wholeOf({ ...of(1_000_000), known }) < 16_000_000)
    assert.ok(known.size < 5)
    let few: ReadonlyMap<number, number> = new Map()
    for (let page = 0; page < 5000; page++) few = measured({ ...of(100_000), known: few }, new Map([[page, 2400]]))
    assert.ok(few.size <= 501)
  })
})
