import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { guessType, looksLike } from './guess-type.ts'

// prettier-ignore
const rows: readonly (readonly [header: string, samples: readonly string[], type: string])[] = [
  ['n', ['1', '-20', ''], 'integer'],
  ['n', ['0', '1'], 'integer'],
  ['n', ['1', '2.50'], 'decimal'],
  ['n', ['1', '1e3'], 'text'],
  ['n', ['007', '8'], 'text'],
  ['n', ['1234567890123456789'], 'text'],
  ['n', ['2024-02-29'], 'date'],
  ['n', ['2024-02-30'], 'text'],
  ['n', ['2024-02-29 10:00:00.123', '2024-03-01'], 'datetime'],
  ['n', ['2024-02-29 00:00:00.000', '2024-03-01 00:00:00', '2024-03-02'], 'date'],
  ['n', ['2024-02-29 00:00:00.000', '2024-03-01 00:00:01.000'], 'datetime'],
  ['n', ['true', 'FALSE'], 'boolean'],
  ['n', ['anna@example.com', 'b@пример.рф'], 'email'],
  ['n', ['anna@example.com', 'nobody@'], 'text'],
  ['n', ['https://example.com/x', 'http://example.com'], 'url'],
  ['n', ['http://'], 'text'],
  ['Phone', ['+49 30 123', '(030) 0074321'], 'phone'],
  ['Телефон', ['84951234567'], 'phone'],
  ['fax', ['none', '030-0074321'], 'text'],
  ['n', ['84951234567'], 'integer'],
  ['n', [], 'text'],
  ['n', ['', ''], 'text'],
  ['n', ['one\ntwo'], 'longtext'],
  ['n', ['x'.repeat(201)], 'longtext'],
  ['n', ['x'.repeat(200)], 'text'],
]

describe('guessing the type of a column', () => {
  for (const [header, samples, type] of rows) {
    it(`takes ${header} ${JSON.stringify(samples).slice(0, 60)} for ${type}`, () => {
      assert.equal(guessType(header, samples, { timeZone: 'UTC' }).type, type)
    })
  }

  it('gives a decimal as many digits as the samples have, and at least two', () => {
    assert.deepEqual(guessType('n', ['1.5', '2'], { timeZone: 'UTC' }), { type: 'decimal', scale: 2 })
    assert.deepEqual(guessType('n', ['1.5', '2.12345'], { timeZone: 'UTC' }), { type: 'decimal', scale: 5 })
  })

  it('does not take a code for the number that was guessed', () => {
    assert.equal(looksLike('integer', '007'), false)
    assert.equal(looksLike('integer', '7'), true)
    assert.equal(looksLike('longtext', 'anything'), true)
  })
})
