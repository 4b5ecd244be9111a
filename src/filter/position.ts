import type { Dialect } from '../sql/dialect.ts'
import { join, name, sql, type Param, type Sql } from '../sql/sql.ts'
import { orderBy, ordered, placesOf } from './compile.ts'
import type { SortKey } from './sort.ts'

/*
 * Positions in the order of a list, for pages that begin or end at one (keyset pagination). A position has the values of the record that
 * it was made for, so it stays where it is if that record changes or goes.
 */

/**
 * A value of a sort key: of a number its units, of a choice the id of the option, of a longer text the first `BEGINNING` characters and the
 * digest of all.
 */
export type Key = string | number | bigint | { readonly beginning: string; readonly digest: string }

export interface Position {
  readonly keys: readonly Key[]
  readonly id: number
}

/** Characters of a text that a position has at most, so that two of them fit into an address. */
export const BEGINNING = 255

/** Characters of a text that its digest is about: more would have to be read of each record of a page. */
const DIGESTED = 4_096

const digestOf = (key: Sql, dialect: Dialect): Sql => dialect.digest(sql`substr(${key}, 1, ${DIGESTED})`)

/** The entries of a select list that `readPosition` reads. */
export const keyList = (sort: readonly SortKey[], dialect: Dialect): readonly Sql[] =>
  sort.map(({ attribute }) => {
    const { kind } = attribute.type
    if (kind === 'choice') return sql`${name(attribute.column)} AS choice`
    const key = ordered(attribute, dialect)
    if (kind === 'number') return sql`${dialect.integerText(key)} AS digits`
    const isLong = sql`length(substr(${key}, 1, ${BEGINNING + 1})) > ${BEGINNING}`
    return sql`CASE WHEN ${isLong} THEN substr(${key}, 1, ${BEGINNING}) || ${digestOf(key, dialect)} ELSE ${key} END AS beginning`
  })

/** `values`: what `keyList` selected. */
export const readPosition = (sort: readonly SortKey[], values: readonly Param[], id: number): Position => ({
  keys: sort.map(({ attribute: { type } }, i) => {
    const value = values[i]!
    if (type.kind === 'number') return BigInt(String(value))
    if (type.kind === 'choice') return Number(value)
    const text = String(value)
    const characters = text.length > BEGINNING ? [...text] : []
    return characters.length > BEGINNING
      ? { beginning: characters.slice(0, BEGINNING).join(''), digest: characters.slice(BEGINNING).join('') }
      : text
  }),
  id,
})

/** Whether the record must be read to know a key whole. */
export const isPartial = ({ keys }: Position): boolean => keys.some((key) => typeof key === 'object')

/** The entries of a select list with what the record of a partial position has now, for `paramsOf`. */
export const wholeList = (sort: readonly SortKey[], dialect: Dialect): readonly Sql[] =>
  sort.flatMap(({ attribute }) => {
    const key = ordered(attribute, dialect)
    return [key, attribute.type.kind === 'number' || attribute.type.kind === 'choice' ? sql`''` : digestOf(key, dialect)]
  })

/**
 * The keys as parameters. `now`: what `wholeList` selected of the record, as far as the caller may read it. Instead of a text that has become
 * another one, or is not there, its beginning counts: then some records may be shown twice, and none is left out.
 */
export const paramsOf = (sort: readonly SortKey[], { keys }: Position, now: readonly Param[] = []): readonly Param[] =>
  keys.map((key, i) => {
    if (typeof key === 'object') return now[2 * i + 1] === key.digest ? now[2 * i]! : key.beginning
    return sort[i]!.attribute.type.kind === 'choice' ? placeOf(sort[i]!, Number(key)) : key
  })

/** The rank of an option at this moment: a new label moves the position together with the records. */
function placeOf({ attribute }: SortKey, id: number): number {
  const places = placesOf(attribute)
  return places.size === 0 ? id : (places.get(id) ?? 0)
}

/** A part of what follows a position, in order. */
export interface Stretch {
  readonly conditions: readonly Sql[]
  readonly order: Sql
}

/** The order of a list, or its reverse, in which no two records are equal. */
const orderOf = (keys: readonly SortKey[], backwards: boolean, dialect: Dialect): Sql => {
  const id = backwards ? sql`id DESC` : sql`id`
  return keys.length > 0 ? sql`${orderBy(keys, dialect)}, ${id}` : id
}

/**
 * What follows a position; backwards, what precedes it, in the reverse order. One stretch for each number of leading keys that are equal to
 * those of the position, the largest number first, so that an index serves each. Without a position: everything. `form`: of what is compared.
 */
export function stretches(
  sort: readonly SortKey[],
  position: { readonly params: readonly Param[]; readonly id: number } | undefined,
  backwards: boolean,
  dialect: Dialect,
  form: (compared: Sql) => Sql = (compared) => compared,
): readonly Stretch[] {
  const keys = backwards ? sort.map(({ attribute, descending }) => ({ attribute, descending: !descending })) : sort
  if (!position) return [{ conditions: [], order: orderOf(keys, backwards, dialect) }]
  const { params, id } = position
  const key = (i: number) => form(ordered(keys[i]!.attribute, dialect))
  const all: Stretch[] = []
  for (let same = keys.length; same >= 0; same--) {
    const conditions = keys.slice(0, same).map((_, i) => sql`${key(i)} = ${params[i]!}`)
    if (same < keys.length)
      conditions.push(keys[same]!.descending ? sql`${key(same)} < ${params[same]!}` : sql`${key(same)} > ${params[same]!}`)
    else conditions.push(backwards ? sql`${form(sql`id`)} < ${id}` : sql`${form(sql`id`)} > ${id}`)
    all.push({ conditions, order: orderOf(keys.slice(same), backwards, dialect) })
  }
  return all
}

/** That a record precedes a position. */
export function precedes(
  sort: readonly SortKey[],
  position: { readonly params: readonly Param[]; readonly id: number },
  dialect: Dialect,
): Sql {
  const parts = stretches(sort, position, true, dialect).map(({ conditions }) => sql`(${join(conditions, ' AND ')})`)
  return sql`(${join(parts, ' OR ')})`
}
