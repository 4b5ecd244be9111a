import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from '../../test/support/fast-check.ts'
import { beginsWord, separatorClass, wordsOf } from './words.ts'

const SEPARATOR = /[\p{P}\p{S}\p{Z}\p{Cc}\p{Cf}\p{Co}]/u
const UNASSIGNED = /\p{Cn}/u

describe('words', () => {
  it('are divided by punctuation, symbols, blanks and control characters, and by nothing else', () => {
    // Of each 16 code points beyond the first plane one is enough.
    const points = Array.from({ length: 0x11000 * 2 }, (_, n) => (n < 0x11000 ? n : (n - 0x11000) * 16 + (n % 16)))
    for (const point of points) {
      if (point >= 0xd800 && point < 0xe000) continue
      const character = String.fromCodePoint(point)
      if (!UNASSIGNED.test(character))
        assert.equal(wordsOf(`a${character}b`).length === 2, SEPARATOR.test(character), `U+${point.toString(16)}`)
    }
  })

  it('begin with a part exactly if one of them does', () => {
    const text = fc.string({ unit: fc.constantFrom(...'ab1.- é\u0301', '𝐀', '😀', '\ue000'), maxLength: 12 })
    fc.assert(
      fc.property(text, text, (text, other) => {
        for (const part of [...wordsOf(other), ...wordsOf(text).map((word) => String.fromCodePoint(word.codePointAt(0)!))])
          assert.equal(
            beginsWord(text, part),
            wordsOf(text).some((word) => word.startsWith(part)),
            `${text} ${part}`,
          )
      }),
      { numRuns: 500 },
    )
  })

  it('are found in a time that grows with the length of the text', () => {
    const time = (length: number) => {
      const text = 'a'.repeat(length)
      const begun = performance.now()
      assert.ok(!beginsWord(`b${text}`, 'aaaa'))
      return performance.now() - begun
    }
    time(10_000)
    // The shortest of many short times: another process may take the processor in some of them.
    const once = Math.min(...Array.from({ length: 20 }, () => time(50_000)))
    const fourfold = Math.min(...Array.from({ length: 20 }, () => time(200_000)))
    assert.ok(fourfold < 8 * once + 1, `${once} ms, ${fourfold} ms`)
  })

  it('have a class of separators for a regular expression of PostgreSQL without signs that mean something in it', () => {
    assert.ok(!/[[\]^\0]/.test(separatorClass.replaceAll(/\\u[0-9a-f]{4}/g, '')))
    assert.ok(separatorClass.isWellFormed())
  })
})
