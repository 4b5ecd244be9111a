import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { marksIn, marksInPhone, snippet, soughtWords } from './marks.ts'

const shown = (text: string, words: string) =>
  marksIn(text, soughtWords(words)).reduceRight((before, [from, to]) => `${before.slice(0, from)}[${before.slice(from, to)}]${before.slice(to)}`, text) // prettier-ignore

describe('words that were searched for', () => {
  for (const [text, words, marked] of [
    ['North Wind', 'wi nor', '[Nor]th [Wi]nd'],
    ['Northwind', 'wind', 'Northwind'],
    ['anna@example.com', 'EXAMPLE', 'anna@[example].com'],
    ['Зелёный Ёж', 'зелен еж', '[Зелён]ый [Ёж]'],
    ['Cafe\u0301 Cafés', 'café', '[Cafe\u0301] [Café]s'],
    ['İstanbul', 'i̇st', '[İst]anbul'],
    ['<b>bold</b>', 'b', '<[b]>[b]old</[b]>'],
    ['a ab abc', 'a ab', '[a] [ab] [ab]c'],
    ['anything', '', 'anything'],
    ['𝒳 marks', 'mark', '𝒳 [mark]s'],
  ] as const)
    it(`${words} in ${text}`, () => assert.equal(shown(text, words), marked))

  it('are the digits of a telephone number', () => {
    assert.deepEqual(marksInPhone('+7 (900) 123-45', soughtWords('7900 12')), [[1, 11]])
    assert.deepEqual(marksInPhone('+7 (900) 123-45', soughtWords('79')), [[1, 5]])
    assert.deepEqual(marksInPhone('+7 (900) 123-45', soughtWords('900')), [])
    assert.deepEqual(marksInPhone('+7 (900) 123-45 ', soughtWords('23-45')), [[10, 15]])
    assert.deepEqual(marksInPhone('+7 (900) 123-45', soughtWords('345')), [])
    assert.deepEqual(marksInPhone('123-45-45', soughtWords('45-45')), [[4, 9]])
    assert.deepEqual(marksInPhone('+7 (900) 123-45', soughtWords('7 2345')), [
      [1, 2],
      [10, 15],
    ])
    assert.deepEqual(marksInPhone('+7 (900) 123-45', soughtWords('7 anna')), [])
  })

  it('stand in the part of a long text that is shown', () => {
    const text = `${'before '.repeat(50)}needle ${'after '.repeat(500)}`
    const { text: part, marks } = snippet(text, marksIn(text, ['needle']))
    assert.ok(part.length < 170 && part.startsWith('…') && part.endsWith('…'), part)
    assert.deepEqual(marks.map(([from, to]) => part.slice(from, to)), ['needle']) // prettier-ignore
    const short = snippet('a needle', marksIn('a needle', ['needle']))
    assert.deepEqual(short, { text: 'a needle', marks: [[2, 8]] })
    const solid = 'x'.repeat(1000)
    assert.equal(snippet(solid, []).text, `${'x'.repeat(160)}…`)
  })

  it('are looked for in the beginning of a very long text only', () => {
    assert.deepEqual(marksIn(`${' '.repeat(20_000)}needle`, ['needle']), [])
  })
})
