import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { afterPrefix, compareCodePoints } from './code-points.ts'
import * as fc from '../../test/support/fast-check.ts'

const point = fc.oneof(
  fc.constantFrom(
    '\0',
    'a',
    '\u007f',
    '\u0080',
    '\u07ff',
    '\u0800',
    '\ud7ff',
    '\ue000',
    '\uffff',
    '\u{10000}',
    '\u{1f3ff}',
    '\u{10fffe}',
    '\u{10ffff}',
  ),
  fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
)
const text = fc.array(point, { maxLength: 4 }).map((points) => points.join(''))
const bytes = (left: string, right: string): number => Buffer.compare(Buffer.from(left), Buffer.from(right))

describe('texts by code point', () => {
  it('compare as their UTF-8 bytes do', () =>
    fc.assert(fc.property(text, text, (left, right) => assert.equal(Math.sign(compareCodePoints(left, right)), bytes(left, right)))))

  it('begin with a prefix exactly if they lie between it and what follows it', () =>
    fc.assert(
      fc.property(text, text, fc.boolean(), (prefix, rest, joined) => {
        const whole = joined ? prefix + rest : rest
        const end = afterPrefix(prefix)
        const within = bytes(whole, prefix) >= 0 && (end === undefined || bytes(whole, end) < 0)
        assert.equal(within, whole.startsWith(prefix))
      }),
      { numRuns: 2_000 },
    ))

  const rows: [prefix: string, end: string | undefined][] = [
    ['', undefined],
    ['a', 'b'],
    ['\ud7ff', '\ue000'],
    ['\uffff', '\u{10000}'],
    ['\u{1f3ff}', '\u{1f400}'],
    ['a\u{10ffff}', 'b'],
    ['\u{10ffff}\u{10ffff}', undefined],
  ]
  for (const [prefix, end] of rows)
    it(`after all that begin with ${JSON.stringify(prefix)} comes ${JSON.stringify(end)}`, () => assert.equal(afterPrefix(prefix), end))
})
