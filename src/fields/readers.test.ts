import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { fieldType } from './index.ts'
import { columnGuess, dateOrder, readWritten, writingOf, type Written } from './readers.ts'

const found = (type: string, ...samples: string[]) => writingOf(fieldType(type)!, samples)

describe('how the values of a column are written', () => {
  it('dates: by a point, by a day above 12, by the year in front; plain ones and texts are not touched', () => {
    const dmy = { as: 'time', order: 'dmy' }
    assert.deepEqual(found('date', '31.12.2024', '', '1.2.2024'), dmy)
    assert.deepEqual(found('date', '01/02/2024', '31/12/2024'), dmy)
    assert.deepEqual(found('datetime', '12/31/2024 11:05 PM', '1/2/2024'), { as: 'time', order: 'mdy' })
    assert.deepEqual(found('date', '2024/12/31'), { as: 'time', order: 'ymd' })
    assert.equal(found('date', '01/02/2024', '03/04/2024'), 'ambiguous')
    for (const plain of ['2024-12-31', 'soon', '31.02.2024', '31.12.24', '']) assert.equal(found('date', plain), undefined, plain)
    assert.equal(found('date', '31/12/2024', '12/31/2024'), undefined)
  })

  it('numbers: by both signs, by groups; what can be read in two ways is not guessed', () => {
    const [comma, point] = [',', '.'].map((decimal) => ({ as: 'number', decimal }))
    assert.deepEqual(found('decimal', '1 234,56', '7'), comma)
    assert.deepEqual(found('decimal', '1.234,5'), comma)
    assert.deepEqual(found('decimal', '0,5'), comma)
    assert.deepEqual(found('decimal', '1,234.5', '1,234'), point)
    assert.deepEqual(found('integer', '1\u00a0234\u00a0567', '-5'), point)
    assert.equal(found('decimal', '1,234', '5,678'), 'ambiguous')
    for (const plain of ['1234.5', 'abc', '1 23', '1.2.3', '12,34,567.0', '']) assert.equal(found('decimal', plain), undefined, plain)
  })

  it('of a column that comes in parts: from all values that are dates or numbers', () => {
    const guessed = (type: string, ...parts: readonly (readonly string[])[]) => {
      const guess = columnGuess(fieldType(type)!)!
      for (const part of parts) guess.take(part)
      return guess.result()
    }
    assert.deepEqual(guessed('date', ['01/02/2024', 'soon', '2024-05-01'], ['31/12/2024'], ['02/02/2024']), { as: 'time', order: 'dmy' })
    assert.equal(guessed('date', ['01/02/2024'], ['soon']), 'ambiguous')
    assert.equal(guessed('date', ['31/12/2024'], ['12/31/2024']), undefined)
    assert.equal(guessed('date', ['2024-12-31', 'soon', '']), undefined)
    assert.deepEqual(guessed('decimal', ['1.234', 'much'], ['1.234,50']), { as: 'number', decimal: ',' })
    assert.deepEqual(guessed('decimal', ['1,234'], ['1.5']), { as: 'number', decimal: '.' })
    assert.equal(guessed('decimal', ['1,234']), 'ambiguous')
    assert.equal(guessed('decimal', ['1.25', '1,5']), undefined)
    assert.equal(guessed('decimal', ['1.25', '7', 'x']), undefined)
    for (const type of ['text', 'boolean', 'list', 'reference', 'autonumber']) assert.equal(columnGuess(fieldType(type)!), undefined, type)
  })

  it('yes and no', () => {
    assert.deepEqual(found('boolean', 'да', 'Нет'), { as: 'truth' })
    assert.equal(found('boolean', '1', 'false'), undefined)
    assert.equal(found('boolean', 'yes', 'maybe'), undefined)
  })

  it('reads values into what requests send, and leaves others as they are', () => {
    const cases: readonly (readonly [Written, string, string])[] = [
      [{ as: 'time', order: 'dmy' }, '1.2.2024', '2024-02-01'],
      [{ as: 'time', order: 'dmy' }, '31.12.2024 9:05', '2024-12-31 09:05:00'],
      [{ as: 'time', order: 'dmy' }, '31.12.2024, 23:05:07', '2024-12-31 23:05:07'],
      [{ as: 'time', order: 'mdy' }, '12/31/2024 12:05 am', '2024-12-31 00:05:00'],
      [{ as: 'time', order: 'mdy' }, '12/31/2024 1:05:09 PM', '2024-12-31 13:05:09'],
      [{ as: 'time', order: 'mdy', shortYears: true }, '12/31/69', '2069-12-31'],
      [{ as: 'time', order: 'dmy', shortYears: true }, '31.12.70', '1970-12-31'],
      [{ as: 'time', order: 'dmy' }, '31.12.24', '31.12.24'],
      [{ as: 'time', order: 'dmy' }, '30.02.2024', '30.02.2024'],
      [{ as: 'time', order: 'dmy' }, '2024-12-31', '2024-12-31'],
      [{ as: 'number', decimal: ',' }, '1 234 567,89', '1234567.89'],
      [{ as: 'number', decimal: ',' }, '−1.234', '-1234'],
      [{ as: 'number', decimal: '.' }, "+1'234.50", '1234.50'],
      [{ as: 'number', decimal: '.' }, '1,23', '1,23'],
      [{ as: 'truth' }, ' ДА ', 'true'],
      [{ as: 'truth' }, 'No', 'false'],
      [{ as: 'truth' }, 'perhaps', 'perhaps'],
    ]
    for (const [written, text, read] of cases) assert.equal(readWritten(written, text), read, text)
  })

  it('takes no longer for long texts', () => {
    const begun = performance.now()
    for (const text of [' '.repeat(1e6), '1'.repeat(1e6), '1 '.repeat(5e5)])
      for (const as of [{ as: 'time', order: 'dmy' }, { as: 'number', decimal: ',' }, { as: 'truth' }] as const)
        assert.equal(readWritten(as, text), text)
    assert.ok(performance.now() - begun < 5_000)
  })

  it('patterns of dates', () => {
    assert.deepEqual(dateOrder('DD.MM.YYYY'), { order: 'dmy', shortYears: false })
    assert.deepEqual(dateOrder('m/d/yy'), { order: 'mdy', shortYears: true })
    assert.deepEqual(dateOrder('YYYY/MM/DD'), { order: 'ymd', shortYears: false })
    for (const wrong of ['DD.MM', 'YYYY.DD.MM', 'dd-mm-yyy', 'd.d.yyyy', 'tomorrow']) assert.equal(dateOrder(wrong), undefined, wrong)
  })
})
