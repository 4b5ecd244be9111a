import type { Expression } from '../filter/ast.ts'
import { check } from '../filter/check.ts'
import { compile, orderBy, ordered } from '../filter/compile.ts'
import type { SortKey } from '../filter/sort.ts'
import type { Dialect } from '../sql/dialect.ts'
import { join, name, render, sql, type Param, type Sql } from '../sql/sql.ts'
import type { Granted } from './access.ts'
import { recordsOf } from './catalogue.ts'
import type { Reader, Row } from './db.ts'
import { nothingKnown, rememberStart, type Remembered } from './list-memory.ts'
import { readRecord, scopeOf, selectList, visible, type RecordRow } from './read-records.ts'
import type { Store } from './store.ts'

export interface ListQuery {
  readonly filter?: Expression | undefined
  readonly sort: readonly SortKey[]
  readonly offset: number
  readonly limit: number
}

export interface Page {
  readonly records: RecordRow[]
  /** How many match in all. */
  readonly total: number
}

/** A list without its page: what is read, which records, in which order. */
interface List {
  readonly granted: Granted<'read'>
  readonly where: readonly Sql[]
  /** Where there may be much to look through. */
  readonly patience?: Sql | undefined
  readonly sort: readonly SortKey[]
  readonly dialect: Dialect
}

/** A page of what matches, and how many match in all, from one snapshot. */
export async function listRecords(store: Store, granted: Granted<'read'>, { filter, sort, offset, limit }: ListQuery): Promise<Page> {
  const { dialect } = store.db
  const wanted = filter && compile(check(filter, scopeOf(store, granted, granted.attributes)), dialect)
  const where = [visible(store, granted), wanted].filter((one) => one !== undefined).map((one) => sql`(${one})`)
  if (where.length === 0 && sort.length === 0) return pageByPosition(store, granted, offset, limit)
  return pageOf(store, { granted, where, sort, dialect }, offset, limit)
}

/** A page of the whole table by id: its place is known, whatever the offset. */
async function pageByPosition(store: Store, { table, attributes }: Granted<'read'>, offset: number, limit: number): Promise<Page> {
  await store.positions.ready(table.id)
  const position = store.positions.locate(table.id, offset)
  const [counted, rows] = await store.db.read(
    totalOf(table.id),
    ...(position
      ? [
          sql`SELECT ${selectList(attributes, store.db.dialect)} FROM ${name(recordsOf(table.id))}
            WHERE id >= ${position.id} ORDER BY id LIMIT ${limit} OFFSET ${position.skip}`,
        ]
      : []),
  )
  return { records: (rows ?? []).map((row) => readRecord(row, attributes)), total: Number(counted![0]?.[0] ?? 0) }
}

/** Records from which on a filtered or sorted list may take long. */
const MANY = 1_000

/**
 * A page of a filtered or sorted list. Of many records it is read aside; where the table changed meanwhile, what was
 * remembered of it and the page may not fit together, and both are read anew from one snapshot.
 */
async function pageOf(store: Store, list: List, offset: number, limit: number): Promise<Page> {
  const { table } = list.granted
  await store.positions.ready(table.id)
  const large = store.positions.locate(table.id, MANY) !== undefined
  const state = () => `${table.version}/${store.positions.changes(table.id)}`
  const before = state()
  const remembered = store.lists.of(keyOf(list), before)
  const fresh = remembered.total === undefined
  const read = (known: Remembered) =>
    large
      ? readPage(store.db.readAside, { ...list, patience: list.dialect.patience }, known, offset, limit)
      : readPage(store.db.read, list, known, offset, limit)
  const page = await read(remembered)
  return fresh || state() === before ? page : read(nothingKnown())
}

/** From where its neighbour ended, from the nearer end, or by stepping over what comes before. */
async function readPage(read: Reader['read'], list: List, remembered: Remembered, offset: number, limit: number): Promise<Page> {
  const { granted, sort, where } = list
  const { total } = remembered
  const take = total === undefined ? limit : Math.max(0, Math.min(limit, total - offset))
  const last = remembered.starts.get(offset)
  const backwards = !last && total !== undefined && total - offset - take < offset
  const queries =
    take === 0 ? [] : last ? after(list, last, take) : [from(list, backwards, take, backwards ? total - offset - take : offset)]
  const count = total === undefined ? [where.length > 0 ? countOf(list) : totalOf(granted.table.id)] : []
  const answers = await read(...count, ...queries)
  if (total === undefined) remembered.total = Number(answers.shift()![0]?.[0] ?? 0)
  const rows = backwards ? answers.flat().reverse() : answers.flat().slice(0, take)
  remember(remembered, sort, offset, rows)
  return { records: rows.map((row) => readRecord(row, granted.attributes)), total: remembered.total! }
}

function remember(remembered: Remembered, sort: readonly SortKey[], offset: number, rows: readonly Row[]): void {
  const end = rows.at(-1)
  if (!end) return
  const keys = end
    .slice(end.length - sort.length)
    .map((value, i) => (sort[i]!.attribute.type.kind === 'number' ? BigInt(String(value)) : value))
  rememberStart(remembered, offset + rows.length, [...(sort.length > 0 ? keys : []), end[0]!])
}

const totalOf = (tableId: number): Sql => sql`SELECT record_count FROM tables WHERE id = ${tableId}`
const countOf = (list: List): Sql => sql`SELECT count(*) FROM ${source(list)}${whereOf(list)}`
const source = ({ granted }: List): Sql => name(recordsOf(granted.table.id))

function whereOf({ where, patience }: List, more: readonly Sql[] = []): Sql {
  // First: what stands behind a condition is asked only of records that meet it.
  const conditions = [...(patience ? [patience] : []), ...where, ...more]
  return conditions.length > 0 ? sql` WHERE ${join(conditions, ' AND ')}` : sql``
}

/** What a page reads: the record, then the values it is ordered by. */
const selected = ({ granted, sort, dialect }: List): Sql =>
  join([selectList(granted.attributes, dialect), ...sort.map(({ attribute }) => keyText(attribute, dialect))], ', ')

const keyText = (attribute: SortKey['attribute'], dialect: Dialect): Sql =>
  attribute.type.kind === 'number' ? dialect.integerText(ordered(attribute, dialect)) : ordered(attribute, dialect)

/** The page at an offset from the beginning, or in the reverse order from the end. */
function from(list: List, backwards: boolean, limit: number, offset: number): Sql {
  const keys = backwards ? list.sort.map(({ attribute, descending }) => ({ attribute, descending: !descending })) : list.sort
  const order = join([...(keys.length > 0 ? [orderBy(keys, list.dialect)] : []), backwards ? sql`id DESC` : sql`id`], ', ')
  return sql`SELECT ${selected(list)} FROM ${source(list)}${whereOf(list)} ORDER BY ${order} LIMIT ${limit} OFFSET ${offset}`
}

/**
 * The page after a record. One statement for each stretch in which the leading keys are the same as that record's, the
 * longest stretch first, so that an index serves each of them; together they are in order.
 */
function after(list: List, last: readonly Param[], limit: number): Sql[] {
  const { sort, dialect } = list
  const key = (i: number) => ordered(sort[i]!.attribute, dialect)
  const stretches: Sql[] = []
  for (let same = sort.length; same >= 0; same--) {
    const conditions = sort.slice(0, same).map((_, i) => sql`${key(i)} = ${last[i]!}`)
    if (same === sort.length) conditions.push(sql`id > ${last[same]!}`)
    else conditions.push(sort[same]!.descending ? sql`${key(same)} < ${last[same]!}` : sql`${key(same)} > ${last[same]!}`)
    const rest = sort.slice(same)
    const order = rest.length > 0 ? sql`${orderBy(rest, dialect)}, id` : sql`id`
    stretches.push(sql`SELECT ${selected(list)} FROM ${source(list)}${whereOf(list, conditions)} ORDER BY ${order} LIMIT ${limit}`)
  }
  return stretches
}

/** The list as text: the same for the same records in the same order. */
function keyOf(list: List): string {
  const { text, params } = render(from(list, false, 0, 0), () => '?')
  return `${text}\n${params.map((param) => `${typeof param} ${param}`).join('\n')}`
}
