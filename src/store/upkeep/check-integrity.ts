import { createHash } from 'node:crypto'
import { join, name, sql } from '../../sql/sql.ts'
import { recordsOf, trashOf, type Field, type Table } from '../model/catalogue.ts'
import type { FileStorage } from '../files/file-storage.ts'
import { damaged } from '../records/checksums.ts'
import type { Row } from '../ground/db.ts'
import type { Uses } from '../ground/store.ts'
import { endOfStep } from '../ground/steps.ts'
import { checkLog } from './check-log.ts'
import { checkKeys } from '../records/unique-keys.ts'

/** Rows of one read; requests are served between two reads. */
const ROWS_READ = 1000

export interface Checking {
  /** Default: yes. Otherwise it is asked whether they are there, and how large they are. */
  readonly readsFiles?: boolean
}

/** All faults of the installation, a sentence each. */
export async function* checkIntegrity(
  store: Uses<'db' | 'positions' | 'indexes' | 'files' | 'catalogue'>,
  { readsFiles = true }: Checking = {},
): AsyncGenerator<string> {
  const findings = (await store.db.read(...(await store.indexes.looks()), store.db.dialect.integrity)).at(-1)!
  for (const finding of findings) if (finding[0] !== 'ok') yield `Database: ${finding.join(' ').replaceAll('\n', '; ')}`
  for (const table of store.catalogue().tables.values()) {
    yield* checkCounts(store, table)
    yield* checkKeys(store, table)
    yield* checkValues(store, table)
    yield* checkLog(store, table)
    for (const field of table.fields) {
      for (const rows of [recordsOf(table.id), trashOf(table.id)]) yield* checkField(store, table, field, rows)
    }
  }
  yield* store.indexes.check()
  yield* checkFiles(store, readsFiles ? bytesOf : sizeOf)
}

const one = async (store: Uses<'db'>, query: ReturnType<typeof sql>): Promise<Row[]> => (await store.db.read(query))[0]!

async function* checkCounts(store: Uses<'db' | 'positions'>, { id, title }: Table): AsyncGenerator<string> {
  const records = name(recordsOf(id))
  const [kept, counted, blocks] = await store.db.read(
    store.positions.total(id),
    sql`SELECT count(*) FROM ${records}`,
    store.positions.inBlocks(id),
  )
  const [total, rows, inBlocks] = [kept, counted, blocks].map((answer) => Number(answer![0]?.[0]))
  if (total !== rows) yield `Table ${id} (${title}): its total says ${total}, and there are ${rows} records.`
  if (inBlocks !== rows) yield `Table ${id} (${title}): its block counts add up to ${inBlocks}, and there are ${rows} records.`
}

async function* checkValues(store: Uses<'db'>, { id, title }: Table): AsyncGenerator<string> {
  for (const twin of [recordsOf(id), trashOf(id)]) {
    for await (const record of damaged(store.db, id, twin))
      yield `Table ${id} (${title}), record ${record}: its values are not those that were written.`
  }
}

/** Keys, references and file names of one field. */
async function* checkField(store: Uses<'db' | 'catalogue'>, table: Table, field: Field, rows: string): AsyncGenerator<string> {
  const { type, settings, column, keyColumn } = field
  const newest = type.target ? await newestId(store, field) : 0
  if (!type.key && !type.target && !type.files) return
  const columns = [sql`id`, type.exact ? store.db.dialect.integerText(name(column)) : name(column), ...(keyColumn ? [name(keyColumn)] : [])]
  const texts = typeof type.empty === 'string' ? [column, ...(keyColumn ? [keyColumn] : [])] : []
  for (let last = 0; ;) {
    const end = await endOfStep((query) => one(store, query), store.db.dialect, { table: rows, after: last, rows: ROWS_READ, texts })
    if (end === undefined) return
    const found = await one(store, sql`SELECT ${join(columns, ', ')} FROM ${name(rows)} WHERE id > ${last} AND id <= ${end} ORDER BY id`)
    for (const [id, value, key] of found) {
      const place = `Table ${table.id} (${table.title}), record ${id}, ${field.title}`
      const stored = value as string | number
      if (type.key && type.key(stored, settings) !== key) yield `${place}: the key by which it is compared does not fit its value.`
      const strange = type.ids?.(stored).filter((one) => one > newest) ?? []
      if (strange.length > 0) yield `${place}: refers to ${strange.join(', ')}, which never existed.`
      if (type.files) {
        const files = await one(
          store,
          sql`SELECT name FROM files WHERE table_id = ${table.id} AND record_id = ${Number(id)} AND field_id = ${field.id} ORDER BY position, id`,
        )
        if (files.map(([file]) => file).join('\r\n') !== stored) yield `${place}: its file names are not those of its files.`
      }
    }
    last = end
  }
}

/** The largest id that a target of the field can ever have had. */
async function newestId(store: Uses<'db' | 'catalogue'>, { type, settings }: Field): Promise<number> {
  const from = type.target === 'record' ? recordsOf(settings.referenceTableId ?? 0) : `${type.target}s`
  if (type.target === 'record' && !store.catalogue().tables.has(settings.referenceTableId ?? 0)) return Number.MAX_SAFE_INTEGER
  const trash = type.target === 'record' ? [sql`SELECT coalesce(max(id), 0) FROM ${name(trashOf(settings.referenceTableId!))}`] : []
  const answers = await store.db.read(sql`SELECT coalesce(max(id), 0) FROM ${name(from)}`, ...trash, ...store.db.dialect.lastId(from))
  return Math.max(...answers.map((rows) => Number(rows[0]?.[0] ?? 0)))
}

/** Checks that the bytes of all files are there and have their hash: those of records, those that only changes in the log name, and those of jobs. */
async function* checkFiles(store: Uses<'db' | 'files'>, look: Look): AsyncGenerator<string> {
  for (let last = 0; ;) {
    const rows = await one(store, sql`SELECT id, name, hash, size FROM files WHERE id > ${last} ORDER BY id LIMIT ${ROWS_READ}`)
    if (rows.length === 0) break
    for (const [id, fileName, hash, size] of rows) {
      const fault = await faultOf(store, look, String(hash), sql`SELECT id FROM files WHERE id = ${Number(id)}`, Number(size))
      if (fault) yield `File ${id} (${fileName}): its bytes are ${fault}.`
    }
    last = Number(rows.at(-1)![0])
  }
  for (let last = ''; ;) {
    const rows = await one(
      store,
      sql`SELECT hash, min(change_id) FROM change_files WHERE hash > ${last}
        AND NOT EXISTS (SELECT 1 FROM files WHERE files.hash = change_files.hash) GROUP BY hash ORDER BY hash LIMIT ${ROWS_READ}`,
    )
    if (rows.length === 0) break
    for (const [hash, change] of rows) {
      const fault = await faultOf(store, look, String(hash), sql`SELECT id FROM change_files WHERE hash = ${hash!} LIMIT 1`)
      if (fault) yield `Change ${change}: the bytes of a file that it names (SHA-256 ${hash}) are ${fault}.`
    }
    last = String(rows.at(-1)![0])
  }
  for (let last = 0; ;) {
    const rows = await one(
      store,
      sql`SELECT id, input_file, result_file FROM jobs WHERE id > ${last} AND (input_file <> '' OR result_file <> '') ORDER BY id LIMIT ${ROWS_READ}`,
    )
    if (rows.length === 0) return
    for (const [id, input, result] of rows) {
      for (const [hash, column, which] of [
        [input, 'input_file', 'file'],
        [result, 'result_file', 'result'],
      ] as const) {
        if (hash === '') continue
        const fault = await faultOf(
          store,
          look,
          String(hash),
          sql`SELECT id FROM jobs WHERE id = ${Number(id)} AND ${name(column)} = ${hash!}`,
        )
        if (fault) yield `Job ${id}: the bytes of its ${which} (SHA-256 ${hash}) are ${fault}.`
      }
    }
    last = Number(rows.at(-1)![0])
  }
}

/** How many bytes there are, if they have their hash; undefined where there are none. */
type Look = (files: FileStorage, hash: string) => Promise<number | 'others' | undefined>

const sizeOf: Look = async (files, hash) => (await files.stat(hash))?.size

const bytesOf: Look = async (files, hash) => {
  const bytes = await files.stream(hash)
  if (!bytes) return undefined
  const found = createHash('sha256')
  let length = 0
  for await (const chunk of bytes as AsyncIterable<Buffer>) {
    found.update(chunk)
    length += chunk.length
  }
  return found.digest('hex') === hash ? length : 'others'
}

/** What is wrong with some bytes; nothing where they are not named any more (`named` finds no row), as they may be removed then. */
async function faultOf(
  store: Uses<'db' | 'files'>,
  look: Look,
  hash: string,
  named: ReturnType<typeof sql>,
  size?: number,
): Promise<string | undefined> {
  const found = await look(store.files, hash)
  if (found === undefined) return (await one(store, named)).length > 0 ? 'gone' : undefined
  return found === (size ?? found) && found !== 'others' ? undefined : 'not those that were stored'
}
