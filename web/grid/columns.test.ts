import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Field } from '../fields/field.ts'
import { figured, frozen, moved, readColumns, resized, usualColumns, without, wrapped, writeColumns } from './columns.ts'

const fields = ['text', 'list', 'decimal', 'date'].map((type, i) => ({ id: i + 1, name: `f${i + 1}`, type }) as Field)
const [, title] = fields
const shown = (text: string | undefined) =>
  readColumns(text, fields, title).map(({ field, width, isFrozen }) => [field.name, width, isFrozen])

describe('columns', () => {
  it('are all fields at first, that with the title frozen', () => {
    assert.deepEqual(shown(undefined), [['f2', 230, true], ['f1', 160, false], ['f3', 110, false], ['f4', 144, false]]) // prettier-ignore
    assert.equal(writeColumns(usualColumns(fields, title), fields, title), undefined)
  })

  it('stand in the address, and are read from it', () => {
    const columns = frozen(moved(resized(usualColumns(fields, title), 2, 300), 3, 0), 2)
    const text = writeColumns(columns, fields, title)
    assert.equal(text, 'f4.144,f2.230!,f1,f3.300')
    assert.deepEqual(readColumns(text, fields, title), columns)
    assert.equal(writeColumns(wrapped(columns, 1), fields, title), 'f4.144,f2.230~!,f1,f3.300')
    assert.deepEqual(readColumns('f4.144,f2.230~!,f1,f3.300', fields, title), wrapped(columns, 1))
    assert.equal(writeColumns(figured(wrapped(columns, 1), 1, 'filled'), fields, title), 'f4.144,f2.230~:filled!,f1,f3.300')
    assert.deepEqual(readColumns('f4.144,f2.230~:filled!,f1,f3.300', fields, title), figured(wrapped(columns, 1), 1, 'filled'))
    assert.deepEqual(figured(figured(columns, 1, 'filled'), 1, 'filled')[1]!.figure, undefined)
    assert.equal(writeColumns(without(columns, 1), fields, title), 'f4.144!,f1,f3.300')
  })

  it('that are not there, twice there, or nonsense are left out', () => {
    assert.deepEqual(shown('f9,f3,f3.200,f1.99999,<b>,f1.2'), [['f3', 230, false], ['f1', 48, false]]) // prettier-ignore
    assert.deepEqual(shown('f9'), shown(undefined))
    assert.equal(without(readColumns('f1', fields, title), 0).length, 1)
  })
})
