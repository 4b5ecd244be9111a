import type { Attribute, Stored } from '../../fields/field-type.ts'
import { join, name, sql } from '../../sql/sql.ts'
import type { HeldFile } from '../ground/changes.ts'
import type { Row, Transaction } from '../ground/db.ts'
import { endOfStep } from '../ground/steps.ts'
import type { Uses } from '../ground/store.ts'
import type { Granted } from '../model/access.ts'
import { recordsOf, type Field, type Table } from '../model/catalogue.ts'
import { Stale } from '../model/stale.ts'
import { othersTurn } from '../scheduling/others-turn.ts'
import { checksumOf } from './checksums.ts'
import { logged } from './images.ts'
import { newRecord } from './new-record.ts'
import { takeKeys } from './unique-keys.ts'

type Used = Uses<'db' | 'catalogue'>

/** Records of a transaction. */
const STEP = 250

interface Pair {
  readonly from: Attribute
  readonly to: Attribute
}

/**
 * Copies all records of a table into an empty one with the same fields in the same order, under their ids, so that references of the table
 * to itself lead into the copy. Values, users and times stay as they are, and are not checked again. Files are named by the copy
 * too; their bytes exist once. In steps, with writes of others between them. Returns how many. @throws Stale where a structure changes meanwhile
 */
export async function copyRecords(
  store: Used,
  from: Granted<'read'>['table'],
  to: Granted<'create' | 'bulk'>,
  progress: (records: number) => Promise<void> = async () => undefined,
): Promise<number> {
  const pairs = newRecord(to.table).attributes.map((attribute, i): Pair => ({ from: newRecord(from).attributes[i]!, to: attribute }))
  const texts = from.fields.flatMap(({ column, type }) => (type.multiline ? [column] : []))
  const [rows] = await store.db.read(sql`SELECT coalesce(max(id), 0) FROM ${name(recordsOf(from.id))}`)
  const last = Number(rows![0]![0])
  const columns = ['id', ...newRecord(to.table).columns]
  let records = 0
  for (let after = 0; ;) {
    const step = await store.db.write(async (tx) => {
      if (store.catalogue().tables.get(from.id) !== from || store.catalogue().tables.get(to.table.id) !== to.table) throw new Stale()
      const where = sql`id <= ${last}`
      const end = await endOfStep(tx.all, store.db.dialect, { table: recordsOf(from.id), after, rows: STEP, texts, where })
      return end === undefined ? undefined : { end, count: await copySome(store, tx, from, to, pairs, columns, { after, end }) }
    })
    if (!step) break
    after = step.end
    records += step.count
    await progress(records)
    await othersTurn()
  }
  if (records > 0) await store.db.write((tx) => continueNumbers(store, tx, from, to.table))
  return records
}

interface Span {
  readonly after: number
  readonly end: number
}

async function copySome(
  store: Used,
  tx: Transaction,
  from: Table,
  to: Granted<'create'>,
  pairs: readonly Pair[],
  columns: readonly string[],
  { after, end }: Span,
): Promise<number> {
  const { dialect } = store.db
  const shown = pairs.flatMap(({ from: { column, keyColumn, type } }) => [
    type.exact ? dialect.integerText(name(column)) : name(column),
    ...(keyColumn === undefined ? [] : [name(keyColumn)]),
  ])
  const found = await tx.all(
    sql`SELECT id, ${join(shown, ', ')} FROM ${name(recordsOf(from.id))} WHERE id > ${after} AND id <= ${end} ORDER BY id`,
  )
  const { valued, time } = newRecord(to.table)
  const records = found.map((row) => recordOf(row, pairs))
  const rows = records.map(({ id, cells }) => {
    const whole: Stored[] = [1, ...cells, 0]
    whole[whole.length - 1] = checksumOf(valued, whole, whole[time]!)
    return [id, ...whole]
  })
  await tx.insert(recordsOf(to.table.id), columns, rows)
  for (const statement of dialect.raiseLastId(recordsOf(to.table.id), end)) await tx.run(statement)
  const files = await copyFiles(tx, from, to.table, { after, end })
  const ids = records.map(({ id }) => id)
  await takeKeys(store, tx, to.table, ids, (field, i) => records[i]!.values.get(field.name))
  for (const { id, values } of records) {
    const after = { values: logged(values), attributes: to.table.attributes, files: files.get(id) ?? new Map<string, HeldFile[]>() }
    const image = tx.images ? { before: undefined, after } : undefined
    tx.changed({ tableId: to.table.id, recordId: id, change: 1, act: 'create', by: to.caller, image })
  }
  return rows.length
}

interface Copied {
  readonly id: number
  /** The cells between version and checksum. */
  readonly cells: readonly Stored[]
  readonly values: ReadonlyMap<string, Stored>
}

function recordOf(row: Row, pairs: readonly Pair[]): Copied {
  const cells: Stored[] = []
  const values = new Map<string, Stored>()
  let place = 1
  for (const { from, to } of pairs) {
    const value = valueOf(from, to, row[place++] as Stored)
    cells.push(value)
    values.set(to.name, value)
    if (from.keyColumn !== undefined) cells.push(row[place++] as Stored)
  }
  return { id: Number(row[0]), cells, values }
}

/** Options of the copy have ids of their own. */
function valueOf({ type, settings }: Attribute, to: Attribute, stored: Stored): Stored {
  if (type.exact) return BigInt(stored)
  if (!type.settings.includes('options')) return stored
  return (type.literal ?? type.parse)(type.format(stored, settings), to.settings, { timeZone: 'UTC' })
}

/** By record and attribute of the copy. */
async function copyFiles(tx: Transaction, from: Table, to: Table, { after, end }: Span): Promise<Map<number, Map<string, HeldFile[]>>> {
  const held = new Map<number, Map<string, HeldFile[]>>()
  const fields = new Map(from.fields.map((field, i) => [field.id, to.fields[i]!]))
  if (!from.fields.some(({ type }) => type.files)) return held
  const found = await tx.all(sql`SELECT field_id, record_id, position, name, hash, size, mime_type FROM files
    WHERE table_id = ${from.id} AND record_id > ${after} AND record_id <= ${end} ORDER BY record_id, field_id, position, id`)
  const rows = found.flatMap(([fieldId, recordId, position, title, hash, size, mimeType]): Row[] => {
    const field = fields.get(Number(fieldId))
    if (!field) return []
    const ofRecord = held.get(Number(recordId)) ?? held.set(Number(recordId), new Map()).get(Number(recordId))!
    const file = { name: String(title), hash: String(hash), size: Number(size) }
    ofRecord.set(field.name, [...(ofRecord.get(field.name) ?? []), file])
    return [[to.id, field.id, Number(recordId), Number(position), file.name, file.hash, file.size, String(mimeType)]]
  })
  const columns = ['table_id', 'field_id', 'record_id', 'position', 'name', 'hash', 'size', 'mime_type']
  if (rows.length > 0) await tx.insert('files', columns, rows)
  return held
}

/** The next number of an autonumber field is that of the original. */
async function continueNumbers(store: Used, tx: Transaction, from: Table, to: Table): Promise<void> {
  const assigned = from.fields.flatMap((field, i): [Field, Field][] => (field.type.assigned ? [[field, to.fields[i]!]] : []))
  for (const [field, copy] of assigned) {
    const [row] = await tx.all(sql`SELECT number_next FROM fields WHERE id = ${field.id}${store.db.dialect.forUpdate}`)
    await tx.run(sql`UPDATE fields SET number_next = ${Number(row![0])} WHERE id = ${copy.id}`)
  }
}
