import { mayBeLong } from '../../filter/patience.ts'
import { Failure, fail } from '../../errors.ts'
import { type Param, name, sql } from '../../sql/sql.ts'
import { grant, type Caller } from '../model/access.ts'
import { administrator, service, writer, type Administrator } from '../catalogue/administrator.ts'
import { audit } from '../people/audit.ts'
import { hasEveryRight } from '../model/built-in-groups.ts'
import { recordsOf, trashOf, type Catalogue, type Field, type Table } from '../model/catalogue.ts'
import { attributesWithTrashed } from '../catalogue/load-catalogue.ts'
import type { Held } from '../ground/changes.ts'
import { localTime } from '../ground/clock.ts'
import type { Transaction } from '../ground/db.ts'
import { eraseField, restoreField } from './fields.ts'
import { mustBeWritable, type Values } from '../records/present.ts'
import { heldIn } from '../records/images.ts'
import { nextVersion } from '../records/next-version.ts'
import { mustBeUnique } from '../records/record-values.ts'
import type { Uses } from '../ground/store.ts'
import { eraseTable, restoreTable } from './tables.ts'
import { settleRecord } from '../records/settle.ts'
import { takeKeys } from '../records/unique-keys.ts'
import { moveRecord } from '../records/write-records.ts'

/** What of the store is used here. */
type Used = Uses<'db' | 'positions' | 'environment' | 'settings' | 'restructure'>

/** A deleted record, field or table. */
export interface TrashEntry {
  readonly id: number
  readonly kind: 'record' | 'field' | 'table'
  readonly tableId: number
  /** Id of the record, field or table. */
  readonly itemId: number
  /** Who deleted it. */
  readonly userId: number
}

/**
 * Brings a record, field or table back as it was, under its old id.
 * @throws `trash.not_found`; `field.not_unique` where its values are taken by now; `access.denied`.
 */
export async function restore(
  store: Uses<'db' | 'environment' | 'settings' | 'context' | 'catalogue' | 'restructure'>,
  caller: Caller,
  trashId: number,
): Promise<TrashEntry> {
  const entry = await find(store, caller, trashId)
  mustBeRestorable(caller, store.catalogue(), entry)
  if (entry.kind === 'record') await store.db.write((tx) => restoreRecord(store, tx, caller, entry))
  else await (entry.kind === 'field' ? restoreField : restoreTable)(store, entry, caller)
  return entry
}

/** The checks that do not need the record itself. @throws `access.denied`, `table.not_found` */
export function mustBeRestorable(
  caller: Caller,
  catalogue: Catalogue,
  { kind, tableId }: { readonly kind: string; readonly tableId: number },
): void {
  writer(caller, 'restore')
  if (kind === 'record') grant('delete', tableId, caller, catalogue)
  else administrator(caller, `restore a ${kind}`)
}

/** Erases an entry with its files, at an administrator's command (DECISIONS S9), and returns it. What is old, `purgeExpired` erases. */
export async function erase(store: Used, by: Administrator, trashId: number): Promise<TrashEntry> {
  const entry = await find(store, by, trashId)
  await eraseEntry(store, entry, by)
  return entry
}

/** Entries read at once. */
const BATCH = 500

/** Erases what has been in the trash for more than `trashDays`. Returns the number of entries. Default `by`: the service, on its own. */
export async function purgeExpired(store: Used, by: Caller = service()): Promise<number> {
  const before = localTime(store.environment.now() - store.settings.trashDays * 86_400_000, store.settings.timeZone)
  let erased = 0
  for (let last = 0; ;) {
    const [rows] = await store.db.read(
      sql`SELECT id, kind, table_id, item_id, user_id FROM trash WHERE deleted < ${before} AND id > ${last} ORDER BY id LIMIT ${BATCH}`,
    )
    if (rows!.length === 0) return erased
    for (const entry of rows!.map(entryOf)) {
      last = entry.id
      if (await eraseIfThere(store, entry, by)) erased++
    }
  }
}

/** Erases one entry if it is still there: it may have been erased with its table, or restored, since it was found. */
async function eraseIfThere(store: Used, entry: TrashEntry, by: Caller): Promise<boolean> {
  try {
    await eraseEntry(store, entry, by)
    return true
  } catch (error) {
    if (error instanceof Failure && error.code === 'trash.not_found') return false
    throw error
  }
}

async function find(store: Uses<'db'>, caller: Caller, trashId: number): Promise<TrashEntry> {
  const [rows] = await store.db.read(sql`SELECT id, kind, table_id, item_id, user_id FROM trash WHERE id = ${trashId}`)
  const entry = rows![0] && entryOf(rows![0])
  if (!entry || (!hasEveryRight(caller) && entry.userId !== caller.userId)) throw fail('trash.not_found', { entry: trashId })
  return entry
}

/** Brings a record back in a transaction; as `restore`. If it throws, a part of it may be done. */
export async function restoreRecord(
  store: Uses<'db' | 'context' | 'catalogue'>,
  tx: Transaction,
  caller: Caller,
  { id, tableId, itemId }: Pick<TrashEntry, 'id' | 'tableId' | 'itemId'>,
): Promise<void> {
  const granted = grant('delete', tableId, caller, store.catalogue())
  const { table } = granted
  const unique = table.fields.filter(({ settings }) => settings.unique)
  const values = await trashedValues(store, tx, unique, tableId, itemId, id)
  await mustBeUnique(store, tx, granted, values, itemId)
  await takeKeys(store, tx, table, [itemId], (field) => values.get(field.name))
  await settleRecord(store, tx, table, itemId, trashOf(tableId))
  await moveRecord(tx, table, itemId, trashOf(tableId), recordsOf(tableId))
  await mustBeWritable(store, tx, granted, itemId)
  await tx.run(sql`UPDATE ${name(recordsOf(tableId))} SET ${nextVersion(store.context.now(), 0)} WHERE id = ${itemId}`)
  await tx.run(sql`DELETE FROM trash WHERE id = ${id}`)
  const after = tx.images ? await heldBy(store, tx, recordsOf(tableId), itemId, table) : undefined
  tx.changed({ tableId, recordId: itemId, change: 1, act: 'restore', by: caller, image: after && { before: undefined, after } })
}

/** What one record holds besides long texts, for a ledger that asks for images. */
async function heldBy(
  store: Uses<'db'>,
  tx: Transaction,
  twin: string,
  recordId: number,
  { id: tableId, attributes }: Pick<Table, 'id' | 'attributes'>,
): Promise<Held | undefined> {
  const short = new Map([...attributes].filter(([, attribute]) => !mayBeLong(attribute)))
  const held = await heldIn(tx, store.db.dialect, { tableId, twin, which: sql`id = ${recordId}` }, short)
  return held.get(recordId)
}

async function trashedValues(
  store: Uses<'db'>,
  tx: Transaction,
  fields: readonly Field[],
  tableId: number,
  recordId: number,
  trashId: number,
): Promise<Values> {
  const values = new Map<string, string | number | bigint>()
  const [there] = await tx.all(sql`SELECT id FROM ${name(trashOf(tableId))} WHERE id = ${recordId}${store.db.dialect.forUpdate}`)
  if (!there) throw fail('trash.not_found', { entry: trashId })
  for (const { name: key, column, type } of fields) {
    const value = type.exact ? store.db.dialect.integerText(name(column)) : name(column)
    const [row] = await tx.all(sql`SELECT ${value} FROM ${name(trashOf(tableId))} WHERE id = ${recordId}`)
    values.set(key, row![0] as string | number)
  }
  return values
}

async function eraseEntry(store: Used, entry: TrashEntry, caller: Caller): Promise<void> {
  if (entry.kind === 'field') return eraseField(store, entry, caller)
  if (entry.kind === 'table') return eraseTable(store, entry, caller)
  await store.db.write(async (tx) => {
    // It was restored since it was found: its files belong to a live record again.
    if ((await tx.run(sql`DELETE FROM trash WHERE id = ${entry.id}`)) === 0) throw fail('trash.not_found', { entry: entry.id })
    const { tableId, itemId } = entry
    const attributes = tx.images ? await attributesWithTrashed(tx, tableId) : undefined
    const before = attributes && (await heldBy(store, tx, trashOf(tableId), itemId, { id: tableId, attributes }))
    await tx.run(sql`DELETE FROM ${name(trashOf(entry.tableId))} WHERE id = ${entry.itemId}`)
    await tx.run(sql`DELETE FROM files WHERE table_id = ${entry.tableId} AND record_id = ${entry.itemId}`)
    tx.changed({ tableId, recordId: itemId, change: 0, act: 'erase', by: caller, image: before && { before, after: undefined } })
    // A record that is erased without a token, by age or by the operator, has no entry in the audit log; `eraseField` and `eraseTable` always
    // write one.
    if (caller.tokenId !== 0) await audit(store, tx, caller, 'record_erased', `record ${entry.itemId}`, `table ${entry.tableId}`)
  })
}

const entryOf = ([id, kind, tableId, itemId, userId]: readonly Param[]): TrashEntry => ({
  id: Number(id),
  kind: kind as TrashEntry['kind'],
  tableId: Number(tableId),
  itemId: Number(itemId),
  userId: Number(userId),
})
