import type { Stored } from '../../fields/field-type.ts'
import { fieldType } from '../../fields/index.ts'
import type { Dialect } from '../../sql/dialect.ts'
import { constant, join, name, sql, type Sql } from '../../sql/sql.ts'
import { conversionColumns, otherColumn, readConversion } from '../catalogue/conversions.ts'
import { recordsOf, trashOf } from '../model/catalogue.ts'
import type { Db, Row, Transaction } from '../ground/db.ts'
import { endOfStep } from '../ground/steps.ts'

/*
 * Each record carries a checksum of its values, so that `check` notices when the disk or another program changed one of them.
 * Its low 31 bits are the sum of one hash for each column that holds a value: a change adds the difference, and a new column,
 * which is empty, changes nothing. The 16 bits above are of update_time alone: whatever writes it knows the new time, but not the one
 * before, so it replaces these. They are 0 in records that were not written since there are such bits. The id, the version and the folded keys
 * are not part of a checksum: the keys are compared with the values, and the ids with the counts.
 */

/** The checksum of a record that was written before there were checksums: not compared. */
const UNKNOWN = -1
const BITS = 0x7fffffff
const ABOVE = BITS + 1

/** In the old column of a converted field that has no empty value: the record is settled (settle.ts). No value has so many digits. */
export const SETTLED = '-9223372036854775808'

/**
 * The empty values of all types, as text. They add 0 to a checksum in columns of any type. No value may be added: the checksums of records
 * that contain it would become wrong. So the empty value of a new type must be one of these.
 */
const EMPTY = new Set(['', '0', '0000-00-00', '0000-00-00 00:00:00', SETTLED])

/** The part that one column adds to the checksum of its record: 31 bits, 0 for an empty value. */
export function hashOf(column: string, value: Stored): number {
  const text = String(value)
  if (EMPTY.has(text)) return 0
  let a = 0x2545f491
  let b = 0x41c6ce57
  // Both sums in one loop, for speed. A lone surrogate, which no text contains, separates the name of the column from the value.
  for (const part of [column, '\ud800', text]) {
    for (let i = 0; i < part.length; i++) {
      const unit = part.charCodeAt(i)
      a = Math.imul(a ^ unit, 0x9e3779b1)
      b = Math.imul(b ^ unit, 0x5f356495)
    }
  }
  a = Math.imul(a ^ (a >>> 16), 0x85ebca6b) ^ Math.imul(b ^ (b >>> 13), 0xc2b2ae35)
  return (a ^ (a >>> 15)) & BITS
}

/** The bits of a checksum that are of update_time: never all 0. */
function partOf(time: string): number {
  if (latest.time !== time) latest = { time, part: ((hashOf('update_time', time) & 0x7fff) | 0x8000) * ABOVE }
  return latest.part
}
/** Records that are written one after the other mostly have the same time. */
let latest = { time: '', part: 0 }

/** `valued`: the columns that hold values, each with its place in the row; `time`: the update_time. */
export const checksumOf = (valued: readonly (readonly [column: string, place: number])[], row: Row, time: Stored): number =>
  sumOf(valued, row) + partOf(String(time))

function sumOf(valued: readonly (readonly [column: string, place: number])[], row: Row): number {
  let sum = 0
  for (const [column, place] of valued) sum = (sum + hashOf(column, row[place] as Stored)) & BITS
  return sum
}

/** What an UPDATE of one record adds to its checksum when these columns change. */
export const difference = (changes: Iterable<readonly [column: string, before: Stored, after: Stored]>): number => {
  let sum = 0
  for (const [column, before, after] of changes) sum = (sum + hashOf(column, after) - hashOf(column, before)) & BITS
  return sum
}

/** The assignment for an UPDATE that adds `by` to the checksum, and keeps the update_time: `updated` (next-version.ts) assigns both. */
export const changeChecksum = (by: Sql): Sql =>
  sql`checksum = CASE WHEN checksum < 0 THEN checksum
    ELSE checksum - (checksum & ${constant(BITS)}) + ((checksum + ${by}) & ${constant(BITS)}) END`

/** The assignment for an UPDATE that sets update_time to this time, and adds `by` to the checksum. */
export const checksumAt = (now: string, by: number | Sql): Sql =>
  sql`checksum = CASE WHEN checksum < 0 THEN checksum ELSE ((checksum + ${by}) & ${constant(BITS)}) + ${partOf(now)} END`

/** Adds a difference to each of these records. */
export async function changeChecksums(
  tx: Transaction,
  dialect: Dialect,
  twin: Sql,
  rows: readonly (readonly [id: number, by: number])[],
): Promise<void> {
  const some = rows.filter(([, by]) => by !== 0)
  if (some.length === 0) return
  await tx.run(
    sql`UPDATE ${twin} SET ${changeChecksum(sql`given.n`)} FROM ${dialect.given(['id', 'n'], some)} AS given WHERE given.id = ${twin}.id`,
  )
}

/** The columns with values of a table, including fields in the trash and the second columns of fields that jobs convert; `texts`: those with texts of any length. */
async function valueColumns(all: Transaction['all'], tableId: number): Promise<{ columns: string[]; texts: string[] }> {
  const rows = await all(sql`SELECT column_name, type FROM fields WHERE table_id = ${tableId} ORDER BY id`)
  const others = (await all(sql`SELECT ${conversionColumns} FROM conversions WHERE table_id = ${tableId} ORDER BY id`)).map((row) => {
    const { column, type } = otherColumn(readConversion(row))
    return [column, type.name]
  })
  const every = [...rows, ...others]
  const texts = every.filter(([, type]) => typeof fieldType(String(type))?.empty === 'string').map(([column]) => String(column))
  return { columns: ['user_id', 'add_time', 'status', ...every.map(([column]) => String(column))], texts }
}

/** The most records that are read at once, with all their values in memory. */
const RECORDS_READ = 200

const shown = (columns: readonly string[], dialect: Dialect): Sql =>
  join([sql`id`, sql`checksum`, sql`update_time`, ...columns.map((column) => dialect.integerText(name(column)))], ', ')

/** The columns with their places in a row of `shown`. */
const placed = (columns: readonly string[]) => columns.map((column, i) => [column, i + 3] as const)

/** Whether a row of `shown` has other values than those that were written, as far as its checksum tells. */
function isDamaged(valued: ReturnType<typeof placed>, row: Row): boolean {
  const kept = Number(row[1])
  if (kept === UNKNOWN) return false
  const sum = sumOf(valued, row)
  return kept !== sum && kept !== sum + partOf(String(row[2]))
}

/** Ids of the records of `twin` whose values are not those that were written. */
export async function* damaged(db: Db, tableId: number, twin: string): AsyncGenerator<number> {
  const all = async (query: Sql) => (await db.read(query))[0]!
  const { columns, texts } = await valueColumns(all, tableId)
  for (let last = 0; ;) {
    const end = await endOfStep(all, db.dialect, { table: twin, after: last, rows: RECORDS_READ, texts })
    if (end === undefined) return
    const [rows] = await db.read(
      sql`SELECT ${shown(columns, db.dialect)} FROM ${name(twin)} WHERE id > ${last} AND id <= ${end} ORDER BY id`,
    )
    for (const row of rows!) if (isDamaged(placed(columns), row)) yield Number(row[0])
    last = end
  }
}

const COMPLETE = 'checksums'

/** Gives a checksum to the records that have none yet. Returns how many it gave one; once all records have one, it reads none. */
export async function fillChecksums(db: Db): Promise<number> {
  const [done, tables] = await db.read(sql`SELECT 1 FROM meta WHERE name = ${COMPLETE}`, sql`SELECT id FROM tables ORDER BY id`)
  if (done!.length > 0) return 0
  let filled = 0
  for (const [id] of tables!) {
    for (const twin of [recordsOf(Number(id)), trashOf(Number(id))]) filled += await fillTwin(db, Number(id), twin)
  }
  await db.write((tx) => tx.run(sql`INSERT INTO meta (name, value) VALUES (${COMPLETE}, 'complete') ON CONFLICT (name) DO NOTHING`))
  return filled
}

async function fillTwin(db: Db, tableId: number, twin: string): Promise<number> {
  let filled = 0
  for (let last = 0; ;) {
    const next = await db.write(async (tx) => {
      // The table was erased meanwhile.
      if ((await tx.all(sql`SELECT 1 FROM tables WHERE id = ${tableId}`)).length === 0) return undefined
      const { columns, texts } = await valueColumns(tx.all, tableId)
      const where = sql`checksum = ${constant(UNKNOWN)}`
      const end = await endOfStep(tx.all, db.dialect, { table: twin, after: last, rows: RECORDS_READ, texts, where })
      if (end === undefined) return undefined
      const rows = await tx.all(
        sql`SELECT ${shown(columns, db.dialect)}, version FROM ${name(twin)} WHERE ${where} AND id > ${last} AND id <= ${end} ORDER BY id`,
      )
      const sums = rows.map((row) => [Number(row[0]), Number(row.at(-1)), checksumOf(placed(columns), row, row[2] as Stored)] as const)
      // Empty where others have moved all of them meanwhile. A row is written only in the version that was read. FOR UPDATE would lock it
      // instead, but Citus allows that for a single shard only.
      const count =
        sums.length > 0
          ? await tx.run(
              sql`UPDATE ${name(twin)} SET checksum = given.n FROM ${db.dialect.given(['id', 'version', 'n'], sums)} AS given
                WHERE given.id = ${name(twin)}.id AND given.version = ${name(twin)}.version`,
            )
          : 0
      // What others have changed meanwhile is read again.
      return { last: count === sums.length ? end : last, count }
    })
    if (!next) return filled
    last = next.last
    filled += next.count
  }
}
