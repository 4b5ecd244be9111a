import { fail } from '../../errors.ts'
import { checkFiles } from '../../fields/files.ts'
import { normalized } from '../../fields/fold.ts'
import { name, sql } from '../../sql/sql.ts'
import type { StoredBytes } from '../files/file-storage.ts'
import type { Uses } from '../ground/store.ts'
import type { Granted } from '../model/access.ts'
import { recordsOf, type Field } from '../model/catalogue.ts'
import { fileField, filesOf, type StagedFile, type StoredFile } from './files.ts'
import { noKeys } from './long-keys.ts'
import { mustBeCurrent, present } from './present.ts'
import { and, getRecord, writeCondition } from './read-records.ts'
import { mustBeOpen } from './record-values.ts'
import { applyUpdate } from './write-records.ts'

/*
 * One file of a record whose bytes come by themselves: they are stored first, and then the record names them. So a client that breaks
 * off changes nothing.
 */

/** A place for a file in a record. */
export interface FilePlace {
  readonly field: string
  readonly record: number
  readonly file: string
}

/** Whether a file may be written: of the record the present version, of the file with this name the hash of its bytes, if there is one. */
export type FileCondition = (version: number, hash: string | undefined) => boolean

type Writing = Granted<'update' | 'read'>

/**
 * Called before the bytes arrive, with their number if it is known. Throws what `storeFile` would throw by what is known so far.
 * @throws `file.field_not_found`, `attribute.read_only`, `record.not_found`, `access.denied`, `file.changed`, `field.invalid_value`
 */
export async function mayStoreFile(
  store: Uses<'db' | 'context'>,
  granted: Writing,
  place: FilePlace,
  size: number | undefined,
  condition: FileCondition | undefined,
): Promise<void> {
  const field = openField(granted, place)
  const { version } = await getRecord(store, granted as Granted<'read'>, place.record)
  await mustMeetWriteFilter(store, granted, place.record)
  const files = await filesOf(async (query) => (await store.db.read(query))[0]!, granted.table.id, field.id, place.record)
  withFile(field, files, version, { name: place.file, hash: '', size: size ?? 0, keeps: false }, condition)
}

/** Makes the record name stored bytes: instead of the file of this name, or behind the other files. */
export async function storeFile(
  store: Uses<'db' | 'context' | 'catalogue'>,
  granted: Writing,
  place: FilePlace,
  { hash, size }: StoredBytes,
  condition: FileCondition | undefined,
): Promise<{ file: StoredFile; isNew: boolean }> {
  const field = openField(granted, place)
  const { table } = granted
  const added: StagedFile = { name: place.file, hash, size, keeps: false }
  const update = granted as Granted<'update'>
  return store.db.write(
    async (tx) => {
      await mustBeCurrent(store, tx, update)
      // From here on the record is locked: its files stay as they are.
      const { version } = await present(store, tx, update, place.record, new Set())
      const found = () => filesOf((query) => tx.all(query), table.id, field.id, place.record)
      const before = await found()
      const now = withFile(field, before, version, added, condition)
      const staging = { sent: new Map([[field.name, '']]), staged: new Map([[field.name, now]]) }
      await applyUpdate(store, tx, update, place.record, staging, noKeys)
      return { file: (await found()).find((one) => one.name === place.file)!, isNew: placeOf(before, place.file) < 0 }
    },
    { apart: `${recordsOf(table.id)}/${place.record}` },
  )
}

function openField(granted: Writing, place: FilePlace): Field {
  const field = fileField(granted as Granted<'read'>, place.field)
  mustBeOpen({ granted: granted as Granted<'read'>, keepsOrigin: false }, field)
  return field
}

async function mustMeetWriteFilter(store: Uses<'db' | 'context'>, granted: Writing, record: number): Promise<void> {
  const { table, caller } = granted
  const condition = writeCondition(store, granted as Granted<'update'>)
  if (!condition) return
  const [rows] = await store.db.readLittle(caller, sql`SELECT id FROM ${name(recordsOf(table.id))} WHERE id = ${record}${and(condition)}`)
  if (rows!.length === 0) throw fail('access.denied', { what: `write this record of table ${table.id}` })
}

/** The files of the field with another one. @throws `file.changed`, `field.invalid_value` */
function withFile(
  { type, settings }: Field,
  files: readonly StoredFile[],
  version: number,
  added: StagedFile,
  condition: FileCondition | undefined,
): readonly StagedFile[] {
  const at = placeOf(files, added.name)
  if (condition && !condition(version, files[at]?.hash)) throw fail('file.changed')
  const staged = files.map(({ name: of, hash, size }): StagedFile => ({ name: of, hash, size, keeps: false }))
  if (at < 0) staged.push(added)
  else staged[at] = added
  checkFiles(type, staged, settings)
  return staged
}

/** Names that look the same are the same (fields/forms/files.ts). */
const placeOf = (files: readonly StoredFile[], wanted: string): number => {
  const form = normalized(wanted)
  return files.findIndex((one) => normalized(one.name) === form)
}
