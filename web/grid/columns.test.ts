import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Field } from '../fields/field.ts'
import {
  choosable,
  figured,
  frozen,
  moved,
  readColumns,
  resized,
  usualColumns,
  withFields,
  without,
  wrapped,
  writeColumns,
} from './columns.ts'

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
    for (const [some, text] of [
      [columns, '*,f4>,f2!,f3.300'],
      [wrapped(columns, 1), '*,f4>,f2~!,f3.300'],
      [figured(wrapped(columns, 1), 1, 'filled'), '*,f4>,f2~:filled!,f3.300'],
      [without(columns, 1), '*,f4>,f3.300,-f2'],
      [without(usualColumns(fields, title), 2), '*,-f3'],
      [resized(usualColumns(fields, title), 0, 300), '*,f2.300'],
      [moved(usualColumns(fields, title), 3, 2), '*,f4>f1'],
      [frozen(usualColumns(fields, title), 0), '*!'],
      [frozen(usualColumns(fields, title), 1), undefined],
    ] as const) {
      assert.equal(writeColumns(some, fields, title), text)
      assert.deepEqual(readColumns(text, fields, title), some, String(text))
    }
    assert.deepEqual(figured(figured(columns, 1, 'filled'), 1, 'filled')[1]!.figure, undefined)
  })

  it('of fields made later, and of those that others put elsewhere, appear where the table has them', () => {
    const later = [...fields.slice(0, 3), { id: 5, name: 'f5', type: 'text' } as Field, fields[3]!]
    const seen = (text: string) => readColumns(text, later, title).map(({ field }) => field.name).join() // prettier-ignore
    assert.equal(seen('*,f3:sum'), 'f2,f1,f3,f5,f4')
    assert.equal(seen('*,f2.300!,-f1'), 'f2,f3,f5,f4')
    assert.equal(seen('*,f4>f2'), 'f2,f4,f1,f3,f5')
    assert.equal(seen('*,f4>,f1>f4'), 'f4,f1,f2,f3,f5')
    // What it was put behind has gone: it stands where the table has it.
    assert.equal(seen('*,f1>f9'), 'f2,f1,f3,f5,f4')
    assert.equal(seen('*,-f1,-f2,-f3,-f4,-f5'), 'f2,f1,f3,f5,f4')
    // As an earlier version wrote it: these columns and no others.
    assert.equal(seen('f4.144,f2.230!,f1,f3.300'), 'f4,f2,f1,f3')
  })

  it('are chosen by their fields; one that comes back stands where the table has it', () => {
    const usual = usualColumns(fields, title)
    assert.equal(writeColumns(withFields(usual, new Set(['f2', 'f3', 'f4']), usual), fields, title), '*,-f1')
    const text = writeColumns(withFields(usual, new Set(['f1', 'f3', 'f4']), usual), fields, title)
    assert.equal(text, '*!,-f2')
    const back = withFields(readColumns(text, fields, title), new Set(['f1', 'f2', 'f3', 'f4']), usual)
    assert.equal(writeColumns(back, fields, title), undefined)
  })

  it('of what every record has are shown where one puts them', () => {
    const made = { id: -1, name: 'add_time', type: 'datetime', isSystem: true } as Field
    const changed = { ...made, id: -2, name: 'update_time' }
    const all = [...fields, made, changed]
    const offered = choosable(all, title)
    assert.deepEqual(
      offered.map(({ field }) => field.name),
      ['f2', 'f1', 'f3', 'f4', 'add_time', 'update_time'],
    )
    const usual = usualColumns(all, title)
    assert.equal(writeColumns(usual, all, title), undefined)
    const both = withFields(usual, new Set(['f2', 'f1', 'f3', 'f4', 'add_time', 'update_time']), offered)
    for (const [columns, text] of [
      [both, '*,add_time>f4,update_time>add_time'],
      [resized(moved(both, 5, 1), 1, 99), '*,update_time>f2.99,add_time>f4'],
      [without(both, 4), '*,update_time>f4'],
      [moved(both, 4, 0), '*,add_time>,update_time>f4'],
      [frozen(without(moved(both, 4, 1), 0), 1), '*,add_time>,update_time>f4,-f2'],
    ] as const) {
      assert.equal(writeColumns(columns, all, title), text)
      assert.deepEqual(readColumns(text, all, title), columns, text)
    }
    const names = (text: string, some = all) => readColumns(text, some, title).map(({ field }) => field.name).join() // prettier-ignore
    assert.equal(names('*,add_time'), 'f2,f1,f3,f4,add_time')
    assert.equal(names('*,add_time>f9'), 'f2,f1,f3,f4,add_time')
    assert.equal(names('f3,add_time'), 'f3,add_time')
    // Hidden from whom it is shown to.
    assert.equal(names('*,add_time>f4,update_time>add_time', [...fields, changed]), 'f2,f1,f3,f4,update_time')
  })

  it('of any order are read as they were written', () => {
    const many = Array.from({ length: 9 }, (_, i) => ({ id: i + 1, name: `f${i + 1}`, type: 'text' }) as Field)
    let columns = usualColumns(many, undefined)
    for (let i = 0; i < 200; i++) {
      columns = moved(columns, (i * 7) % columns.length, (i * 5 + 3) % columns.length)
      if (i % 50 === 49) columns = without(columns, i % columns.length)
      assert.deepEqual(readColumns(writeColumns(columns, many, undefined), many, undefined), columns)
    }
  })

  it('that are not there, twice there, or nonsense are left out', () => {
    assert.deepEqual(shown('*,f9,*,f3.200,f3.90,<b>,f1.2')[2], ['f3', 200, false])
    assert.deepEqual(shown('f9,f3,f3.200,f1.99999,<b>,f1.2'), [['f3', 230, false], ['f1', 48, false]]) // prettier-ignore
    assert.deepEqual(shown('f9'), shown(undefined))
    assert.equal(without(readColumns('f1', fields, title), 0).length, 1)
  })
})
