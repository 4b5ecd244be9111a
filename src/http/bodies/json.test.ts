import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Failure } from '../../errors.ts'
import { parseJson, plainNumber } from './json.ts'
import * as fc from '../../../test/support/fast-check.ts'

const parse = (text: string) => parseJson(Buffer.from(text))

describe('the JSON of a body', () => {
  it('is what JSON.parse makes of it, for everything a double holds', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        assert.deepEqual(parse(text), JSON.parse(text))
      }),
    )
  })

  it('keeps a number that would be rounded as its text', () => {
    for (const [sent, read] of [
      ['7', 7],
      ['-1.50', -1.5],
      ['123456789012345', 123456789012345],
      ['1234567890123456', 1234567890123456],
      ['9007199254740993', '9007199254740993'],
      ['123456789012345.12', Number('123456789012345.12')],
      ['1234567890123456.12', '1234567890123456.12'],
      ['-0.1234567890123456789', '-0.1234567890123456789'],
      ['1e3', 1000],
      ['1e400', `1${'0'.repeat(400)}`],
      ['1e-400', `0.${'0'.repeat(399)}1`],
      ['1e999999999', '1e999999999'],
      ['12345678901234567891e-4', '1234567890123456.7891'],
      ['0.10000000000000000', 0.1],
      ['1E+2', 100],
    ] as const) {
      assert.deepEqual(parse(`{"a":[${sent}],"b":${sent}}`), { a: [read], b: read }, sent)
      assert.deepEqual(parse(`[1, ${sent}]`), [1, read], sent)
    }
  })

  it('leaves texts alone that look like numbers', () => {
    assert.deepEqual(parse('{"a":"12345678901234567890","b":":1e5","c":12345678901234567890}'), {
      a: '12345678901234567890',
      b: ':1e5',
      c: '12345678901234567890',
    })
  })

  it('has no prototype to poison', () => {
    const value = parse('{"__proto__":{"admin":true},"n":12345678901234567890}') as Record<string, unknown>
    assert.ok(Object.hasOwn(value, '__proto__'))
    assert.equal(value['admin'], undefined)
  })

  it('is refused, never a crash, for any other text', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'{}[]:,"0123456789eE.-+ntf\\u '), maxLength: 40 }), (text) => {
        try {
          parse(text)
        } catch (error) {
          assert.ok(error instanceof Failure && error.code === 'body.malformed')
        }
      }),
    )
  })
})

it('a plain number is the same number without exponent', () => {
  for (const [source, plain] of [
    ['0', '0'],
    ['-0', '0'],
    ['-0.00', '0'],
    ['1.50', '1.5'],
    ['1e-7', '0.0000001'],
    ['-12.5e1', '-125'],
    ['1.5e3', '1500'],
    ['0.001e2', '0.1'],
    ['100', '100'],
    ['1e21', '1000000000000000000000'],
    ['NaN', 'NaN'],
  ] as const) {
    assert.equal(plainNumber(source), plain, source)
  }
  fc.assert(fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (number) => Number(plainNumber(String(number))) === number))
})
