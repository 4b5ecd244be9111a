import { Failure } from '../../errors.ts'
import type { Attribute, Stored } from '../../fields/field-type.ts'
import { fold } from '../../fields/fold.ts'
import { firstOf } from '../../fields/value.ts'
import type { Expression } from '../../filter/ast.ts'
import { check } from '../../filter/check.ts'
import { beginningsOf, type Searched } from '../../filter/search.ts'
import { limits } from '../../limits.ts'
import { join, name, sql } from '../../sql/sql.ts'
import { beginsWord } from '../../sql/words.ts'
import type { Uses } from '../ground/store.ts'
import { grant, type Caller, type Granted } from '../model/access.ts'
import { recordsOf, type Table } from '../model/catalogue.ts'
import { left, type ShownRecord } from '../model/record.ts'
import { conditionOf } from './read-records.ts'

/* search(…) in several tables, one after the other. What a table has is what a list of it shows with the same rights. */

export interface Hit {
  readonly id: number
  /** The value of the title field of the table; '' if the table has none that the caller may read. */
  readonly title: string
  /** The name of the attribute that has most of the words. */
  readonly attribute: string
}

export interface Found {
  readonly table: Table
  /** How many records have the words; undefined if the table was not looked through in time. */
  readonly total: number | undefined
  readonly hits: readonly Hit[]
}

/** Hits of each table. */
const HITS = 5

type Used = Uses<'db' | 'context' | 'catalogue' | 'pages' | 'environment'>

/**
 * What the tables have that the caller may read, in the order given; only those that have something, or that were not looked through within
 * `time` milliseconds. `searched`: the call of search(). @throws Failures `filter.…`, `server.busy`
 */
export async function searchTables(
  store: Used,
  caller: Caller,
  tableIds: readonly number[],
  searched: Expression,
  time: number,
): Promise<Found[]> {
  // Refused even for a caller who may read no table.
  check(searched, { attributes: new Map(), context: store.context })
  const until = store.environment.now() + time
  const found: Found[] = []
  for (const id of tableIds) {
    const granted = grant('read', id, caller, store.catalogue())
    const one = store.environment.now() >= until ? undefined : await searchTable(store, granted, searched)
    if (!one) found.push({ table: granted.table, total: undefined, hits: [] })
    else if (one.total > 0) found.push(one)
  }
  return found
}

/** Undefined if reading takes longer than a list may. */
async function searchTable(
  store: Used,
  granted: Granted<'read'>,
  searched: Expression,
): Promise<(Found & { readonly total: number }) | undefined> {
  const condition = (await conditionOf(store, granted, searched)) as Searched
  try {
    const { records, total } = await store.pages.page(granted, { filter: searched, sort: [], offset: 0, limit: HITS })
    const hits: Hit[] = []
    for (const record of records) hits.push(await hitOf(store, granted, condition, record))
    return { table: granted.table, total, hits }
  } catch (error) {
    if (error instanceof Failure && error.code === 'server.query_timeout') return undefined
    throw error
  }
}

async function hitOf(store: Used, granted: Granted<'read'>, { words, digits }: Searched, record: ShownRecord): Promise<Hit> {
  const { table, attributes } = granted
  const titled = table.fields.find((field) => field.id === table.titleFieldId && attributes.has(field.name))
  // Fields before system attributes: people look for those.
  const fields = table.fields.filter((field) => attributes.has(field.name))
  const searched = [
    ...fields,
    ...[...attributes.values()].filter((one) => one.name !== 'id' && !fields.some(({ name }) => name === one.name)),
  ]
  const asked = [...words.map(({ word }) => word), ...(digits === '' ? [] : [digits])]
  const shown = new Map(searched.map((one) => [one, record.attributes[one.name]!]))
  const counts = searched.map((one) => asked.filter((word) => hasWord(one, shown.get(one)!, word)).length)
  const most = Math.max(...counts)
  const known = most > 0 ? searched[counts.indexOf(most)] : undefined
  const long = searched.filter((one) => shown.get(one) === left)
  const [title, ...matches] = await ofLong(store, table, record.id, titled && shown.get(titled) === left ? titled : undefined, long, asked)
  const attribute = known ?? long[matches.indexOf(1)] ?? searched[0]!
  const text = titled ? shown.get(titled)! : ''
  return { id: record.id, title: typeof text === 'string' ? firstOf(text, limits.title.most) : String(title), attribute: attribute.name }
}

function hasWord(attribute: Attribute, shown: string | typeof left, word: string): boolean {
  const { type, settings } = attribute
  if (typeof shown !== 'string') return false
  const text = type.byCountry ? type.key!(shown, settings) : fold(shown)
  return beginningsOf(attribute, word).some((one) => beginsWord(text, one))
}

/** Of values that were left in the database: the beginning of the title, and for each attribute 1 if it has one of the words. */
async function ofLong(
  { db }: Used,
  table: Table,
  id: number,
  titled: Attribute | undefined,
  long: readonly Attribute[],
  words: readonly string[],
): Promise<readonly Stored[]> {
  if (long.length === 0) return ['']
  const title = titled ? sql`substr(${name(titled.column)}, 1, ${limits.title.most})` : sql`''`
  const matches = long.map((one) => {
    const has = words.map((word) => db.dialect.beginsWord(name(one.keyColumn ?? one.column), word))
    return sql`CASE WHEN ${join(has, ' OR ')} THEN 1 ELSE 0 END`
  })
  const [rows] = await db.read(sql`SELECT ${join([title, ...matches], ', ')} FROM ${name(recordsOf(table.id))} WHERE id = ${id}`)
  const [first = '', ...others] = rows![0] ?? []
  return [first as Stored, ...others.map(Number)]
}
