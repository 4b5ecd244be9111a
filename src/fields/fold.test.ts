import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { fold, folding } from './fold.ts'
import * as fc from '../../test/support/fast-check.ts'

const MARKS = ['\u0300', '\u0301', '\u0306', '\u0307', '\u0308', '\u0323', '\u0327', '\u0345', '\u034f']
/** Texts of letters, marks and characters that fold() treats in different ways. */
const hostile = fc
  .array(
    fc.oneof(
      fc.constantFrom(...MARKS, ...'İIıiΣσςЁёЕеßẞ№ΆάΩ\u2126K\u212aǅǄﬁ'),
      fc.string({ unit: 'grapheme', maxLength: 2 }),
      fc.string({ unit: 'binary', maxLength: 2 }),
    ),
  )
  .map((parts) => parts.join(''))

/** The expected result of fold(), computed letter by letter. */
function slowly(text: string): string {
  const lower = [...text.normalize('NFC')].map((letter) => letter.toLowerCase()).join('')
  return lower
    .normalize('NFC')
    .replaceAll('ς', 'σ')
    .replace(/ё(\p{M}*)/gu, (_, marks: string) => `е${marks.replaceAll('\u0308', '')}`)
    .normalize('NFC')
}

describe('fold', () => {
  const same: [string, string][] = [
    ['Anna', 'ANNA'],
    ['ёлка', 'ЕЛКА'],
    ['е\u0308лка', 'Ёлка'],
    ['Е\u0308', 'е'],
    ['ΟΔΟΣ', 'οδος'],
    ['ΟΔΟΣ', 'οδοσ'],
    ['é', 'E\u0301'],
    ['\u2126', 'ω'],
    ['\u212a', 'k'],
    ['ẞ', 'ß'],
    ['İ', 'i\u0307'],
    ['ǅ', 'ǆ'],
  ]
  for (const [one, other] of same) it(`takes ${one} and ${other} for the same`, () => assert.equal(fold(one), fold(other)))

  const different: [string, string][] = [
    ['ß', 'ss'],
    ['№', 'No'],
    ['е', 'э'],
    ['й', 'и'],
    ['e', 'é'],
    ['ı', 'i'],
    ['ﬁ', 'fi'],
    ['a', 'а'],
  ]
  for (const [one, other] of different) it(`tells ${one} from ${other}`, () => assert.notEqual(fold(one), fold(other)))

  it('leaves nothing to fold in what is folded', () => {
    fc.assert(
      fc.property(hostile, (text) => assert.equal(fold(fold(text)), fold(text))),
      { numRuns: 3_000 },
    )
  })

  it('leaves nothing to fold in any single code point, nor with a mark behind it', () => {
    for (let point = 0; point <= 0x10ffff; point++) {
      const character = String.fromCodePoint(point)
      const folded = fold(character)
      if (fold(folded) !== folded) assert.fail(`U+${point.toString(16)}`)
      if (point > 0x3000) continue
      for (const mark of MARKS) {
        const marked = fold(character + mark)
        if (fold(marked) !== marked) assert.fail(`U+${point.toString(16)} with U+${mark.codePointAt(0)!.toString(16)}`)
      }
    }
  })

  it('gives the same for all ways to write the same text', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        assert.equal(fold(text.normalize('NFD')), fold(text))
        assert.equal(fold(text.normalize('NFC')), fold(text))
      }),
      { numRuns: 3_000 },
    )
  })

  it('gives NFC without ё, ς and upper case', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const folded = fold(text)
        assert.equal(folded, folded.normalize('NFC'))
        assert.doesNotMatch(folded, /[ёςA-ZА-ЯЁΣ]/)
      }),
      { numRuns: 3_000 },
    )
  })

  it('gives for a text what its parts give, also for a long one', () => {
    const long = fc.tuple(
      hostile,
      fc.constantFrom('е', 'Ё', 'é', '\u1100', '\u{1f680}', '\u{10400}', 'İ', 'x'),
      fc.integer({ min: 1_000, max: 1_100 }),
    )
    fc.assert(
      fc.property(fc.array(long, { minLength: 1, maxLength: 4 }), (parts) => {
        const text = parts.map(([marked, letter, count]) => marked + letter.repeat(count)).join('')
        assert.equal(fold(text), slowly(text))
      }),
      { numRuns: 500 },
    )
  })

  it('takes each code point as it stands with another before it, in whatever form it is written', () => {
    for (let point = 1; point <= 0x10ffff; point++) {
      if (point >= 0xd800 && point < 0xe000) continue
      const character = String.fromCodePoint(point)
      const apart = character.normalize('NFD')
      for (const text of apart === character ? [character, `е${character}`] : [apart, `${apart}x`.repeat(2)])
        if (fold(text) !== slowly(text)) assert.fail(`U+${point.toString(16)}`)
      // The text is divided where NFC could combine characters.
      if (apart.length === character.length || (point > 0xac20 && point < 0xd7a4)) continue
      for (let length = 1_024 - apart.length; length <= 1_024; length++) {
        const text = `${'a'.repeat(length - 1)}я${apart}${'a'.repeat(1_024)}`
        if (fold(text) !== slowly(text)) assert.fail(`U+${point.toString(16)} behind ${length}`)
      }
    }
  })

  it('goes in steps, however the text is written', () => {
    for (const letter of ['Ё', 'е\u0308', 'İ', '\u{1f680}', '\u{10400}', '\u1112\u1161\u11ab', 'a\u0323\u0301']) {
      let count = 0
      for (const _ of folding(letter.repeat(400_000 / letter.length))) count++
      assert.ok(count >= 400_000 / 20_000, `${letter}: ${count} steps`)
    }
  })

  it('takes as long as the text is, also for a heap of diaereses', () => {
    assert.equal(fold(`ё${'\u0308'.repeat(1_000_000)}!`), 'е!')
  })
})
