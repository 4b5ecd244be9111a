import { mayBeLong } from '../../filter/patience.ts'
import type { ShownRecord } from '../model/record.ts'
import type { Stored } from '../../fields/field-type.ts'
import { firstOf } from '../../fields/value.ts'
import { limits } from '../../limits.ts'
import { constant, join, name, sql, type Sql } from '../../sql/sql.ts'
import type { Granted, View } from '../model/access.ts'
import { recordsOf, trashOf, type Field, type Table } from '../model/catalogue.ts'
import { difference } from './checksums.ts'
import type { HeldFile, Image } from '../ground/changes.ts'
import { nowText } from '../ground/clock.ts'
import type { Transaction, WriteOptions } from '../ground/db.ts'
import { linkFiles, stageFiles, stageHeld, type Linked, type Staged, type Staging } from './files.ts'
import { filesHeld, logged, noFiles } from './images.ts'
import { insert } from './insert-records.ts'
import { keysAhead, type Keys } from './long-keys.ts'
import { nextVersion } from './next-version.ts'
import { columnsOf, mustBeCurrent, mustBeWritable, present, show, type Values } from './present.ts'
import { mustStillFit } from './record-size.ts'
import { mustBeUnique, readChange, titleKey, type Change } from './record-values.ts'
import type { SentAttributes } from '../model/sent.ts'
import type { Uses } from '../ground/store.ts'
import { othersTurn, turns } from '../scheduling/others-turn.ts'
import { settleRecord } from './settle.ts'
import { changeKeys, leaveKeys } from './unique-keys.ts'

/*
 * Creates (with insert-records.ts), changes and deletes records. In one transaction it checks the values against the present state, files,
 * unique values and rights that depend on the record, and moves deleted records to the trash. A write is first prepared, without a query,
 * and then applied in a transaction of its own or together with other writes (`writeTogether`). Other places that write records:
 * structure/trash.ts restores and erases them, structure/convert-field.ts changes a whole column. All of them call `tx.changed` or
 * `tx.changedNow`, from which totals follow.
 */

/** A write whose files are stored and whose long texts are folded. */
export interface PreparedWrite<T> {
  /**
   * Checks the write against what the transaction reads, and writes it. If it throws, the transaction may contain a part of the write and
   * must be undone. Runs again if the transaction does (`Db.write`).
   */
  apply(tx: Transaction): Promise<T>
  /** `WriteOptions.apart` of its transaction, where it is the only write in it. */
  readonly apart: string | undefined
  /** Whether it writes long texts: then the write alone takes long, and others have their turn before its answer is made. */
  readonly isLong: boolean
}

/** A write by itself. */
export async function writeAlone<T>(store: Uses<'db'>, { apply, apart, isLong }: PreparedWrite<T>): Promise<T> {
  const done = await store.db.write(apply, apart === undefined ? {} : { apart })
  if (isLong) await othersTurn()
  return done
}

/**
 * Several writes in one transaction, each after those before it: all of them are done, or none. Other work of this thread goes on between
 * them. `last`: called in the same transaction with what they gave.
 */
export const writeTogether = <T extends readonly unknown[]>(
  store: Uses<'db'>,
  writes: { readonly [K in keyof T]: PreparedWrite<T[K]> },
  last?: (tx: Transaction, done: T) => Promise<void>,
  options: Pick<WriteOptions, 'lastly'> = {},
): Promise<T> =>
  store.db.write(async (tx) => {
    const turn = turns()
    const done: unknown[] = []
    for (const { apply } of writes) {
      done.push(await apply(tx))
      await turn()
    }
    await last?.(tx, done as unknown as T)
    return done as unknown as T
  }, options)

/** A record, or one that is known only in the transaction, from the writes before this one. */
export type RecordId = number | (() => number)

/** Values that are known only in the transaction: references to records that writes before this one have created. */
type Later = (tx: Transaction) => Promise<SentAttributes>

export interface CreateOptions {
  /** Called in the same transaction with the record that was written. */
  readonly alsoWrite?: (tx: Transaction, record: ShownRecord) => Promise<void>
  readonly later?: Later | undefined
}

export interface ChangeOptions {
  /** Whether the present version is one that the client knows. If false, the write is refused with `record.stale`. */
  readonly ifMatch?: ((version: number) => boolean) | undefined
  /** By attribute, files that a record held before: their bytes are stored already. */
  readonly files?: ReadonlyMap<string, readonly HeldFile[]>
  readonly later?: Later | undefined
}

/** @throws Failures, one for each attribute that is wrong; nothing is written then. */
export const createRecord = async (...given: Parameters<typeof prepareCreate>): Promise<ShownRecord> =>
  writeAlone(given[0], await prepareCreate(...given))

/** Changes the attributes sent and no others, so that two clients who change different ones both succeed. */
export const updateRecord = async (...given: Parameters<typeof prepareUpdate>): Promise<ShownRecord> =>
  writeAlone(given[0], await prepareUpdate(...given))

/** Moves the record to the trash. */
export const deleteRecord = (...given: Parameters<typeof prepareDelete>): Promise<void> => writeAlone(given[0], prepareDelete(...given))

export async function prepareCreate(
  store: Uses<'db' | 'files' | 'environment' | 'settings' | 'context' | 'catalogue'>,
  granted: Granted<'create'>,
  sent: SentAttributes,
  options: CreateOptions = {},
): Promise<PreparedWrite<ShownRecord>> {
  const staging = await stageFiles(store, granted, sent)
  const keys = await keysAhead(granted, staging.sent)
  const apply = async (tx: Transaction) => {
    await mustBeCurrent(store, tx, granted)
    const record = await applyCreate(store, tx, granted, await completed(tx, staging, options.later), { keys })
    await options.alsoWrite?.(tx, record)
    return record
  }
  return { apply, apart: '', isLong: keys.size > 0 }
}

/** A create in a transaction in which the grant is current. */
export const applyCreate = async (...given: Parameters<typeof insert>): Promise<ShownRecord> =>
  show(given[2], { ...(await insert(...given)), version: 1 })

export async function prepareUpdate(
  store: Uses<'db' | 'files' | 'context' | 'catalogue'>,
  granted: Granted<'update'>,
  id: RecordId,
  given: SentAttributes,
  options: ChangeOptions = {},
): Promise<PreparedWrite<ShownRecord>> {
  const staging = await stageAll(store, granted, given, options.files)
  const keys = await keysAhead(granted, staging.sent)
  const apply = async (tx: Transaction) => {
    await mustBeCurrent(store, tx, granted)
    return applyUpdate(store, tx, granted, idOf(id), await completed(tx, staging, options.later), keys, options)
  }
  return { apply, apart: recordName(granted.table, id), isLong: keys.size > 0 }
}

/** A change in a transaction in which the grant is current. */
export async function applyUpdate(
  store: Uses<'db' | 'context' | 'catalogue'>,
  tx: Transaction,
  granted: Granted<'update'>,
  id: number,
  { sent, staged }: Staging,
  keys: Keys,
  { ifMatch, lost }: Pick<ChangeOptions, 'ifMatch'> & Pick<Change, 'lost'> = {},
): Promise<ShownRecord> {
  const { table } = granted
  const now = await present(store, tx, granted, id, new Set([...sent.keys(), ...staged.keys()]), ifMatch)
  const changed = await readChange(store, tx, { granted, sent, staged, present: now, lost, keepsOrigin: false })
  if (changed.size === 0) return show(granted, now)
  await mustBeUnique(store, tx, granted, changed, id)
  await settleRecord(store, tx, table, id)
  const at = store.context.now()
  const set = [...changed].flatMap(([key, value]) => columnsOf(table.attributes.get(key)!, value, keys))
  await tx.run(sql`UPDATE ${name(recordsOf(table.id))}
    SET ${nextVersion(at, checksumDelta(table, now.values, changed))}, ${join(
      set.map(([column, value]) => sql`${name(column)} = ${value}`),
      ', ',
    )} WHERE id = ${id}`)
  await mustStillFit(store, tx, table, id, now.values, changed)
  await changeKeys(store, tx, table, id, now.values, changed)
  const files = await linkFiles(tx, table, id, filesOf(table, changed, staged))
  await mustBeWritable(store, tx, granted, id)
  const image = tx.images ? changeImage(table, now.values, changed, files) : undefined
  tx.changed({ tableId: table.id, recordId: id, change: 0, act: 'update', attributes: [...changed.keys()], by: granted.caller, image })
  return show(granted, { id, version: now.version + 1, values: new Map([...now.values, ...changed, ['update_time', at]]) })
}

async function stageAll(
  store: Uses<'files' | 'context'>,
  granted: View,
  given: SentAttributes,
  held: ChangeOptions['files'],
): Promise<Staging> {
  const fresh = await stageFiles(store, granted, given)
  if (!held) return fresh
  const old = await stageHeld(store, granted, held)
  return { sent: new Map([...fresh.sent, ...old.sent]), staged: new Map([...fresh.staged, ...old.staged]) }
}

const checksumDelta = ({ attributes }: Table, before: Values, changed: Values): number =>
  difference([...changed].map(([key, value]) => [attributes.get(key)!.column, before.get(key)!, value] as const))

const changeImage = ({ attributes }: Table, before: Values, changed: Values, files: Linked): Image => ({
  before: { values: new Map([...changed.keys()].map((key) => [key, before.get(key)!])), attributes, files: files.before },
  after: { values: changed, attributes, files: files.after },
})

const idOf = (id: RecordId): number => (typeof id === 'number' ? id : id())

export const completed = async (tx: Transaction, staging: Staging, later: Later | undefined): Promise<Staging> =>
  later ? { ...staging, sent: new Map([...staging.sent, ...(await later(tx))]) } : staging

const recordName = ({ id }: Table, record: RecordId): string | undefined =>
  typeof record === 'number' ? `${recordsOf(id)}/${record}` : undefined

/** The new files of each file field that changed, except fields that were emptied by a text. */
const filesOf = (table: Table, changed: ReadonlyMap<string, Stored>, staged: Staged): Staged =>
  new Map(table.fields.filter(({ name: key, type }) => type.files && changed.has(key)).map(({ name: key }) => [key, staged.get(key) ?? []]))

export function prepareDelete(
  store: Uses<'db' | 'environment' | 'settings' | 'context' | 'catalogue'>,
  granted: Granted<'delete'>,
  which: RecordId,
  options: ChangeOptions = {},
): PreparedWrite<void> {
  const apply = async (tx: Transaction) => {
    const id = idOf(which)
    await mustBeCurrent(store, tx, granted)
    const { table, caller } = granted
    const titled = table.fields.find((field) => field.id === table.titleFieldId)
    // For the title, the beginning of a text is enough; and the trash keeps the long texts of the record.
    const needed = table.fields.filter(
      (field) => (tx.images && !mayBeLong(field)) || field.settings.unique || (field === titled && field.type.kind !== 'text'),
    )
    const { values } = await present(store, tx, granted, id, new Set(needed.map((field) => field.name)), options.ifMatch)
    const image = tx.images ? await lastImage(store, tx, table, id, values) : undefined
    const title = titled ? await titleOf(tx, titled, id, values) : ''
    await leaveKeys(store, tx, table, id, (field) => values.get(field.name))
    await settleRecord(store, tx, table, id)
    await moveRecord(tx, table, id, recordsOf(table.id), trashOf(table.id))
    await tx.run(sql`INSERT INTO trash (kind, kindk, table_id, item_id, title, titlek, title_field_id, deleted, user_id)
      VALUES ('record', 'record', ${table.id}, ${id}, ${title}, ${titleKey(title)}, ${titled?.id ?? 0}, ${nowText(store)}, ${caller.userId})`)
    tx.changed({ tableId: table.id, recordId: id, change: -1, act: 'delete', by: caller, image })
  }
  return { apply, apart: recordName(granted.table, which), isLong: false }
}

async function lastImage(
  store: Uses<'db'>,
  tx: Transaction,
  { id: tableId, attributes, fields }: Table,
  id: number,
  values: Values,
): Promise<Image> {
  const files = fields.some(({ type }) => type.files) ? await filesHeld(tx, store.db.dialect, tableId, [id]) : undefined
  return { before: { values: logged(values), attributes, files: files?.get(id) ?? noFiles }, after: undefined }
}

/** What the trash keeps of the value of a title field. */
async function titleOf(
  tx: Transaction,
  { name: key, tableId, column, type, settings }: Field,
  id: number,
  values: Values,
): Promise<string> {
  const { most } = limits.title
  const known = values.get(key)
  if (known !== undefined) return firstOf(type.format(known, settings), most)
  const [row] = await tx.all(sql`SELECT substr(${name(column)}, 1, ${constant(most)}) FROM ${name(recordsOf(tableId))} WHERE id = ${id}`)
  return firstOf(type.format(row![0] as Stored, settings), most)
}

/** Moves a record with all its columns from one twin table to the other. */
export async function moveRecord(tx: Transaction, table: Table, id: number, from: string, to: string): Promise<void> {
  const columns = physicalColumns(table)
  await tx.run(sql`INSERT INTO ${name(to)} (${columns}) SELECT ${columns} FROM ${name(from)} WHERE id = ${id}`)
  await tx.run(sql`DELETE FROM ${name(from)} WHERE id = ${id}`)
}

const physicalColumns = (table: Table): Sql => join(['id', 'version', 'checksum', ...table.columns].map(name), ', ')
