import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { fieldType } from '../../src/fields/index.ts'
import { looksLikeAddress, looksLikeMail, looksLikePhone } from './doubts.ts'

describe('texts that are being typed', () => {
  for (const [type, looks] of [
    ['email', looksLikeMail],
    ['phone', looksLikePhone],
    ['url', looksLikeAddress],
  ] as const) {
    const { examples, rejects } = fieldType(type)!
    it(`are not doubted where ${type} is right`, () => {
      for (const [text] of examples) if (text !== '') assert.equal(looks(String(text)), true, String(text))
    })
    // Lines are trimmed before they are sent, and the length is that of the field.
    const wrong = rejects.map(String).filter((text) => text.trim() === text && text.length < 64)
    it(`are doubted where ${type} is wrong`, () => {
      assert.ok(wrong.length > 3)
      for (const text of wrong) assert.equal(looks(text), false, text)
    })
  }
})
