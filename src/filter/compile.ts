import type { Attribute } from '../fields/field-type.ts'
import { foldingOptions, type foldedOptions } from '../fields/forms/options.ts'
import { atOnce, sorting, type Steps } from '../fields/steps.ts'
import { memo } from '../memory/memo.ts'
import type { Apart, Dialect } from '../sql/dialect.ts'
import { asOneText, constant, join, name, sql, type Sql } from '../sql/sql.ts'
import type { Across, Condition } from './check.ts'
import { compareCodePoints } from './code-points.ts'
import { looksForPiece, oneOf, type Operand } from './functions.ts'
import { BETWEEN } from './operands.ts'
import { inTimeFor, inTimeOf } from './patience.ts'
import { searchSql, type Searched } from './search.ts'
import type { SortKey } from './sort.ts'

/** Finds records by text indexes. */
export interface FindPiece {
  /** A query for the ids of the records whose attribute contains a piece of text; undefined if no index can find them. */
  (attribute: Attribute, piece: string): Sql | undefined
  /** The same of the records that the index has as they are, and the ids of the others; undefined also where writes update the index. */
  readonly apart?: (attribute: Attribute, piece: string) => Apart | undefined
  /** As `apart`, at less cost: the index may also give ids of records without the piece. */
  readonly perhaps?: (attribute: Attribute, piece: string) => Apart | undefined
  /** The same for the records that search() finds. */
  readonly words?: (searched: Searched) => Sql | undefined
}

/**
 * The SQL of a condition. All columns are NOT NULL, so no condition is NULL and NOT gives the complement. `plainly`: in a form for which the
 * engine uses no index.
 */
export function compile(condition: Condition, dialect: Dialect, find?: FindPiece, plainly = false): Sql {
  const { amongAll } = dialect.indexes.texts
  const held: Sql[] = []
  const rest = sqlOf(condition, { dialect, find, plainly, areMany: functionsIn(condition) > MANY }, amongAll && held)
  return held.length > 0 ? sql`(${amongAll!(held)} AND ${rest})` : rest
}

interface How {
  readonly dialect: Dialect
  readonly find: FindPiece | undefined
  readonly plainly: boolean
  readonly areMany: boolean
}

/** Functions of a filter from which on the clock is checked also before those that compare the beginning of a long text: reading it takes time too. */
const MANY = 16

const functionsIn = (condition: Condition): number =>
  condition.is === 'and' || condition.is === 'or'
    ? condition.terms.reduce((sum, term) => sum + functionsIn(term), 0)
    : condition.is === 'not'
      ? functionsIn(condition.term)
      : condition.is === 'across'
        ? functionsIn(condition.term)
        : 1

/** `held`: takes queries for ids, where all records that are asked for must be among those of each. */
function sqlOf(condition: Condition, how: How, held: Sql[] | undefined): Sql {
  const { dialect, find, plainly, areMany } = how
  const termsOf = (terms: readonly Condition[], held: Sql[] | undefined) => terms.map((term) => sqlOf(term, how, held))
  switch (condition.is) {
    case 'apply': {
      const { fn, attribute, values } = condition
      const ids = find && !plainly ? holding(condition, find) : undefined
      if (ids && fn.exact) return among(ids, held)
      const tested = fn.sql(asked(attribute, fn.of, dialect, plainly), values, dialect)
      const inTime = areMany || fn.index !== 'order' ? inTimeFor(attribute, tested, dialect) : tested
      return ids ? sql`(${among(ids, held)} AND ${inTime})` : inTime
    }
    case 'among':
      return amongSql(condition, dialect, plainly)
    case 'search': {
      const ids = plainly ? undefined : find?.words?.(condition)
      if (ids) return among(ids, held)
      return searchSql(condition, dialect, (one) => amongSql(one, dialect, plainly))
    }
    case 'across':
      return acrossSql(condition, dialect, plainly, areMany)
    case 'not':
      return sql`NOT (${sqlOf(condition.term, how, undefined)})`
    case 'and':
      return sql`(${join(termsOf(condition.terms, held), ' AND ')})`
    case 'or':
      return sql`(${join(termsOf(condition.terms, undefined), ' OR ')})`
  }
}

const everyRecord = sql`1 = 1`

function among(ids: Sql, held: Sql[] | undefined): Sql {
  if (!held) return sql`id IN (${ids})`
  held.push(ids)
  return everyRecord
}

/** Text indexes of the other table are not used: what was found for this one is for this one. */
function acrossSql({ attribute, target, term }: Across, dialect: Dialect, plainly: boolean, areMany: boolean): Sql {
  const wanted = sqlOf(term, { dialect, find: undefined, plainly: false, areMany }, undefined)
  const inTime = inTimeOf(target.columns, [wanted], dialect, true)
  const ids = sql`FROM ${name(target.records)} WHERE ${inTime ? sql`${inTime} AND ` : sql``}${wanted}`
  return dialect.isAmong(column(attribute.column, dialect, plainly), ids)
}

/** Matching options from which on the condition names the options that do not match, if these are fewer. */
const NAMED = 100

function amongSql({ attribute, ids }: Condition & { is: 'among' }, dialect: Dialect, plainly: boolean): Sql {
  const own = column(attribute.column, dialect, plainly)
  const { options = [] } = attribute.settings
  if (ids.length < NAMED || ids.length <= options.length / 2) return oneOf(own, ids, dialect)
  const held = new Set(ids)
  const others = [0, ...options.map(({ id }) => id)].filter((id) => !held.has(id))
  return sql`NOT (${oneOf(own, others, dialect)})`
}

/** The fewest characters that a text index can find. */
const LEAST = 3

/** The piece of text that every matching record contains; undefined if there is none that a text index can find. */
export function pieceOf({ fn, attribute, values }: Condition & { is: 'apply' }): string | undefined {
  if (fn.index !== 'text' || (attribute.type.kind !== 'text' && attribute.type.kind !== 'set')) return undefined
  const [value] = values.map(String)
  const piece = fn.of === 'member' && attribute.type.key ? value!.slice(BETWEEN.length, -BETWEEN.length) : value!
  return Array.from(piece.slice(0, 2 * LEAST)).length < LEAST ? undefined : piece
}

/** The text of a record, and the piece that it contains wherever the condition holds, and nowhere else; undefined for other conditions. */
export function pieceIn(condition: Condition, dialect: Dialect): { readonly text: Sql; readonly piece: string } | undefined {
  if (condition.is !== 'apply' || !looksForPiece(condition.fn)) return undefined
  const { attribute, fn, values } = condition
  return { text: asked(attribute, fn.of, dialect, false), piece: String(values[0]) }
}

/** A query for exactly the ids that meet a condition; undefined if no text index gives them. */
export const idsOf = (condition: Condition | undefined, find: FindPiece | undefined): Sql | undefined =>
  condition?.is === 'search'
    ? find?.words?.(condition)
    : find && condition?.is === 'apply' && condition.fn.exact
      ? holding(condition, find)
      : undefined

/** The same where writes do not update that index: of the records that it has as they are, and the ids of the others. */
export const idsApart = (condition: Condition, find: FindPiece | undefined): Apart | undefined => byPiece(condition, find?.apart)

/** The same at less cost: the index may also give ids of records that do not meet it. */
export const idsPerhaps = (condition: Condition, find: FindPiece | undefined): Apart | undefined => byPiece(condition, find?.perhaps)

function byPiece(condition: Condition, find: FindPiece['apart']): Apart | undefined {
  if (condition.is !== 'apply' || !condition.fn.exact) return undefined
  const piece = pieceOf(condition)
  return piece === undefined ? undefined : find?.(condition.attribute, piece)
}

/** Whether a text index finds the records that meet a condition. */
export const isFound = (condition: Condition, find: FindPiece): boolean =>
  condition.is === 'search' ? find.words?.(condition) !== undefined : condition.is === 'apply' && holding(condition, find) !== undefined

/** A query for the ids of all records that meet a condition, and perhaps of others; undefined if no text index finds them. */
function holding(condition: Condition & { is: 'apply' }, find: FindPiece): Sql | undefined {
  const piece = pieceOf(condition)
  return piece === undefined ? undefined : find(condition.attribute, piece)
}

/** The keys after ORDER BY. The order is total only with the id after them. `plainly`: in a form for which SQLite uses no index. */
export const orderBy = (keys: readonly SortKey[], dialect: Dialect, plainly = false): Sql =>
  join(
    keys.map(({ attribute, descending }) => {
      const key = ordered(attribute, dialect)
      return sql`${plainly ? dialect.indexes.unindexed(key) : key}${descending ? sql` DESC` : sql``}`
    }),
    ', ',
  )

const column = (named: string, dialect: Dialect, plainly: boolean): Sql => (plainly ? dialect.indexes.unindexed(name(named)) : name(named))

/** The left side of a function: the column of an attribute, its folded key, or the text that a response shows. */
function asked({ column: own, keyColumn, type, settings }: Attribute, of: Operand, dialect: Dialect, plainly: boolean): Sql {
  const compared = column(keyColumn ?? own, dialect, plainly)
  const isNumber = type.kind === 'number'
  switch (of) {
    case 'empty':
      // The key is empty for the empty value only, and the index is over the key.
      return isNumber || type.kind === 'choice' ? compared : dialect.byCodePoint(compared)
    case 'member':
      return type.key ? sql`(${BETWEEN} || ${compared} || ${BETWEEN})` : compared
    case 'part':
      return dialect.byCodePoint(isNumber ? dialect.decimalText(compared, digitsShown(type.format(0, settings))) : compared)
    case 'value':
    case 'bound':
      return isNumber ? compared : dialect.byCodePoint(compared)
  }
}

/** Digits after the point. */
const digitsShown = (zero: string): number => zero.split('.')[1]?.length ?? 0

/** What a sort by the attribute compares. */
export function ordered(attribute: Attribute, dialect: Dialect): Sql {
  const { kind } = attribute.type
  if (kind === 'choice') return rank(attribute)
  const compared = name(attribute.keyColumn ?? attribute.column)
  return kind === 'number' ? compared : dialect.byCodePoint(compared)
}

/** By option id, the rank of its label among all labels, from 1. Labels that differ only in case have the same rank. */
export const placesOf = (attribute: Attribute): ReadonlyMap<number, number> => atOnce(placing(attribute))

function* placing({ settings }: Attribute): Steps<ReadonlyMap<number, number>> {
  const options = yield* foldingOptions(settings)
  const found = placesAmong(options)
  if (!found.places) {
    const labels = yield* sorting([...new Set(options.map(({ label }) => label))], compareCodePoints)
    const places = new Map(labels.map((label, i) => [label, i + 1]))
    found.places = new Map(options.map(({ id, label }) => [id, places.get(label)!]))
  }
  return found.places
}

const placesAmong = memo((_: ReturnType<typeof foldedOptions>): { places?: ReadonlyMap<number, number> } => ({}))

/** Prepares what `ordered` needs, in steps, since a list may have many labels. */
export function* ordering(attribute: Attribute): Steps<void> {
  if (attribute.type.kind !== 'choice' || !attribute.settings.options) return
  yield* placing(attribute)
  rank(attribute)
}

const rank = memo((attribute: Attribute): Sql => {
  const { column } = attribute
  const places = placesOf(attribute)
  if (places.size === 0) return name(column)
  // Constants, because an index over an expression is used only for the same text.
  const cases = [...places].map(([id, place]) => sql`WHEN ${constant(id)} THEN ${constant(place)}`)
  return asOneText(sql`CASE ${name(column)} ${join(cases, ' ')} ELSE 0 END`)
})
