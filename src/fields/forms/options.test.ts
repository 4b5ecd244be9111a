import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { plain } from '../field-type.ts'
import { list } from '../list.ts'
import { multilist } from '../multilist.ts'

const option = (id: number, label: string, removed = false) => ({ id, label, removed })
const settings = {
  ...plain,
  options: [option(5, 'won', true), option(1, 'Won'), option(2, 'WON'), option(9, 'Lost', true), option(12, 'Новый')],
}
const context = { timeZone: 'UTC' }
const refused = { code: 'field.invalid_value' }

describe('the option of a label', () => {
  it('is the one spelled just so, or else the first that folds alike', () => {
    assert.equal(list.parse('WON', settings, context), 2)
    assert.equal(list.parse('Won', settings, context), 1)
    assert.equal(list.parse('wOn', settings, context), 1)
    assert.equal(list.parse('НОВЫЙ', settings, context), 12)
  })
  it('is none that was removed, except in filters', () => {
    assert.throws(() => list.parse('Lost', settings, context), { message: "The option 'Lost' has been removed." })
    assert.throws(() => multilist.parse('Won\r\nLost', settings, context), refused)
    assert.equal(list.literal!('lost', settings, context), 9)
    assert.equal(list.literal!('Won', settings, context), 1)
    assert.equal(multilist.literal!('Lost\r\nWon', settings, context), '-9-1-')
    assert.equal(multilist.member!('Lost', settings), '-9-')
    assert.throws(() => list.literal!('Gone', settings, context), refused)
    assert.throws(() => multilist.member!('Gone', settings), refused)
  })
  it('shows also after it was removed, and by its new label after a change', () => {
    assert.equal(list.format(9, settings), 'Lost')
    assert.equal(multilist.format('-12-9-', settings), 'Новый\r\nLost')
    assert.equal(list.format(12, { ...plain, options: [option(12, 'Neu')] }), 'Neu')
  })
  it('is never one of the object that all objects have', () => {
    for (const label of ['constructor', '__proto__', 'toString']) assert.throws(() => list.parse(label, settings, context), refused)
  })
})

it('several options are compared as they are shown', () => assert.equal(multilist.key!('-12-9-', settings), 'новый\r\nlost'))
