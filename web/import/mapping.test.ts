import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { badLines, hasApostrophes, patternIn, tableNameFor, wishesWith, wishOf } from './mapping.ts'

describe('the mapping of an import', () => {
  it('names a table after its file, and no table twice', () => {
    assert.equal(tableNameFor('clients_2024.csv', [], 'Table'), 'Clients 2024')
    assert.equal(tableNameFor('клиенты.xlsx', ['КЛИЕНТЫ', 'Клиенты 2'], 'Table'), 'Клиенты 3')
    assert.equal(tableNameFor('.csv', [], 'Table'), 'Table')
    assert.equal(tableNameFor(`${'long'.repeat(100)}.csv`, [], 'Table').length, 245)
  })

  it('shows how dates are written in the letters of the reader', () => {
    assert.deepEqual([patternIn('DD.MM.YYYY', 'ru'), patternIn('YY/MM/DD', 'en')], ['ДД.ММ.ГГГГ', 'YY/MM/DD'])
  })

  it('asks again for what is shown, and leaves guesses to the service', () => {
    const guessed = { header: 'a', create: { name: 'Sum', type: 'decimal', unique: false }, guessed: true, decimal: ',' } as const
    assert.deepEqual(wishOf(guessed, true), { create: { name: 'Sum', unique: false }, decimal: ',' })
    const asked = { header: 'b', create: { name: 'b', type: 'date', unique: true }, guessed: false, date_format: 'DD.MM.YY' }
    assert.deepEqual(wishOf(asked, false), { create: { name: 'b', type: 'date', unique: true }, date_format: 'DD.MM.YY' })
    assert.deepEqual(wishOf({ header: 'c', field: 'f3', field_name: 'C' }, false), { field: 'f3' })
    assert.equal(wishOf({ header: 'add_time', field: 'add_time', field_name: 'add_time' }, true), null)
    const named = { header: 'd', create: { name: 'd', type: 'reference', unique: false }, reference: { table_id: 2, field: 'f7' } }
    assert.deepEqual(wishOf(named, true), { create: { name: 'd', unique: false }, reference: { table_id: 2, field: 'f7' } })
    const several = { ...named, create: { name: 'd', type: 'references', unique: false } }
    assert.deepEqual(wishOf(several, true), {
      create: { name: 'd', unique: false, type: 'references' },
      reference: { table_id: 2, field: 'f7' },
    })
    assert.deepEqual(wishesWith([guessed, asked], 0, { skip: true }, true), [{ skip: true }, wishOf(asked, true)])
  })

  it('notices the apostrophes that are taken away, and no others', () => {
    const noticed = (value: string) => hasApostrophes([{ values: ['plain', value] }])
    assert.deepEqual(["'=1+1", "'+7 916 123", "''=x", "'-a", "'@me", "''+7"].map(noticed), [true, true, true, true, true, true])
    assert.deepEqual(["'+79161234567", "'-5", "'+1.25", "'n", "O'-Hara", '=1'].map(noticed), [false, false, false, false, false, false])
  })

  it('reads the beginning of a file of errors, quotes and line ends within values too', () => {
    const text = 'line,column,reason,a\r\n3,since,"\'x, ""y""\' is no date",1\r\n4,,"two\nlines",2\r\n5,cut,"of'
    assert.deepEqual(badLines(text, 5), [
      { line: '3', column: 'since', reason: `'x, "y"' is no date` },
      { line: '4', column: '', reason: 'two\nlines' },
    ])
    assert.equal(badLines(text, 1).length, 1)
    assert.deepEqual(badLines('', 5), [])
  })
})
