import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Known, meant, namesIn } from './called.ts'

const known = new Known()
known.add('1', ['Acme'])
known.add('2', ['Beta, Inc.'])
known.add('3', ['Ёлка'])
known.add('4', ['Twin'])
known.add('5', ['TWIN'])
known.add('6', ['12'])
known.add('12', ['Twelve'])
known.add('7', ['Beta'])
known.add('8', ['Beta, Gamma'])
known.add('9', ['Gamma'])
known.add('10', ['2024'])
known.add('11', [])

const one = (text: string) => meant(text, false, known)
const many = (text: string) => meant(text, true, known)

describe('a text that names a record', () => {
  it('is its title, as the service compares texts, or its number', () => {
    for (const [text, id] of [
      ['Acme', '1'],
      [' aCME ', '1'],
      ['елка', '3'],
      ['ЁЛКА', '3'],
      ['Beta, Inc.', '2'],
      ['1', '1'],
      ['#1', '1'],
      ['#12', '12'],
      ['11', '11'],
    ] as const)
      // prettier-ignore
      assert.deepEqual(one(text), { ids: [id] }, text)
  })

  it('is a title of digits where no record has that number', () => {
    assert.deepEqual(one('2024'), { ids: ['10'] })
    assert.deepEqual(one('12'), { wrong: 'nameOrNumber', name: '12' })
  })

  it('means nothing where several are called so, or none is', () => {
    assert.deepEqual(one('twin'), { wrong: 'nameOfSeveral', name: 'twin' })
    for (const name of ['Nobody', '99', '#99', '#2024', 'Acm']) assert.deepEqual(one(name), { wrong: 'nameMissing', name })
  })
})

describe('a text that names several records', () => {
  it('has them parted by commas, semicolons, lines, or blanks between numbers', () => {
    for (const text of ['Acme, Gamma', 'acme,gamma', 'Acme; Gamma', 'Acme\r\nGamma', '1 9', '#1, 9', 'Acme, #9, Acme'])
      assert.deepEqual(many(text), { ids: ['1', '9'] }, text)
    assert.deepEqual(many('Beta, Inc.; Acme'), { ids: ['2', '1'] })
    assert.deepEqual(many('Beta, Inc.'), { ids: ['2'] })
    assert.deepEqual(many('Acme'), { ids: ['1'] })
    for (const text of ['Acme;', 'Acme, ', ';Acme\n', 'Acme;;']) assert.deepEqual(many(text), { ids: ['1'] }, text)
    assert.deepEqual(many(';'), { wrong: 'nameMissing', name: ';' })
  })

  it('means nothing where a comma may be of a title or between two', () => {
    assert.deepEqual(many('Beta, Gamma'), { wrong: 'nameOfSeveral', name: 'Beta, Gamma' })
    assert.deepEqual(many('Beta; Gamma'), { ids: ['7', '9'] })
  })

  it('means nothing where one of them is wrong, which is named', () => {
    assert.deepEqual(many('Acme, Nobody'), { wrong: 'nameMissing', name: 'Nobody' })
    assert.deepEqual(many('Twin, Acme'), { wrong: 'nameOfSeveral', name: 'Twin' })
  })

  it('is looked for whole and in its parts', () => {
    assert.deepEqual(namesIn(' Beta, Inc. ', true), { whole: 'Beta, Inc.', parts: ['Beta', 'Inc.'] })
    assert.deepEqual(namesIn('Beta, Inc.', false), { whole: 'Beta, Inc.', parts: [] })
  })
})
