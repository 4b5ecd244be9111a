import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Failures } from '../errors.ts'
import { plain, type FieldSettings } from './field-type.ts'
import { fieldType, fieldTypes } from './index.ts'
import { checkSettings } from './settings.ts'

const option = (id: number, label: string, removed = false) => ({ id, label, removed })
const check = (type: string, settings: Partial<FieldSettings>) => checkSettings(fieldType(type)!, { ...plain, ...settings })
const reference = { referenceTableId: 7 }

describe('the settings of a field', () => {
  const good: [string, Partial<FieldSettings>][] = [
    ['text', {}],
    ['text', { maxLength: 255, unique: true, required: true }],
    ['text', { required: true, defaultValue: 'x' }],
    ['longtext', { maxLength: 1_000_000 }],
    ['decimal', { scale: 0 }],
    ['decimal', { scale: 9, min: '-1.5', max: '-1.5' }],
    ['integer', { min: '0', max: '10', defaultValue: '10' }],
    ['date', { min: '2024-01-01', max: '2024-12-31' }],
    ['datetime', { min: '2024-01-01' }],
    ['list', { options: [option(1, 'A'), option(0, 'B'), option(0, 'C'), option(2, 'a', true)], defaultValue: 'b' }],
    ['multilist', { options: [option(1, 'A'), option(2, 'B')], defaultValue: 'A\r\nB' }],
    ['reference', { ...reference, unique: true }],
    ['reference', { ...reference, defaultValue: '5' }],
    ['references', reference],
    ['user', { defaultValue: '1' }],
    ['file', { fileExtensions: ['pdf'], maxFiles: 1, maxKilobytes: 5 }],
    ['image', { fileExtensions: ['png'] }],
    ['autonumber', { unique: true }],
    ['boolean', { defaultValue: '1' }],
  ]
  for (const [type, settings] of good) it(`may be ${JSON.stringify(settings)} for ${type}`, () => check(type, settings))

  const bad: [string, Partial<FieldSettings>, named: string][] = [
    ['text', { unique: true, defaultValue: 'x' }, 'unique'],
    ['text', { maxLength: 0 }, 'max_length'],
    ['text', { maxLength: 256 }, 'max_length'],
    ['text', { maxLength: 1.5 }, 'max_length'],
    ['text', { maxLength: NaN }, 'max_length'],
    ['text', { scale: 2 }, 'scale'],
    ['decimal', { scale: 10 }, 'scale'],
    ['decimal', { scale: -1 }, 'scale'],
    ['decimal', { min: 'x' }, 'min'],
    ['decimal', { min: '' }, 'min'],
    ['decimal', { scale: 1, max: '1.25' }, 'max'],
    ['decimal', { min: '2', max: '1' }, 'max'],
    ['integer', { min: '1.5' }, 'min'],
    ['date', { min: '2024-02-30' }, 'min'],
    ['date', { min: '2024-02-02', max: '2024-02-01' }, 'max'],
    ['integer', { min: '5', defaultValue: '4' }, 'default_value'],
    ['text', { maxLength: 2, defaultValue: 'abc' }, 'default_value'],
    ['text', { defaultValue: 'a\0' }, 'default_value'],
    ['list', {}, 'options'],
    ['list', { options: [] }, 'options'],
    ['list', { options: [option(1, 'A'), option(2, 'a')] }, 'options'],
    ['list', { options: [option(1, 'A'), option(1, 'B')] }, 'options'],
    ['list', { options: [option(1, '')] }, 'options'],
    ['list', { options: [option(1, 'A\nB')] }, 'options'],
    ['list', { options: [option(1, 'A\r')] }, 'options'],
    ['list', { options: [option(1, '\ud800')] }, 'options'],
    ['list', { options: [option(1, 'x'.repeat(256))] }, 'options'],
    ['list', { options: [option(1, 'A'), option(2, 'B', true)], defaultValue: 'B' }, 'default_value'],
    ['multilist', { options: [option(1, 'A')], defaultValue: 'C' }, 'default_value'],
    ['reference', {}, 'reference_table_id'],
    ['reference', { referenceTableId: 0 }, 'reference_table_id'],
    ['text', reference, 'reference_table_id'],
    ['text', { options: [option(1, 'A')] }, 'options'],
    ['file', { fileExtensions: [] }, 'file_extensions'],
    ['file', { fileExtensions: ['.pdf'] }, 'file_extensions'],
    ['file', { fileExtensions: ['PDF'] }, 'file_extensions'],
    ['image', { fileExtensions: ['exe'] }, 'file_extensions'],
    ['file', { maxFiles: 0 }, 'max_files'],
    ['file', { maxKilobytes: 0 }, 'max_kilobytes'],
    ['file', { defaultValue: 'a.pdf' }, 'default_value'],
    ['autonumber', { defaultValue: '5' }, 'default_value'],
    ...['boolean', 'longtext', 'references', 'users', 'group', 'file', 'image'].map((type): [string, Partial<FieldSettings>, string] => [
      type,
      { unique: true, ...(type === 'references' && reference) },
      'unique',
    ]),
  ]
  for (const [type, settings, named] of bad) {
    it(`may not be ${JSON.stringify(settings).slice(0, 80)} for ${type}: ${named}`, () => {
      assert.throws(() => check(type, settings), {
        code: 'field.invalid_value',
        message: new RegExp(`^The setting ${named}: `),
        where: { attribute: named.replace(/_./g, (part) => part.slice(1).toUpperCase()) },
      })
    })
  }

  it('of the examples of every type are in order', () => {
    for (const type of fieldTypes) {
      checkSettings(type, {
        ...plain,
        ...(type.settings.includes('referenceTableId') && reference),
        ...(type.settings.includes('options') && { options: [option(1, 'A')] }),
        ...type.exampleSettings,
      })
    }
  })

  it('are told all that is wrong with them at once', () => {
    assert.throws(
      () => check('decimal', { scale: 10, maxLength: 5, min: 'x' }),
      (error) =>
        error instanceof Failures &&
        error.failures
          .map(({ where }) => where.attribute)
          .sort()
          .join() === 'maxLength,min,scale',
    )
  })
})
