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
    it(`in ${text || 'nothing'}`, () => assert.equal(nestedQuotes(text, 'ru'), expected))

  for (const [text, expected] of [
    ['The record “Firm “Cosy”” is in the trash', 'The record “Firm ‘Cosy’” is in the trash'],
    ['“Cosy”: “Home” is moved', '“Cosy”: “Home” is moved'],
    ['“a “b” in “c “d”””', '“a ‘b’ in ‘c ‘d’’”'],
    ['“5” pipe”', '“5” pipe”'],
    ['“ООО «Уют»” and “it’s”', '“ООО «Уют»” and “it’s”'],
    ['«a «b»»', '«a «b»»'],
    ['“ООО „Уют“”', '“ООО „Уют“”'],
  ] as const)
    it(`in English, in ${text}`, () => assert.equal(nestedQuotes(text, 'en'), expected))

  it('in what is said with a value', () => {
    assert.equal(sayIn('ru', 'viewMenu', { name: 'ООО «Уют»' }), 'Меню представления «ООО „Уют“»')
    assert.equal(sayIn('en', 'addChoice', { name: 'Firm “Cosy”' }), 'Add “Firm ‘Cosy’”')
    assert.equal(sayIn('en', 'viewMenu', { name: 'ООО «Уют»' }), 'Menu of the view ООО «Уют»')
  })
})
