import { fail } from '../errors.ts'
import type { Attribute, FieldType, Stored } from '../fields/field-type.ts'
import { fold } from '../fields/fold.ts'
import { foldingOptions } from '../fields/forms/options.ts'
import type { Steps } from '../fields/steps.ts'
import { limits } from '../limits.ts'
import type { Dialect, TaggedWord, WordColumn, WordsAsked } from '../sql/dialect.ts'
import { anyOf, join, name, sql, type Sql } from '../sql/sql.ts'
import { beginsWord, LONGEST_WORD, reversed, reversedTag, wordsOf } from '../sql/words.ts'
import { place, type Call } from './ast.ts'
import { ends, mustCompare, readAt, type Among, type Reading } from './operands.ts'
import { inTimeFor } from './patience.ts'

/*
 * search('words'): records in which every word is the beginning of a word of some attribute. What is compared is the text that a response
 * shows, folded; of a phone its digits, as one word, of which the end is found too. The id of a record is no attribute here.
 */

/** A word, and the options of lists that have it. */
export interface SearchedWord {
  readonly word: string
  readonly among: readonly Among[]
}

export interface Searched {
  readonly is: 'search'
  /** Those that are not lists. */
  readonly attributes: readonly Attribute[]
  readonly words: readonly SearchedWord[]
  /** The digits of all words where no word has anything else: a phone that begins or ends with them is found too. '' otherwise. */
  readonly digits: string
}

const expected = 'words in quotes'

/** @throws `filter.wrong_arity`, `filter.syntax`, `filter.invalid_value`, `filter.too_many_options` */
export function* searching(call: Call, all: ReadonlyMap<string, Attribute>, reading: Reading): Steps<Searched> {
  const [operand, extra] = call.args
  const at = place((extra ?? operand ?? call).at, expected, call.writtenIn)
  if (!operand || extra) throw fail('filter.wrong_arity', { fn: 'search', takes: expected }, at)
  const words = readAt(operand, expected, reading, (text) => mustBeWords(wordsOf(fold(text)), reading))
  const attributes = [...all.values()].filter((one) => one.name !== 'id' && !one.onlyNamed)
  const found = new Map<string, Among[]>(words.map((word) => [word, []]))
  for (const attribute of attributes) if (isList(attribute)) yield* searchOptions(attribute, found, call, reading)
  const areNumbers = words.length > 1 && words.every((word) => DIGITS.test(word))
  return {
    is: 'search',
    attributes: attributes.filter((one) => !isList(one)),
    words: withoutBeginnings(words).map((word) => ({ word, among: found.get(word)! })),
    digits: areNumbers ? words.join('') : '',
  }
}

const isList = ({ type }: Pick<Attribute, 'type'>): boolean => type.kind === 'choice'
const DIGITS = /^[0-9]+$/

function mustBeWords(words: readonly string[], { spent }: Reading): readonly string[] {
  const { searchWords, searchWord } = limits
  if (words.length === 0) throw fail('field.invalid_value', { why: 'There is no letter and no digit to search for.' })
  spent.words += words.length
  if (spent.words > searchWords.most) throw fail('field.invalid_value', { why: `A filter searches for at most ${searchWords.most} words.` })
  if (words.some((word) => Array.from(word).length > searchWord.most))
    throw fail('field.invalid_value', { why: `A word to search for has at most ${searchWord.most} characters.` })
  return words
}

/** Without words that are the beginning of another one: what begins with the longer one begins with the shorter one too. */
const withoutBeginnings = (words: readonly string[]): readonly string[] =>
  [...new Set(words)].filter((word, _, all) => !all.some((other) => other !== word && other.startsWith(word)))

/** Notes for each word the options of a list that have it. */
function* searchOptions(attribute: Attribute, found: Map<string, Among[]>, { at, writtenIn }: Call, reading: Reading): Steps<void> {
  const options = yield* foldingOptions(attribute.settings)
  mustCompare(reading, options.length, at, writtenIn)
  for (const [word, among] of found) {
    const ids: number[] = []
    for (const { id, label } of options) {
      if (beginsWord(label, word)) ids.push(id)
      if (ends(reading, label.length)) yield
    }
    if (ids.length > 0) among.push({ is: 'among', attribute, ids })
  }
}

/** `amongSql`: the SQL of options of a list. */
export function searchSql({ attributes, words, digits }: Searched, dialect: Dialect, amongSql: (among: Among) => Sql): Sql {
  const each = words.map(({ word, among }) =>
    anyTerm([...attributes.flatMap((one) => wordSql(one, word, dialect)), ...among.map(amongSql)]),
  )
  const every = sql`(${join(each, ' AND ')})`
  const phones = digits === '' ? [] : attributes.filter(isPhone).flatMap((one) => wordSql(one, digits, dialect))
  return phones.length > 0 ? anyOf([every, ...phones]) : every
}

const anyTerm = (terms: readonly Sql[]): Sql => (terms.length === 0 ? sql`1 = 0` : anyOf(terms))

/** Whether values are compared by their digits. */
const isPhone = ({ type }: Attribute): boolean => type.part !== undefined

/** Digits by which a phone is found from its end, at least: three are the end of every thousandth one. */
const END = 4

const canEnd = (attribute: Attribute, word: string): boolean => isPhone(attribute) && word.length >= END && DIGITS.test(word)

/** Whether its words are those of any text. All others have words of digits only. */
const isDivided = ({ keyColumn, type }: Attribute): boolean => type.kind === 'text' || keyColumn !== undefined

const canHave = (attribute: Attribute, word: string): boolean => isDivided(attribute) || DIGITS.test(word)

/** A word, and the other beginnings that the key of the attribute may have for it. */
export const beginningsOf = ({ type, settings }: Attribute, word: string): readonly string[] =>
  type.beginnings && DIGITS.test(word) ? [word, ...type.beginnings(word, settings)] : [word]

/** The conditions that a word of the attribute begins so, or a phone ends so; none where that cannot be. */
function wordSql(attribute: Attribute, word: string, dialect: Dialect): Sql[] {
  const { column, keyColumn, type, settings } = attribute
  const compared = name(keyColumn ?? column)
  if (isDivided(attribute)) {
    const begins = beginningsOf(attribute, word).map((one) => dialect.beginsWord(compared, one))
    const ends = canEnd(attribute, word) ? [dialect.endsWith(compared, sql`${word}`)] : []
    return [...begins, ...ends].map((one) => inTimeFor(attribute, one, dialect))
  }
  if (!canHave(attribute, word)) return []
  return [
    inTimeFor(attribute, dialect.contains(sql`('-' || ${digitGroups(type, compared, settings, dialect)})`, sql`${`-${word}`}`), dialect),
  ]
}

/** The text of a number, a time or several ids, with - between its groups of digits. */
function digitGroups(type: FieldType, compared: Sql, settings: Attribute['settings'], dialect: Dialect): Sql {
  switch (type.kind) {
    case 'number':
      return sql`replace(${dialect.decimalText(compared, type.scale?.(settings) ?? 0)}, '.', '-')`
    case 'time':
      return sql`replace(replace(${compared}, ' ', '-'), ':', '-')`
    default:
      return compared
  }
}

/** The columns that a search looks into, for an index of words. Lists are there by the ids of their options, phones also from their end. */
export const wordColumns = (attributes: ReadonlyMap<string, Attribute>, dialect: Dialect): readonly WordColumn[] =>
  [...attributes.values()]
    .filter((one) => one.name !== 'id')
    .flatMap((attribute) => {
      const { column, keyColumn, type, settings } = attribute
      const text = (value: Sql): Sql =>
        type.kind === 'number'
          ? dialect.decimalText(value, type.scale?.(settings) ?? 0)
          : isList({ type })
            ? dialect.integerText(value)
            : value
      const own = { tag: isList({ type }) ? optionTag(column) : column, column: keyColumn ?? column, text }
      return isPhone(attribute) ? [own, { ...own, tag: reversedTag(column) }] : [own]
    })

const optionTag = (column: string): string => `${column}=`

/** Words of columns that an index is asked for, at most. */
const MOST_ASKED = 400

/** What an index of words is asked; undefined if that is too much. */
export function wordsAsked({ attributes, words, digits }: Searched): WordsAsked | undefined {
  const every = words.map(({ word, among }) => [
    ...attributes.filter((one) => canHave(one, word)).flatMap((one) => taggedWords(one, word)),
    ...among.flatMap(({ attribute, ids }) => ids.map((id) => ({ tag: optionTag(attribute.column), word: String(id), isWhole: true }))),
  ])
  const phones = digits === '' || digits.length > LONGEST_WORD ? [] : attributes.filter(isPhone)
  const instead = phones.flatMap((one) => taggedWords(one, digits))
  return every.flat().length + instead.length > MOST_ASKED ? undefined : { every, instead }
}

const taggedWords = (attribute: Attribute, word: string): readonly TaggedWord[] => [
  ...beginningsOf(attribute, word).map((one) => ({ tag: attribute.column, word: one, isWhole: false })),
  ...(canEnd(attribute, word) ? [{ tag: reversedTag(attribute.column), word: reversed(word), isWhole: false }] : []),
]

/** What a test in memory reads of a record: the folded text of an attribute, or the id of its option. */
export interface Readable {
  text(attribute: Attribute): string
  value(attribute: Attribute): Stored
}

/** The same test in memory. `spend` is called with the length of a text before a word is looked for in it. */
export function searchTest({ attributes, words, digits }: Searched, spend: (attribute: Attribute, units: number) => void) {
  const has = (record: Readable, attribute: Attribute, word: string): boolean => {
    const text = record.text(attribute)
    spend(attribute, text.length)
    return beginningsOf(attribute, word).some((one) => beginsWord(text, one)) || (canEnd(attribute, word) && text.endsWith(word))
  }
  const phones = digits === '' ? [] : attributes.filter(isPhone)
  const wanted = words.map(({ word, among }) => ({ word, among: among.map(({ attribute, ids }) => ({ attribute, ids: new Set(ids) })) }))
  return (record: Readable): boolean =>
    wanted.every(
      ({ word, among }) =>
        among.some(({ attribute, ids }) => ids.has(Number(record.value(attribute)))) || attributes.some((one) => has(record, one, word)),
    ) || phones.some((one) => has(record, one, digits))
}
