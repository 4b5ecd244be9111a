import { left, type RecordRow, type ShownRecord } from '../model/record.ts'
import type { Expression } from '../../filter/ast.ts'
import { compile } from '../../filter/compile.ts'
import { inTimeOf, hasLongTexts } from '../../filter/patience.ts'
import { join, name, sql, type Sql } from '../../sql/sql.ts'
import type { Granted } from '../model/access.ts'
import { recordsOf } from '../model/catalogue.ts'
import { inlineBytes } from './left.ts'
import { measureLeft, readLeft } from './left-values.ts'
import { conditionOf, listUpTo, readShown, readCondition } from './read-records.ts'
import { Stale } from '../model/stale.ts'
import type { Uses } from '../ground/store.ts'

/** The most records of a batch; the same if their texts may be long; ids that are searched at a time. */
const PAGE = 500
const PAGE_OF_TEXTS = 125
const SPAN = 5_000
/** The most values, and characters, of a batch: reading and writing it takes a few milliseconds of the thread that serves. */
const VALUES = 15_000
const BATCH = 524_288

/**
 * Every record that matches, by id, in batches of a few hundred, fewer where they are long: the memory is constant, and other
 * requests are handled between two batches. Each record is consistent in itself; two records may be from different snapshots.
 */
export async function* walkRecords(
  store: Uses<'db' | 'context' | 'catalogue'>,
  granted: Granted<'read'>,
  filter?: Expression,
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
  for (let last = 0; ;) {
    const [rows, ends] = await reading(select(sql`id > ${last}`, sql`id <= ${last + SPAN}`), sql`SELECT coalesce(max(id), 0) FROM ${from}`)
    yield* inBatches(rows!, (row) => whole(store, granted, readShown(row, attributes), again))
    last = rows!.length === page ? Number(rows!.at(-1)![0]) : last + SPAN
    if (last >= Number(ends![0]![0])) return
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
