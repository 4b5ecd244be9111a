import { lookup } from 'mrmime'
import { Failure, fail } from '../../errors.ts'
import { checkFiles } from '../../fields/files.ts'
import type { Attribute } from '../../fields/field-type.ts'
import { quoted } from '../../fields/forms/quoted.ts'
import { parseValue } from '../../fields/value.ts'
import { constant, sql } from '../../sql/sql.ts'
import type { Granted, View } from '../model/access.ts'
import type { Field, Table } from '../model/catalogue.ts'
import type { HeldFile } from '../ground/changes.ts'
import type { Row, Transaction } from '../ground/db.ts'
import { fromBase64 } from '../files/base64.ts'
import { getRecord } from './read-records.ts'
import { type FileObject, type Sent, type SentAttributes, SpooledContent } from '../model/sent.ts'
import type { Uses } from '../ground/store.ts'

/** A file in a file field of a record. The id stays the same while name and bytes do. */
export interface StoredFile {
  readonly id: number
  readonly name: string
  /** SHA-256 of the bytes, in hex. */
  readonly hash: string
  /** Bytes. */
  readonly size: number
  readonly mimeType: string
}

/** A file whose bytes are stored and which no record names yet. */
export interface StagedFile {
  readonly name: string
  readonly hash: string
  readonly size: number
  /** Sent as binary without content: the field keeps the bytes that it has under this name (interface 6.4). */
  readonly keeps: boolean
}

/** By attribute name, the new list of files. */
export type Staged = ReadonlyMap<string, readonly StagedFile[]>

/** A write whose files are stored. */
export interface Staging {
  readonly sent: SentAttributes
  readonly staged: Staged
}

/**
 * Stores the bytes that a write brings, before its transaction. If the write fails later, no record names them, and `sweepFiles`
 * removes them. Invalid names, invalid base64 and files that the field's settings refuse are returned as failures.
 */
export async function stageFiles(store: Uses<'files' | 'context'>, granted: View, given: SentAttributes): Promise<Staging> {
  const staged = new Map<string, StagedFile[]>()
  const sent = new Map(given)
  for (const [key, value] of given) {
    const attribute = granted.attributes.get(key)
    if (!attribute?.type.files || typeof value === 'string' || value instanceof Failure) continue
    let bytes: ReturnType<typeof decode>
    try {
      bytes = decode(attribute, value as readonly FileObject[], store)
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      sent.set(key, error)
      continue
    }
    const files: StagedFile[] = []
    for (const { name, content, size, keeps } of bytes) files.push({ name, hash: await put(store, content), size, keeps })
    staged.set(key, files)
  }
  return { sent, staged }
}

/** The same for files that a record held before. Their bytes are stored; where they are not any more, that is a failure. */
export async function stageHeld(store: Uses<'files'>, granted: View, held: ReadonlyMap<string, readonly HeldFile[]>): Promise<Staging> {
  const staged = new Map<string, StagedFile[]>()
  const sent = new Map<string, Sent>()
  for (const [key, files] of held) {
    const attribute = granted.attributes.get(key)
    sent.set(key, namesOf(files))
    if (!attribute?.type.files) continue
    try {
      checkFiles(attribute.type, files, attribute.settings)
      for (const { name, hash } of files)
        if ((await store.files.stat(hash)) === undefined)
          throw fail('field.invalid_value', { why: `The bytes of ${quoted(name)} are not stored any more.` })
      staged.set(
        key,
        files.map(({ name, hash, size }) => ({ name, hash, size, keeps: false })),
      )
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      sent.set(key, error)
    }
  }
  return { sent, staged }
}

function decode({ type, settings }: Attribute, objects: readonly FileObject[], store: Uses<'context'>) {
  const files = objects.map(({ fileName, content, binary }) => {
    const bytes = bytesOf(content, binary)
    return {
      name: fileName,
      content: bytes,
      size: bytes instanceof SpooledContent ? bytes.size : bytes.length,
      keeps: binary && content === '',
    }
  })
  parseValue(type, files.map((file) => file.name).join('\r\n'), settings, store.context)
  checkFiles(type, files, settings)
  return files
}

function bytesOf(content: FileObject['content'], binary: boolean): Uint8Array | SpooledContent {
  if (content instanceof SpooledContent) return content
  const bytes = typeof content === 'string' ? (binary ? fromBase64(content) : Buffer.from(content, 'utf8')) : undefined
  if (!bytes) throw fail('field.invalid_value', { why: 'The content of a binary file must be base64.' })
  return bytes
}

async function put({ files }: Uses<'files'>, content: Uint8Array | SpooledContent): Promise<string> {
  if (!(content instanceof SpooledContent)) return files.put(content)
  await files.putAs(content.hash, content.read())
  return content.hash
}

/** What the column of a file field holds: the names, CR LF between. */
export const namesOf = (files: readonly { readonly name: string }[]): string => files.map((file) => file.name).join('\r\n')

/** By the ending of the name. */
export const mimeTypeOf = (fileName: string): string => lookup(fileName) ?? 'application/octet-stream'

/** By attribute name, the files that a write removed from a record, and those that it added. */
export interface Linked {
  readonly before: ReadonlyMap<string, readonly HeldFile[]>
  readonly after: ReadonlyMap<string, readonly HeldFile[]>
}

/** Makes the record name the staged files and no others. */
export async function linkFiles(tx: Transaction, { id: tableId, attributes }: Table, recordId: number, staged: Staged): Promise<Linked> {
  const before = new Map<string, readonly HeldFile[]>()
  const after = new Map<string, readonly HeldFile[]>()
  for (const [key, files] of staged) {
    const fieldId = (attributes.get(key) as Field).id
    const old = await filesOf((query) => tx.all(query), tableId, fieldId, recordId)
    const kept = new Set<number>()
    const now: HeldFile[] = []
    for (const [position, file] of files.entries()) {
      const same = old.find((one) => one.name === file.name && (file.keeps || one.hash === file.hash))
      now.push(same ?? file)
      if (same) {
        kept.add(same.id)
        await tx.run(sql`UPDATE files SET position = ${position} WHERE id = ${same.id}`)
      } else {
        await tx.run(sql`INSERT INTO files (table_id, field_id, record_id, position, name, hash, size, mime_type)
          VALUES (${tableId}, ${fieldId}, ${recordId}, ${position}, ${file.name}, ${file.hash}, ${file.size}, ${mimeTypeOf(file.name)})`)
      }
    }
    for (const one of old) if (!kept.has(one.id)) await tx.run(sql`DELETE FROM files WHERE id = ${one.id}`)
    before.set(key, old)
    after.set(key, now)
  }
  return { before, after }
}

/** Whether the record has exactly these files already. */
export async function sameFiles(
  tx: Transaction,
  tableId: number,
  fieldId: number,
  recordId: number,
  files: readonly StagedFile[],
): Promise<boolean> {
  const old = await filesOf((query) => tx.all(query), tableId, fieldId, recordId)
  return (
    old.length === files.length && old.every((one, i) => one.name === files[i]!.name && (files[i]!.keeps || one.hash === files[i]!.hash))
  )
}

/**
 * The files of one field of one record, in their order.
 * @throws `record.not_found`, `attribute.unknown` where the caller sees no such record or file field.
 */
export async function listFiles(
  store: Uses<'db' | 'context'>,
  granted: Granted<'read'>,
  fieldName: string,
  recordId: number,
): Promise<StoredFile[]> {
  const field = fileField(granted, fieldName)
  await getRecord(store, granted, recordId)
  return filesOf(async (query) => (await store.db.read(query))[0]!, granted.table.id, field.id, recordId)
}

/** @throws `file.field_not_found` where the caller sees no file field of this name. */
export function fileField({ attributes }: View, fieldName: string): Field {
  const attribute = attributes.get(fieldName)
  if (!attribute?.type.files) throw fail('file.field_not_found', { name: fieldName })
  return attribute as Field
}

export async function filesOf(
  query: (text: ReturnType<typeof sql>) => Promise<Row[]>,
  tableId: number,
  fieldId: number,
  recordId: number,
): Promise<StoredFile[]> {
  const rows = await query(sql`SELECT id, name, hash, size, mime_type FROM files
    WHERE table_id = ${tableId} AND record_id = ${recordId} AND field_id = ${fieldId} ORDER BY position, id`)
  return rows.map(([id, name, hash, size, mimeType]) => ({
    id: Number(id),
    name: String(name),
    hash: String(hash),
    size: Number(size),
    mimeType: String(mimeType),
  }))
}

/** Files of one look. */
const LOOK = 50

/** How many of the newest files of records have no bytes in the storage: some, where a process has another directory than the others. */
export async function missingFiles(store: Uses<'db' | 'files'>): Promise<{ readonly missing: number; readonly of: number }> {
  const rows = (await store.db.read(sql`SELECT hash FROM files ORDER BY id DESC LIMIT ${LOOK}`))[0]!
  let missing = 0
  for (const [hash] of rows) if ((await store.files.stat(String(hash))) === undefined) missing++
  return { missing, of: rows.length }
}

/** Milliseconds for which bytes that nothing names are kept: a write may be about to name them. */
const SPARED = 3_600_000

/**
 * Removes files that no record names, neither live nor in the trash, nor a change in the log, nor a job, and that are older than an hour; none while
 * a backup holds the storage (`FileStorage.hold`); and what interrupted uploads left. Returns how many.
 */
export const sweepFiles = ({ db, files }: Uses<'db' | 'files'>): Promise<number> =>
  files.sweep(async (hash) => {
    const named = await db.read(
      sql`SELECT id FROM files WHERE hash = ${hash} LIMIT 1`,
      sql`SELECT id FROM change_files WHERE hash = ${hash} LIMIT 1`,
      sql`SELECT id FROM jobs WHERE input_file = ${hash} AND input_file <> ${constant('')} LIMIT 1`,
      sql`SELECT id FROM jobs WHERE result_file = ${hash} AND result_file <> ${constant('')} LIMIT 1`,
    )
    return named.some((rows) => rows.length > 0)
  }, SPARED)
