import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { convertThroughText } from './convert.ts'
import { plain, type FieldSettings, type Stored } from './field-type.ts'
import { fieldType, fieldTypes } from './index.ts'

const option = (id: number, label: string, removed = false) => ({ id, label, removed })
const options = [option(3, 'New'), option(7, 'Won'), option(9, 'Lost', true)]
const context = { timeZone: 'UTC' }
const settingsOf = (name: string, extra: Partial<FieldSettings> = {}): FieldSettings => ({
  ...plain,
  ...(fieldType(name)!.settings.includes('options') && { options }),
  ...(name.startsWith('reference') && { referenceTableId: 1 }),
  ...extra,
})
const convert = (from: string, stored: Stored, to: string, extra: { from?: Partial<FieldSettings>; to?: Partial<FieldSettings> } = {}) =>
  convertThroughText(fieldType(from)!, settingsOf(from, extra.from), stored, fieldType(to)!, settingsOf(to, extra.to), context)

describe('a value of another type', () => {
  const kept: [from: string, stored: Stored, to: string, converted: Stored][] = [
    ['text', '12', 'integer', 12n],
    ['text', '12.50', 'decimal', 1250n],
    ['text', 'won', 'list', 7],
    ['text', 'New', 'multilist', '-3-'],
    ['text', '2024-05-01', 'date', '2024-05-01'],
    ['text', 'a', 'longtext', 'a'],
    ['longtext', 'a', 'text', 'a'],
    ['longtext', 'New\r\nWon', 'multilist', '-3-7-'],
    ['text', '1', 'boolean', 1],
    ['text', '+7 900', 'phone', '+7 900'],
    ['list', 7, 'text', 'Won'],
    ['list', 9, 'text', 'Lost'],
    ['list', 7, 'multilist', '-7-'],
    ['list', 9, 'multilist', '-9-'],
    ['multilist', '-9-', 'list', 9],
    ['multilist', '-3-7-', 'longtext', 'New\r\nWon'],
    ['decimal', 500n, 'integer', 5n],
    ['decimal', '-500', 'integer', -5n],
    ['decimal', 100n, 'boolean', 1],
    ['decimal', 150n, 'text', '1.50'],
    ['integer', '42', 'decimal', 4200n],
    ['integer', 42, 'text', '42'],
    ['integer', 5, 'reference', 5],
    ['boolean', 1, 'integer', 1n],
    ['autonumber', 5, 'integer', 5n],
    ['integer', 5, 'autonumber', 5n],
    ['date', '2024-05-01', 'datetime', '2024-05-01 00:00:00'],
    ['datetime', '2024-05-01 00:00:00', 'date', '2024-05-01'],
    ['datetime', '2024-05-01 10:00:00', 'text', '2024-05-01 10:00:00'],
    ['reference', 5, 'references', '-5-'],
    ['references', '-5-', 'reference', 5],
    ['reference', 5, 'integer', 5n],
    ['references', '-4-7-', 'text', '-4-7-'],
    ['user', 2, 'users', '-2-'],
    ['users', '-2-', 'integer', 2n],
    ['image', 'a.png', 'file', 'a.png'],
    ['file', 'a.png\r\nb.jpg', 'image', 'a.png\r\nb.jpg'],
    ['integer', 0, 'text', '0'],
    ['decimal', 0, 'date', '0000-00-00'],
    ['boolean', 0, 'list', 0],
    ['integer', 0n, 'references', ''],
  ]
  for (const [from, stored, to, converted] of kept) {
    it(`${from} ${JSON.stringify(String(stored))} is ${JSON.stringify(String(converted))} as ${to}`, () =>
      assert.equal(convert(from, stored, to), converted))
  }

  const lost: [from: string, stored: Stored, to: string][] = [
    ['text', 'abc', 'integer'],
    ['text', '1.5', 'integer'],
    ['text', 'Old', 'list'],
    ['text', 'Lost', 'list'],
    ['longtext', 'a\r\nb', 'text'],
    ['longtext', 'x'.repeat(256), 'text'],
    ['decimal', 150n, 'integer'],
    ['decimal', 200n, 'boolean'],
    ['integer', '999999999999999999', 'decimal'],
    ['datetime', '2024-05-01 10:00:00', 'date'],
    ['multilist', '-3-7-', 'list'],
    ['multilist', '-3-7-', 'text'],
    ['references', '-4-7-', 'reference'],
    ['reference', 5, 'user'],
    ['user', 5, 'group'],
    ['users', '-5-', 'reference'],
    ['file', 'a.png', 'text'],
    ['text', 'a.png', 'file'],
    ['file', 'a.pdf', 'image'],
    ['integer', 5, 'date'],
    ['boolean', 1, 'list'],
  ]
  for (const [from, stored, to] of lost)
    it(`${from} ${JSON.stringify(String(stored).slice(0, 20))} cannot be ${to}`, () => assert.equal(convert(from, stored, to), undefined))

  it('obeys the settings of the new field', () => {
    assert.equal(convert('text', 'abc', 'text', { to: { maxLength: 2 } }), undefined)
    assert.equal(convert('decimal', 150n, 'decimal', { to: { scale: 1 } }), 15n)
    assert.equal(convert('decimal', 155n, 'decimal', { to: { scale: 1 } }), undefined)
    assert.equal(convert('integer', 5, 'integer', { to: { max: '4' } }), undefined)
    assert.equal(convert('reference', 5, 'references', { to: { referenceTableId: 2 } }), undefined)
    assert.equal(convert('list', 7, 'list', { to: { options: [option(70, 'Won')] } }), 70)
  })

  for (const from of fieldTypes) {
    it(`is empty where the ${from.name} is empty`, () => {
      if (!from.hasEmpty) return
      for (const to of fieldTypes) assert.equal(convert(from.name, from.empty, to.name), to.empty, to.name)
    })
    it(`is kept or given up, without a fault: ${from.name} to every type`, () => {
      const settings = { ...settingsOf(from.name), ...from.exampleSettings }
      for (const [sent] of from.examples) {
        const stored = from.parse(sent, settings, context)
        for (const to of fieldTypes) {
          const toSettings = { ...settingsOf(to.name), ...to.exampleSettings }
          const converted = convertThroughText(from, settings, stored, to, toSettings, context)
          if (from === to) assert.equal(String(converted), String(stored))
          else if (converted !== undefined) to.format(converted, toSettings)
        }
      }
    })
  }
})
