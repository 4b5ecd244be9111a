import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { plain } from './field-type.ts'
import { phone } from './phone.ts'

describe('phone', () => {
  it('is compared by its digits', () => {
    assert.equal(phone.key!('+7 (900) 123-45-67', plain), '79001234567')
    assert.equal(phone.key!('', plain), '')
  })
  it('is searched by digits', () => {
    assert.equal(phone.part!('(900) 1'), '9001')
    assert.equal(phone.part!(''), '')
  })
  it('is not searched by what has no digit, which would find every number', () => {
    for (const text of ['abc', '+', ' ']) {
      assert.throws(() => phone.part!(text), { code: 'field.invalid_value' })
      assert.throws(() => phone.literal!(text, plain, { timeZone: 'UTC' }), { code: 'field.invalid_value' })
    }
  })
})
