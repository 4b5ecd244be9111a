import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { it } from 'node:test'
import { compileMessage } from '@lingui/message-utils/compileMessage'
import { i18n } from '@lingui/core'
import { errorCatalogue, fail, type ErrorCode } from '../../../src/errors.ts'
import { typeSettingRows } from '../../../src/fields/field-type.ts'
import { limits } from '../../../src/limits.ts'
import { queries, tables } from '../../api/queries.ts'
import { parts } from './parts.ts'
import { refusals } from './refusals.ts'
import type { Sentence } from './sentence.ts'
import { inRussian, told, withNames } from './told.ts'

i18n.setMessagesCompiler(compileMessage)
i18n.load('ru', {})
i18n.activate('ru')

/** Of the operator, on the command line, or before there are pages. */
const OF_OPERATORS = ['backup', 'restore', 'structure', 'installation', 'config', 'migration', 'phones']
/** Only requests that the pages never send get these. */
const OF_PROGRAMS: readonly string[] = [
  'parameter.missing parameter.repeated parameter.malformed job.unknown_kind events.too_many header.invalid body.malformed',
  'document.missing_member document.invalid_member document.wrong_type document.wrong_id document.client_id include.too_many',
  'relationship.contradicts relationship.read_only relationship.to_one relationship.unknown page.styles_mixed page.too_large',
  'request.malformed request.wrong_method request.not_acceptable request.wrong_media_type request.wrong_encoding file.range_not_satisfiable',
  'thumbnail.impossible thumbnail.unavailable',
].flatMap((line) => line.split(' '))
/** The pages say that the service does not answer just now, whatever the reason (ui/trouble.tsx). */
const isNotNow = (code: string) =>
  /^(?:database|server)\./.test(code) && code !== 'database.damaged' && !/busy|disk_full|internal/.test(code)

const met = Object.keys(errorCatalogue).filter(
  (code) => !OF_OPERATORS.includes(code.split('.')[0]!) && !OF_PROGRAMS.includes(code) && !isNotNow(code),
) as ErrorCode[]

it('each error that people can meet is told in both languages', () => {
  const seven: unknown = new Proxy({}, { get: () => 7 })
  for (const code of met) {
    const { message } = fail(code, ...([seven] as unknown as Parameters<typeof fail> extends [unknown, ...infer Rest] ? Rest : never))
    // The sentences of a reason are many; the next test reads them in the source.
    if (String(message) === '7') assert.ok(code.startsWith('filter.') || code in refusals, code)
    else assert.match(inRussian(message) ?? '', /[а-я]/, `${code}: ${message}`)
  }
})

/** Pieces of sentences, and what only programs and operators are told. */
const beside = new Set([
  'A session ends after some time without use: it has no other lifetime.',
  'A key is 1 to 64 letters, digits and . - _, of which the first is a letter or digit.',
  'SQLite is one file; give KARTOTEKA_DATABASE_URL.',
  'A server of the cluster does not have all that was committed.',
  '7 Send the options that the field should have.',
  'A type 7',
  "'unique' 7",
  'The field holds at most 7 7.',
  "'7' is not a 7number.",
])

it('each reason why a value, a setting or a file is refused is told in both languages', () => {
  const sentence =
    /(?:why: |reason: |const reason = |refuse\((?:[^'`\n]*|'\w+'), |refuse\(|unfit\('?\w+'?, |new Unreadable\(|new Unfit\()(['`])((?:(?!\1)[^\\\n]|\\.)*)\1/g
  const files = globSync('../../../src/{fields,filter,transfer,store}/**/*.ts', { cwd: import.meta.dirname })
  const reasons = files
    .filter((file) => !/\.test\.ts$|(?:^|\/)(?:postgres|sqlite|thumbnails|catalogue)\//.test(file))
    .flatMap((file) => [...readFileSync(new URL(file, import.meta.url), 'utf8').matchAll(sentence)].map(([, , text]) => text!))
    // A value is put for each that the sentence names; those that are quoted are in quotes in it.
    .map((text) => text.replace(/\$\{quoted\([^}]*\)\}/g, "'7'").replace(/\$\{[^}]*\}/g, '7'))
  assert.ok(reasons.length > 100, String(reasons.length))
  const isTold = (reason: string) =>
    /[а-я]/.test(inRussian(reason) ?? '') ||
    /[а-я]/.test((inRussian(`The setting max: ${reason}`) ?? '').replace('Настройка «наибольшее»', ''))
  assert.deepEqual(
    reasons.filter((reason) => reason.includes(' ') && !beside.has(reason) && !isTold(reason)),
    [],
  )
})

it('what is not there is named in Russian, whatever it is', () => {
  const files = globSync('../../../src/**/*.ts', { cwd: import.meta.dirname })
  const types = files.flatMap((file) => [
    ...readFileSync(new URL(file, import.meta.url), 'utf8').matchAll(/'resource\.not_found', \{ type: '(\w+)'/g),
  ])
  assert.ok(types.length > 20, String(types.length))
  for (const [, type] of types) assert.doesNotMatch(inRussian(`There is no ${type} 5.`)!, /[a-z]/)
})

it('what a limit is of, and each setting, is named in Russian', () => {
  const quotas = Object.values(limits).flatMap(({ most, of, beyond }) =>
    beyond === 'quota.reached' ? fail(beyond, { most, of }).message : [],
  )
  assert.ok(quotas.length > 10, String(quotas.length))
  const settings = [...typeSettingRows.map(([, { name }]) => name), 'unique', 'default_value']
  const untold = [...quotas, ...settings.map((name) => `The setting ${name}: 'x' is not a number.`)].filter((one) => !inRussian(one))
  assert.deepEqual(untold, [])
})

it('values stand in the sentence, in the right number, and what is within it is told too', () => {
  assert.equal(inRussian("Another record already has this value in 'E-mail'."), 'Такое значение уже есть у другой записи.')
  assert.equal(inRussian("'12a' is not a whole number."), '«12a» — не целое число.')
  assert.equal(inRussian("'7' is not a number."), '«7» — не число.')
  assert.equal(inRussian("'it isn't' is not one of the files allowed here: pdf, doc."), "Файл «it isn't» сюда нельзя: подходят pdf, doc.")
  assert.equal(inRussian("Another user has the login '007'."), 'Логин «007» уже занят.')
  assert.equal(inRussian('The field has no option 7, or it is named twice.'), 'Варианта 7 у поля нет, или он назван дважды.')
  assert.equal(inRussian('There can be at most 500 groups.'), 'Достигнут предел, 500: группы.')
  assert.equal(inRussian('The setting max: 1 is less than min, which is 5.'), 'Настройка «наибольшее»: 1 меньше, чем наименьшее: 5.')
  assert.equal(inRussian("'f1' holds 3 values more than once."), 'Повторяются 3 значения.')
  assert.equal(inRussian('Expected a function.'), 'Здесь ожидается: функция.')
  assert.equal(inRussian("There is no function 'foo'. Known: eq, ne."), 'Функции «foo» нет. Есть: eq, ne.')
  // Half of a sentence is not translated.
  assert.equal(inRussian('There can be at most 500 things of a new kind.'), undefined)
  assert.equal(inRussian('The setting max: it has become odd.'), undefined)
  assert.equal(inRussian('Something that the service did not say before.'), undefined)
})

it('a sentence behind a colon begins with a small letter', () => {
  assert.equal(
    inRussian("The saved filter 3 cannot be used: There is no attribute 'f9' to filter by."),
    'Сохранённый фильтр 3 не годится: поля «f9» для отбора нет.',
  )
})

it('a value that has quotes itself has them nested', () => {
  assert.equal(inRussian("There is no attribute 'ООО «Уют»' to filter by."), 'Поля «ООО „Уют“» для отбора нет.')
})

it('in English too, in the name of a table', () => {
  queries.setQueryData(tables.queryKey, { data: [{ type: 'table', id: '12', attributes: { table_name: 'Goods “A”' } }] })
  assert.equal(told('You may not update in table 12.'), 'You may not update in table “Goods ‘A’”.')
  queries.clear()
})

it('tables that the person sees are named by their names', () => {
  queries.setQueryData(tables.queryKey, { data: [{ type: 'table', id: '12', attributes: { table_name: 'Goods' } }] })
  assert.equal(withNames('You may not update in table 12.'), 'You may not update in table “Goods”.')
  assert.equal(withNames(inRussian('You may not update in table 12.')!), 'У вас нет на это права в таблице «Goods».')
  for (const same of ['You may not update in table 13.', "'table 12' is not a number.", 'Значение «таблица 12» не число.', 'table 12-3'])
    assert.equal(withNames(same), same)
  assert.equal(inRussian('You may not create in table 12 with a token that may only read.'), 'Этот токен разрешает только чтение.')
  queries.clear()
})

it('a sentence and its Russian have the same values, and no value stands beside another', () => {
  for (const [en, ru] of [...Object.values(refusals).flat(), ...parts] as readonly Sentence[]) {
    assert.doesNotMatch(en, /\}\{/)
    const names = new Set(en.split(/[{}]/).filter((_, i) => i % 2 === 1))
    const used = JSON.stringify(compileMessage(ru)).matchAll(/\["(\w+)"/g)
    for (const [, name] of used) assert.ok(names.has(name!), `${en}: ${name}`)
  }
})
