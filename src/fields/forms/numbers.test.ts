import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { decimal } from '../decimal.ts'
import { plain } from '../field-type.ts'
import { integer } from '../integer.ts'
import * as fc from '../../../test/support/fast-check.ts'

const context = { timeZone: 'UTC' }
const anyUnits = fc.bigInt({ min: -999_999_999_999_999_999n, max: 999_999_999_999_999_999n })
const anyScale = fc.nat(9)

describe('decimal', () => {
  it('reads back what it shows, to the last of 18 digits, at every scale', () => {
    fc.assert(
      fc.property(anyUnits, anyScale, (units, scale) => {
        const settings = { ...plain, scale }
        const shown = decimal.format(units, settings)
        assert.match(shown, scale === 0 ? /^-?\d+$/ : new RegExp(`^-?\\d+\\.\\d{${scale}}$`))
        assert.equal(decimal.parse(shown, settings, context), units)
        assert.equal(decimal.format(String(units), settings), shown)
      }),
      { numRuns: 1_000 },
    )
  })

  it('gives one stored value to all spellings of a number', () => {
    fc.assert(
      fc.property(anyUnits, anyScale, fc.nat(20), fc.nat(20), (units, scale, before, after) => {
        const settings = { ...plain, scale }
        const shown = decimal.format(units, settings)
        const point = scale === 0 && after > 0 ? '.' : ''
        const padded = `${shown.startsWith('-') ? '-' : ''}${'0'.repeat(before)}${shown.replace('-', '')}${point}${'0'.repeat(after)}`
        assert.equal(decimal.parse(padded, settings, context), units)
      }),
    )
  })

  it('keeps 123456789012345.12 digit for digit', () => {
    assert.equal(decimal.format(decimal.parse('123456789012345.12', plain, context), plain), '123456789012345.12')
  })

  it('shows as many zeros as the field has digits after the point', () => {
    assert.equal(decimal.format(0, plain), '0.00')
    assert.equal(decimal.format(0, { ...plain, scale: 0 }), '0')
    assert.equal(decimal.format(0, { ...plain, scale: 9 }), '0.000000000')
  })

  it('refuses digits beyond its scale, but not zeros', () => {
    assert.equal(decimal.parse('1.5000', { ...plain, scale: 1 }, context), 15n)
    assert.throws(() => decimal.parse('1.25', { ...plain, scale: 1 }, context), {
      message: "'1.25' has more than 1 digit after the point.",
    })
    assert.throws(() => decimal.parse('1000000000', { ...plain, scale: 9 }, context), { code: 'field.invalid_value' })
  })
})

describe('bounds of a number', () => {
  const settings = { ...plain, min: '-1.5', max: '10' }
  it('are in the range', () => {
    for (const sent of ['-1.5', '0', '10.00']) decimal.parse(sent, settings, context)
    for (const sent of ['-1.51', '10.01']) assert.throws(() => decimal.parse(sent, settings, context), { code: 'field.invalid_value' })
    assert.throws(() => integer.parse('11', { ...plain, max: '10' }, context), { message: 'The number is greater than 10.' })
  })
  it('do not bind emptying a field, nor the literals of filters', () => {
    assert.equal(decimal.parse('', { ...plain, min: '5' }, context), 0n)
    assert.equal(decimal.literal!('99', settings, context), 9900n)
    assert.equal(integer.literal!('-99', { ...plain, min: '0' }, context), -99n)
  })
})
