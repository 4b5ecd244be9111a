import { plain, type Attribute } from '../../fields/field-type.ts'
import { builtIn } from '../../fields/index.ts'
import type { Condition } from '../../filter/check.ts'
import { isRange } from '../../filter/functions.ts'
import { mayBeLong } from '../../filter/patience.ts'
import { ordered, pieceOf } from '../../filter/compile.ts'
import { wordColumns } from '../../filter/search.ts'
import type { SortKey } from '../../filter/sort.ts'
import type { Dialect, TextIndex, WordColumn } from '../../sql/dialect.ts'
import { constant, name, render, sql, type Sql } from '../../sql/sql.ts'
import { isReversed, WORDS } from '../../sql/words.ts'
import { indexKinds, type Answered, type IndexKind } from '../ground/indexes.ts'
import { recordsOf } from '../model/catalogue.ts'

/* Which index serves which filter or sort, and the statements that make it. Pure functions. */

/** What would serve a list: an index of any of these kinds. If none exists, one of the first kind is made. */
export interface Need {
  readonly attribute: Attribute
  readonly kinds: readonly [IndexKind, ...IndexKind[]]
}

/** Pieces of text that a filter may look for in text indexes. A filter with more is answered from the records, under the time limit. */
const PIECES = 16

export const asksTooMuch = (condition: Condition): boolean => textPieces(condition).length > PIECES

/** The pieces of text in a filter that text indexes can find, each with its attribute. */
export function textPieces(condition: Condition): readonly { readonly attribute: Attribute; readonly piece: string }[] {
  switch (condition.is) {
    case 'and':
    case 'or':
      return condition.terms.flatMap(textPieces)
    case 'not':
      return textPieces(condition.term)
    case 'among':
    case 'search':
    case 'across':
      return []
    case 'apply': {
      const piece = pieceOf(condition)
      return piece === undefined ? [] : [{ attribute: condition.attribute, piece }]
    }
  }
}

export const hasSearch = (condition: Condition): boolean =>
  condition.is === 'search' ||
  (condition.is === 'not'
    ? hasSearch(condition.term)
    : (condition.is === 'and' || condition.is === 'or') && condition.terms.some(hasSearch))

/** The indexes that would serve a filter and a sort. */
export function needs(condition: Condition | undefined, sort: readonly SortKey[], answered: Answered = 'by SQL'): Need[] {
  const found = condition && !asksTooMuch(condition) ? needsOf(condition, answered) : []
  return [...found, ...needsOfSort(sort, answered)].filter(({ attribute }) => attribute.column !== 'id')
}

function needsOfSort([first]: readonly SortKey[], answered: Answered): readonly Need[] {
  if (!first || answered === 'by sets of a table that is not large') return []
  return [{ attribute: first.attribute, kinds: [first.descending ? 'order_desc' : 'order'] }]
}

function needsOf(condition: Condition, answered: Answered = 'by SQL'): Need[] {
  switch (condition.is) {
    case 'and':
    case 'or':
      return condition.terms.flatMap((term) => needsOf(term, answered))
    case 'among':
      return [{ attribute: condition.attribute, kinds: ['value'] }]
    case 'search':
      return [{ attribute: everyAttribute, kinds: ['words'] }]
    case 'across':
      return [{ attribute: condition.attribute, kinds: ['order', 'order_desc'] }]
    case 'not':
      return needsOf(condition.term, answered)
    case 'apply': {
      const { fn, attribute } = condition
      if (answered === 'by sets of a table that is not large' && isRange(fn) && !mayBeLong(attribute)) return []
      if (pieceOf(condition) !== undefined) return [{ attribute, kinds: ['text'] }]
      // Of a number, a part is looked for in its digits, which no index has.
      if (fn.index !== 'order' || (fn.of === 'part' && attribute.type.kind === 'number')) return []
      return [{ attribute, kinds: ['order', 'order_desc'] }]
    }
  }
}

/**
 * Whether an index finds what a filter selects, but not in the order of ids: for ranges and several values. The planner of the engine may
 * instead scan the records by id until a page is full, which may be all records.
 */
function findsUnordered(condition: Condition, has: (need: Need) => boolean): boolean {
  switch (condition.is) {
    case 'and': {
      const found = condition.terms.map((term) => findsOrdered(term, has))
      return !found.includes(true) && condition.terms.some((term) => findsUnordered(term, has))
    }
    case 'or':
      return condition.terms.every((term) => findsOrdered(term, has) || findsUnordered(term, has))
    case 'not':
    case 'search':
      return false
    case 'across':
      return needsOf(condition).some(has)
    case 'among':
      return condition.ids.length !== 1 && needsOf(condition).some(has)
    case 'apply':
      return condition.fn.index === 'order' && !findsOrdered(condition, has) && needsOf(condition).some(has)
  }
}

/** The terms of a conjunction that an index serves. */
export function servedTerms(condition: Condition, has: (need: Need) => boolean): readonly Condition[] {
  const terms = asksTooMuch(condition) ? [] : condition.is === 'and' ? condition.terms : [condition]
  return terms.filter((term) => findsOrdered(term, has) || findsUnordered(term, has))
}

/**
 * Whether an index finds what a filter selects in the order of the ids: all matches have the same key, and the id comes after the key
 * in the index; or a text index finds them.
 */
function findsOrdered(condition: Condition, has: (need: Need) => boolean): boolean {
  switch (condition.is) {
    case 'and':
      return condition.terms.some((term) => findsOrdered(term, has))
    case 'among':
      return condition.ids.length === 1 && needsOf(condition).some(has)
    case 'apply': {
      const { fn, values } = condition
      const isEquality = fn.index === 'text' || (fn.index === 'order' && values.length === 1 && (fn.of === 'value' || fn.of === 'empty'))
      return isEquality && needsOf(condition).some(has)
    }
    case 'search':
      return needsOf(condition).some(has)
    case 'or':
    case 'not':
    case 'across':
      return false
  }
}

/** Stands for all attributes of a table: what an index of words is over. */
export const everyAttribute: Attribute = { name: '', column: '', type: builtIn.longtext, settings: plain }

/** Whether an attribute can have an index of a kind. */
export function suits({ column, type }: Attribute, wanted: IndexKind, { indexes }: Dialect): boolean {
  if (column === 'id') return false
  if (wanted === 'words' || column === '') return wanted === 'words' && column === '' && indexes.texts.haveWords
  const isText = type.kind === 'text' || type.kind === 'set'
  if (wanted === 'text') return indexes.texts.areAvailable && isText
  if (wanted === 'value') return type.kind === 'choice'
  return !isText || (type.longest ?? Infinity) <= indexes.longest
}

/** The index for the present form of an attribute. */
export interface Plan {
  readonly index: string
  /** What the index is made of. If that of an existing index differs, it is made again. */
  readonly madeOf: string
  /** Statements that make it. A text index is empty then. */
  make(): readonly Sql[]
  drop(): readonly Sql[]
  readonly text: TextIndex | undefined
}

/** `attributes`: all of the table. */
export function planOf(
  { id, tableId, kind }: { readonly id: number; readonly tableId: number; readonly kind: IndexKind },
  attribute: Attribute,
  attributes: ReadonlyMap<string, Attribute>,
  dialect: Dialect,
): Plan {
  const statements = dialect.indexes
  const column = attribute.keyColumn ?? attribute.column
  const index = indexName(tableId, attribute.column, kind)
  if (isOfTexts(kind)) {
    const words = kind === 'words' ? { words: wordColumns(attributes, dialect) } : {}
    const text = {
      index,
      table: recordsOf(tableId),
      column,
      ...words,
      covered: sql`(SELECT covered FROM indexes WHERE id = ${constant(id)})`,
    }
    const { texts } = statements
    const of = text.words ? `${WORDS}: ${formsOf(text.words)}` : column
    const form = texts.form(text)
    const madeOf = form === '' ? of : `${of} ${form}`
    return { index, madeOf, make: () => texts.make(text), drop: () => texts.drop(index), text }
  }
  const expression = kind === 'value' ? name(column) : ordered(attribute, dialect)
  return {
    index,
    // A sort by the labels of a list changes with the labels.
    madeOf: `${column} ${expression.chunks.map((chunk) => ('text' in chunk ? chunk.text : '')).join('')}`,
    make: () => statements.make(index, recordsOf(tableId), expression, kind === 'order_desc'),
    drop: () => statements.drop(index),
    text: undefined,
  }
}

/** The columns of an index of words, and how each is read. */
const formsOf = (words: readonly WordColumn[]): string =>
  words
    .map(({ tag, column, text }) => {
      const { text: form, params } = render(text(sql``), () => '?')
      return isReversed(tag) ? `${column} backwards` : form === '' ? column : `${tag} ${params.join(' ')}`
    })
    .join(', ')

/** Whether an index of this kind is made as the text indexes of the engine are. */
export const isOfTexts = (kind: string): boolean => kind === 'text' || kind === 'words'

/** Statements that drop every index that has a column, whether or not there is one. */
export const dropAll = (tableId: number, column: string, dialect: Dialect): readonly Sql[] =>
  indexKinds.flatMap((kind) => dropOf(dialect, kind, indexName(tableId, kind === 'words' ? '' : column, kind)))

/** Statements that drop an index, whether or not it is there. */
export const dropOf = ({ indexes }: Dialect, kind: string, index: string): readonly Sql[] =>
  isOfTexts(kind) ? indexes.texts.drop(index) : indexes.drop(index)

const indexName = (tableId: number, column: string, kind: IndexKind): string => `${recordsOf(tableId)}_${column}_${kind}`
