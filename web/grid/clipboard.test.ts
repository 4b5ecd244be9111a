import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { fromTsv, pastedBeyond, toHtml, toTsv } from './clipboard.ts'

/** Numbers that look random and are the same each time. */
function numbers(seed: number) {
  let state = seed
  return (below: number) => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff
    return (state >> 8) % below
  }
}

describe('cells as text', () => {
  it('are read as they were written, whatever is in them', () => {
    const next = numbers(7)
    const signs = ['a', '"', '\t', '\n', '\r\n', ' ', '""', 'ж', '=1+1', ',', '<b>', "'"]
    for (let round = 0; round < 2000; round++) {
      const cols = 1 + next(4)
      const rows = Array.from({ length: 1 + next(4) }, () =>
        Array.from({ length: cols }, () => Array.from({ length: next(5) }, () => signs[next(signs.length)]).join('')),
      )
      // A last line with one empty cell is what spreadsheets write as the end of the line before.
      if (cols === 1) rows.at(-1)![0] += 'x'
      assert.deepEqual(fromTsv(toTsv(rows)), rows, JSON.stringify(rows))
    }
  })

  it('come from spreadsheets', () => {
    assert.deepEqual(fromTsv('a\tb\r\nc\td\r\n'), [['a', 'b'], ['c', 'd']]) // prettier-ignore
    assert.deepEqual(fromTsv('one'), [['one']])
    assert.deepEqual(fromTsv(''), [['']])
    assert.deepEqual(fromTsv('"two\nlines"\t5" pipe\n"open'), [['two\nlines', '5" pipe'], ['"open']]) // prettier-ignore
  })

  it('are never markup', () => {
    assert.equal(toHtml([['<img src=x>&"', 'a\r\nb']]), '<table><tr><td>&lt;img src=x&gt;&amp;&quot;</td><td>a<br>b</td></tr></table>')
  })

  it('of a megabyte of quotation marks take no time', () => {
    const started = performance.now()
    fromTsv('"'.repeat(1_000_000))
    fromTsv('"a\t'.repeat(300_000))
    assert.equal(performance.now() - started < 5000, true)
  })
})

it('a paste has its limits, also where one cell would fill a range', () => {
  const range = (rows: number, cols: number) => ({ top: 5, bottom: 4 + rows, left: 1, right: cols })
  const cells = (rows: number, cols: number) => Array.from({ length: rows }, () => Array.from({ length: cols }, () => 'x'))
  for (const [pasted, at, expected] of [
    [cells(1000, 10), range(1, 1), undefined],
    [cells(10_000, 1), range(1, 1), undefined],
    [cells(10_001, 1), range(1, 1), 'tooManyRows'],
    [cells(1, 1), range(10_000, 1), undefined],
    [cells(1, 1), range(1_000_000, 1), 'tooManyRows'],
    [cells(2, 1), range(3, 1), undefined],
    [cells(9_500, 11), range(1, 1), 'tooManyCells'],
    [cells(1, 1), range(9_500, 11), 'tooManyCells'],
  ] as const)
    assert.equal(pastedBeyond(pasted, at)?.[0], expected)
})
