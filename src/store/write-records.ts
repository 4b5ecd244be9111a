import { Failure, Failures } from '../errors.ts'
import type { Stored } from '../fields/field-type.ts'
import { join, name, sql, type Sql } from '../sql/sql.ts'
import type { Granted } from './access.ts'
import { recordsOf, trashOf, type Table } from './catalogue.ts'
import { nowText } from './clock.ts'
import type { Transaction } from './db.ts'
import { linkFiles, stageFiles, type Staged, type Staging } from './files.ts'
import { columnsOf, mustBeCurrent, mustBeWritable, present, show } from './present.ts'
import type { RecordRow } from './read-records.ts'
import { defaultOf, mustBeUnique, readChange, titleKey } from './record-values.ts'
import type { SentAttributes } from './sent.ts'
import type { Store } from './store.ts'

/*
 * The one place where records are created, changed and deleted: validation against the present state, files, unique
 * values, rights that depend on the record, the trash and the exact totals all hang here, inside one transaction.
 */

export interface CreateOptions {
  /** Written in the same transaction, when the record is known. */
  readonly alsoWrite?: (tx: Transaction, record: RecordRow) => Promise<void>
}

export interface ImportOptions {
  /** An administrator's import may bring user_id and add_time with it. */
  readonly keepsOrigin?: boolean
}

export interface ChangeOptions {
  /** Whether the version the client knows is the present one; otherwise `record.stale`. */
  readonly ifMatch?: ((version: number) => boolean) | undefined
}

/** @throws Failures with a pointer per attribute; nothing is written then. */
export async function createRecord(
  store: Store,
  granted: Granted<'create'>,
  sent: SentAttributes,
  options: CreateOptions = {},
): Promise<RecordRow> {
  const staging = await stageFiles(store, granted, sent)
  return store.db.write(async (tx) => {
    mustBeCurrent(store, granted)
    const record = await insert(store, tx, granted, staging, {})
    await options.alsoWrite?.(tx, record)
    return record
  })
}

/** Many records in one transaction, each for itself: the id of the new record, or why there is none. */
export async function insertRecords(
  store: Store,
  granted: Granted<'bulk'> & Granted<'create'>,
  rows: readonly SentAttributes[],
  options: ImportOptions = {},
): Promise<(number | Failures)[]> {
  const stagings: Staging[] = []
  for (const sent of rows) stagings.push(await stageFiles(store, granted, sent))
  return store.db.write(async (tx) => {
    mustBeCurrent(store, granted)
    const results: (number | Failures)[] = []
    for (const staging of stagings) results.push(await orFailures(insert(store, tx, granted, staging, options).then(({ id }) => id)))
    return results
  })
}

/** Writes one record; leaves nothing behind when it throws a Failure. */
async function insert(
  store: Store,
  tx: Transaction,
  granted: Granted<'create'>,
  { sent, staged }: Staging,
  options: ImportOptions,
): Promise<RecordRow> {
  const { table, caller } = granted
  const records = name(recordsOf(table.id))
  const given = await readChange(store, tx, {
    granted,
    sent,
    staged,
    present: undefined,
    keepsOrigin: options.keepsOrigin === true && caller.administrator,
  })
  const values = new Map<string, Stored>([
    ['user_id', given.get('user_id') ?? caller.userId],
    ['add_time', given.get('add_time') ?? nowText(store)],
    ['status', given.get('status') ?? 0],
  ])
  for (const field of table.fields)
    values.set(field.name, given.get(field.name) ?? (sent.has(field.name) ? field.type.empty : defaultOf(store, field)))
  await mustBeUnique(store, tx, granted, values, 0)
  for (const field of table.fields) if (field.type.assigned) values.set(field.name, await nextNumber(tx, field.id))
  const columns = [...values].flatMap(([key, value]) => columnsOf(table.attributes.get(key)!, value))
  const [row] = await tx.all(sql`INSERT INTO ${records} (version, ${join(
    columns.map(([column]) => name(column)),
    ', ',
  )})
    VALUES (1, ${join(
      columns.map(([, value]) => sql`${value}`),
      ', ',
    )}) RETURNING id`)
  const id = Number(row![0])
  try {
    await mustBeWritable(store, tx, granted, id)
  } catch (error) {
    await tx.run(sql`DELETE FROM ${records} WHERE id = ${id}`)
    throw error
  }
  await linkFiles(tx, table, id, staged)
  tx.tally({ tableId: table.id, recordId: id, change: 1 })
  return show(granted, { id, version: 1, values })
}

/** Changes the attributes sent and no others, so that two clients who change different ones both succeed. */
export async function updateRecord(
  store: Store,
  granted: Granted<'update'>,
  id: number,
  given: SentAttributes,
  options: ChangeOptions = {},
): Promise<RecordRow> {
  const { sent, staged } = await stageFiles(store, granted, given)
  return store.db.write(async (tx) => {
    mustBeCurrent(store, granted)
    const { table } = granted
    const now = await present(store, tx, granted, id, options.ifMatch)
    const changed = await readChange(store, tx, { granted, sent, staged, present: now, keepsOrigin: false })
    if (changed.size === 0) return show(granted, now)
    await mustBeUnique(store, tx, granted, changed, id)
    const set = [...changed].flatMap(([key, value]) => columnsOf(table.attributes.get(key)!, value))
    await tx.run(sql`UPDATE ${name(recordsOf(table.id))}
      SET version = version + 1, ${join(
        set.map(([column, value]) => sql`${name(column)} = ${value}`),
        ', ',
      )} WHERE id = ${id}`)
    await linkFiles(tx, table, id, filesOf(table, changed, staged))
    await mustBeWritable(store, tx, granted, id)
    tx.tally({ tableId: table.id, recordId: id, change: 0 })
    return show(granted, { id, version: now.version + 1, values: new Map([...now.values, ...changed]) })
  })
}

/** The new lists of the file fields that changed; one that was emptied by a text has none. */
const filesOf = (table: Table, changed: ReadonlyMap<string, Stored>, staged: Staged): Staged =>
  new Map(table.fields.filter(({ name: key, type }) => type.files && changed.has(key)).map(({ name: key }) => [key, staged.get(key) ?? []]))

/** Moves the record to the trash. */
export async function deleteRecord(store: Store, granted: Granted<'delete'>, id: number, options: ChangeOptions = {}): Promise<void> {
  await store.db.write(async (tx) => {
    mustBeCurrent(store, granted)
    const { table, caller } = granted
    const { values } = await present(store, tx, granted, id, options.ifMatch)
    await moveRecord(tx, table, id, recordsOf(table.id), trashOf(table.id))
    const titled = table.fields.find((field) => field.id === table.titleFieldId)
    const title = titled ? titled.type.format(values.get(titled.name)!, titled.settings) : ''
    await tx.run(sql`INSERT INTO trash (kind, kindk, table_id, item_id, title, titlek, deleted, user_id)
      VALUES ('record', 'record', ${table.id}, ${id}, ${title}, ${titleKey(title)}, ${nowText(store)}, ${caller.userId})`)
  })
}

/** Moves a record between the twins, all its columns with it. */
export async function moveRecord(tx: Transaction, table: Table, id: number, from: string, to: string): Promise<void> {
  const columns = physicalColumns(table)
  await tx.run(sql`INSERT INTO ${name(to)} (${columns}) SELECT ${columns} FROM ${name(from)} WHERE id = ${id}`)
  await tx.run(sql`DELETE FROM ${name(from)} WHERE id = ${id}`)
  tx.tally({ tableId: table.id, recordId: id, change: to === recordsOf(table.id) ? 1 : -1 })
}

async function nextNumber(tx: Transaction, fieldId: number): Promise<number> {
  const [row] = await tx.all(sql`UPDATE fields SET number_next = number_next + 1 WHERE id = ${fieldId} RETURNING number_next`)
  return Number(row![0])
}

const physicalColumns = (table: Table): Sql => join(['id', 'version', ...table.columns].map(name), ', ')

const orFailures = async <T>(work: Promise<T>): Promise<T | Failures> =>
  work.catch((error: unknown) => {
    if (error instanceof Failures) return error
    if (error instanceof Failure) return new Failures([error])
    throw error
  })
