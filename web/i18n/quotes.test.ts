import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { nestedQuotes } from './quotes.ts'
import { sayIn } from './words.ts'

describe('quotes within quotes', () => {
  for (const [text, expected] of [
    ['Запись «ООО «Уют»» в корзине', 'Запись «ООО „Уют“» в корзине'],
    ['«Уют»: «Дом» перемещена', '«Уют»: «Дом» перемещена'],
    ['«а «б» в «г «д»»»', '«а „б“ в „г „д““»'],
    ['«ООО «Уют…»', '«ООО «Уют…»'],
    ['«а»» «б «в»»', '«а»» «б «в»»'],
    ['без кавычек', 'без кавычек'],
    ['', ''],
  ] as const)
    it(`in ${text || 'nothing'}`, () => assert.equal(nestedQuotes(text), expected))

  it('in what is said in Russian with a value, and not in English', () => {
    assert.equal(sayIn('ru', 'viewMenu', { name: 'ООО «Уют»' }), 'Меню представления «ООО „Уют“»')
    assert.equal(sayIn('en', 'viewMenu', { name: 'ООО «Уют»' }), 'Menu of the view ООО «Уют»')
  })
})
