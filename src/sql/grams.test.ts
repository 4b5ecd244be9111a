import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { gramsOf, gramsWithin, searchFor } from './grams.ts'
import * as fc from '../../test/support/fast-check.ts'

const unit = fc.oneof(fc.constantFrom(...'ab 1'), fc.constantFrom(...'ё漢😀"\'\u0001\r\u0301z9.'))
const text = fc.string({ unit, maxLength: 40 })
/** A text, and a piece of it or of another. */
const asked = fc
  .tuple(text, text, fc.nat(40), fc.integer({ min: 3, max: 30 }), fc.boolean())
  .map(([whole, other, from, length, isHeld]) => ({
    whole,
    needle: [...(isHeld ? whole : other)]
      .slice(from % 20)
      .slice(0, length)
      .join(''),
  }))
  .filter(({ needle }) => [...needle].length >= 3)

const listed = (whole: string): string[] => gramsOf(whole).split('\0').slice(0, -1)

describe('grams', () => {
  it('stand at every character of a text but the last two', () => {
    const grams = ['wait fo', 'ait for', 'it for ', 't for 2', ' for 2', 'for 20', 'or 20', 'r 202', ' 202', '2024', '024']
    assert.deepEqual(listed('wait for 2024'), grams)
    assert.deepEqual(listed('漢字かな'), ['漢字か', '字かな'])
    assert.deepEqual([listed('ab'), listed('')], [[], []])
  })

  it('of a text that another one does not have make its grams of the other ones, each once', () =>
    fc.assert(
      fc.property(text, text, (before, after) => {
        const lost = gramsOf(before, after).split('\0').slice(0, -1)
        const kept = listed(before).filter((gram) => !lost.includes(gram))
        const gained = gramsOf(after, before).split('\0').slice(0, -1)
        // As lists: the index counts how many there are.
        assert.deepEqual([...kept, ...gained].sort(), listed(after).sort())
      }),
    ))

  it('of a needle stand in every text that holds it, and never in the middle of a character', () =>
    fc.assert(
      fc.property(asked, ({ whole, needle }) => {
        const grams = listed(whole)
        assert.ok(grams.every((gram) => gram.isWellFormed() && [...gram].length >= 3))
        if (whole.includes(needle)) assert.ok(gramsWithin(needle).every((gram) => grams.includes(gram)))
      }),
      { numRuns: 2000 },
    ))

  it('find exactly the texts that hold a needle where it is one or the beginning of one, and all of them where it is longer', () =>
    fc.assert(
      fc.property(asked, ({ whole, needle }) => {
        const grams = listed(whole)
        const search = searchFor(needle, () => 0.01)
        const found = search.grams.every((asked) =>
          grams.some((gram) => (search.by === 'beginning' ? gram.startsWith(asked) : gram === asked)),
        )
        if (search.by === 'several') assert.ok(found || !whole.includes(needle))
        else assert.equal(found, whole.includes(needle))
      }),
      { numRuns: 2000 },
    ))

  it('that are asked for are the rarest, and no more of them than pay', () => {
    const shares: Readonly<Record<string, number>> = { 't for a': 0.001, 'r anoth': 0.02, ' for an': 0.002 }
    const search = searchFor('wait for another', (gram) => shares[gram] ?? 0.5)
    assert.deepEqual(search.grams, ['t for a', 'r anoth'])
    assert.ok(search.share < 0.0005)
    assert.ok(searchFor('wait for another quote of ours', () => 0.3).grams.length <= 4)
    assert.ok(searchFor('wait for another', () => 0.9).share > 0.5)
  })

  it('of a needle that is cut in the middle of a character end before it', () => {
    for (const length of [118, 119, 120, 121]) {
      const needle = `${'wait for '.repeat(14).slice(0, length)}😀 and so on`
      const grams = listed(`(${needle})`)
      assert.ok(gramsWithin(needle).every((gram) => grams.includes(gram)))
    }
  })

  it('of a needle without end are those of its beginning', () => assert.ok(gramsWithin('wait for '.repeat(10_000)).length <= 120))
})
