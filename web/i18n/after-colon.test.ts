import assert from 'node:assert/strict'
import { it } from 'node:test'
import { afterColon } from './after-colon.ts'
import { sayIn } from './words.ts'

it('a sentence behind a colon begins with a small letter, not so a name', () => {
  for (const [sentence, expected] of [
    ['Another record already has this value.', 'another record already has this value.'],
    ['A table has at most 500 fields.', 'a table has at most 500 fields.'],
    ['Такое значение уже есть.', 'такое значение уже есть.'],
    ['В PostgreSQL закончились столбцы.', 'в PostgreSQL закончились столбцы.'],
    ['PostgreSQL is not there.', 'PostgreSQL is not there.'],
    ['GET lists what there is.', 'GET lists what there is.'],
    ['S3 does not answer.', 'S3 does not answer.'],
    ["'Acme' is not a number.", "'Acme' is not a number."],
    ['', ''],
  ] as const)
    assert.equal(afterColon(sentence), expected)
})

it('sentences within a sentence do so behind a colon alone, and names of tables and columns stay as they are', () => {
  const detail = 'The value is empty. Fill it in.'
  assert.equal(sayIn('en', 'failed', { detail }), 'That did not work: the value is empty. Fill it in.')
  assert.equal(sayIn('ru', 'failed', { detail: 'Нет таблицы.' }), 'Не получилось: нет таблицы.')
  assert.equal(sayIn('en', 'notAdded', { detail }), 'Not added. The value is empty. Fill it in.')
  assert.equal(sayIn('en', 'pasteWrongAt', { row: 1, column: 'Days', why: 'This is no date.' }), 'row 1, Days: this is no date.')
  assert.equal(sayIn('ru', 'undoneIn', { table: 'Товары', what: 'Отменено' }), 'Товары: Отменено')
})
