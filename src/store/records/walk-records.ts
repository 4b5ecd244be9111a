import { left, type RecordRow, type ShownRecord } from '../model/record.ts'
import type { Expression } from '../../filter/ast.ts'
import { compile } from '../../filter/compile.ts'
import { inTimeOf, hasLongTexts } from '../../filter/patience.ts'
import type { SortKey } from '../../filter/sort.ts'
import type { Attribute } from '../../fields/field-type.ts'
import type { Position } from '../../filter/position.ts'
import { join, name, sql, type Sql } from '../../sql/sql.ts'
import type { Granted } from '../model/access.ts'
import { recordsOf } from '../model/catalogue.ts'
import { inlineBytes } from './left.ts'
import { measureLeft, readLeft } from './left-values.ts'
import { conditionOf, listUpTo, readShown, readCondition } from './read-records.ts'
import { Stale } from '../model/stale.ts'
import type { Selection } from '../ground/pages.ts'
import type { Uses } from '../ground/store.ts'

/** The most records of a batch; the same if their texts may be long; ids that are searched at a time. */
const PAGE = 500
const PAGE_OF_TEXTS = 125
const SPAN = 5_000
/** The most values, and characters, of a batch: reading and writing it takes a few milliseconds of the thread that serves. */
const VALUES = 15_000
const BATCH = 524_288

/**
 * Every record that matches, by id or as `sort` says, in batches of a few hundred, fewer where they are long: the memory is constant, and
 * other requests are handled between two batches. Each record is consistent in itself; two records may be from different snapshots. In an order
 * of values, a record whose place changes meanwhile may be missing or come twice, as on pages by cursors.
 */
export async function* walkRecords(
  store: Uses<'db' | 'context' | 'catalogue' | 'pages'>,
  granted: Granted<'read'>,
  filter?: Expression,
  sort: readonly SortKey[] = [],
): AsyncGenerator<readonly RecordRow[]> {
  const { table, attributes } = granted
  const { dialect, read, readAside } = store.db
  const wanted = filter && compile(await conditionOf(store, granted, filter), dialect)
  const conditions = [readCondition(store, granted), wanted].filter((one) => one !== undefined).map((one) => sql`(${one})`)
  const reading: typeof read = conditions.length > 0 ? (...queries) => readAside(granted.caller, ...queries) : read
  const inTime = conditions.length > 0 ? inTimeOf(table.attributes, conditions, dialect, true) : undefined
  const from = name(recordsOf(table.id))
  const most = hasLongTexts(attributes) ? PAGE_OF_TEXTS : PAGE
  const page = Math.max(10, Math.min(most, Math.floor(VALUES / attributes.size)))
  const list = listUpTo(attributes, dialect, inlineBytes(attributes, PAGE))
  const select = (...where: Sql[]) =>
    sql`SELECT ${list} FROM ${from} WHERE ${join([...where, ...(inTime ? [inTime] : []), ...conditions], ' AND ')} ORDER BY id LIMIT ${page}`
  const again = async (id: number): Promise<ShownRecord | undefined> => {
    const [rows] = await reading(select(sql`id = ${id}`))
    return rows![0] && readShown(rows![0], attributes)
  }
  if (sort.length > 0) {
    for await (const ids of idsInOrder(store, granted, { filter, sort }))
      for (let at = 0; at < ids.length; at += page) {
        const some = ids.slice(at, at + page)
        const [rows] = await reading(select(dialect.oneOf(sql`id`, some)))
        const byId = new Map(rows!.map((row) => [Number(row[0]), row]))
        const inOrder = some.flatMap((id) => (byId.has(id) ? [byId.get(id)!] : []))
        yield* inBatches(inOrder, (row) => whole(store, granted, readShown(row, attributes), again))
      }
    return
  }
  for (let last = 0; ;) {
    const [rows, ends] = await reading(select(sql`id > ${last}`, sql`id <= ${last + SPAN}`), sql`SELECT coalesce(max(id), 0) FROM ${from}`)
    yield* inBatches(rows!, (row) => whole(store, granted, readShown(row, attributes), again))
    last = rows!.length === page ? Number(rows!.at(-1)![0]) : last + SPAN
    if (last >= Number(ends![0]![0])) return
  }
}

const NONE: ReadonlyMap<string, Attribute> = new Map()

/** The ids of the records that match, some thousand at a time: without an index each page is sorted anew, so they are few. */
async function* idsInOrder({ pages }: Uses<'pages'>, granted: Granted<'read'>, selection: Selection): AsyncGenerator<readonly number[]> {
  for (let after: Position | undefined; ;) {
    const { records, positions, more } = await pages.around({ ...granted, attributes: NONE }, selection, { after, size: SPAN })
    yield records.map(({ id }) => id)
    after = positions.at(-1)
    if (!more || !after) return
  }
}

async function* inBatches<T>(rows: readonly T[], read: (row: T) => Promise<RecordRow | undefined>): AsyncGenerator<readonly RecordRow[]> {
  let batch: RecordRow[] = []
  let characters = 0
  for (const row of rows) {
    const record = await read(row)
    if (!record) continue
    batch.push(record)
    for (const key in record.attributes) characters += record.attributes[key]!.length
    if (characters < BATCH) continue
    yield batch
    await nextTurn()
    batch = []
    characters = 0
  }
  if (batch.length > 0) yield batch
  await nextTurn()
}

/** Lets the event loop handle other requests, which a read of SQLite does not. */
const nextTurn = () => new Promise<void>((next) => void setImmediate(next))

/** A record with its long values. It is read again where it changes meanwhile; undefined where it does not match any more. */
async function whole(
  store: Uses<'db'>,
  granted: Granted<'read'>,
  shown: ShownRecord,
  again: (id: number) => Promise<ShownRecord | undefined>,
): Promise<RecordRow | undefined> {
  for (let record: ShownRecord | undefined = shown; record; record = await again(record.id)) {
    if (isWhole(record)) return record
    try {
      const found = await measureLeft(store, granted, [record], undefined)
      const attributes: Record<string, string | typeof left> = { ...record.attributes }
      const names = found.flatMap(({ values }) => values.map(({ attribute }) => attribute.name))
      let next = 0
      for await (const text of readLeft(store, granted, found)) attributes[names[next++]!] = text
      return { ...record, attributes: attributes as Record<string, string> }
    } catch (error) {
      if (!(error instanceof Stale)) throw error
    }
  }
  return undefined
}

function isWhole(record: ShownRecord): record is RecordRow {
  for (const key in record.attributes) if (record.attributes[key] === left) return false
  return true
}
