import { fail, Failure, Failures } from '../../errors.ts'
import type { Attribute, Stored } from '../../fields/field-type.ts'
import { name, sql } from '../../sql/sql.ts'
import type { Granted } from '../model/access.ts'
import { hasEveryRight } from '../model/built-in-groups.ts'
import { recordsOf, type Field, type Table } from '../model/catalogue.ts'
import type { Held, Image } from '../ground/changes.ts'
import { nowText } from '../ground/clock.ts'
import type { Transaction } from '../ground/db.ts'
import { takeNumbers } from './take-numbers.ts'
import { defaultOf } from './defaults.ts'
import { committed } from '../ground/relation.ts'
import { linkFiles, stageFiles, type Staged, type Staging } from './files.ts'
import { logged, noFiles } from './images.ts'
import type { Keys } from './long-keys.ts'
import { newRecord, rowOf, valuesIn } from './new-record.ts'
import { mustBeCurrent, mustBeWritable } from './present.ts'
import { accepted, mustBeUnique, readChange, parseSent, type Change } from './record-values.ts'
import { missing } from './references.ts'
import type { SentAttributes } from '../model/sent.ts'
import type { Uses } from '../ground/store.ts'
import { idsInUse, writeRows } from './write-rows.ts'
import { anyIsHeld, leaveKeys, takeKeys, uniqueKey } from './unique-keys.ts'

type Used = Uses<'db' | 'environment' | 'settings' | 'context' | 'catalogue'>

/*
 * New records, one or many. Many are parsed as one is, but references and unique values of all rows are looked up together. If any row may
 * have to be refused, all rows are inserted one by one, so that the rules for refusing a record are in one place.
 */

export interface InsertOptions {
  /** An administrator's import may bring user_id and add_time with it. */
  readonly keepsOrigin?: boolean
  /** Of many records, in their order: the ids that they get. The ids of later records are larger. */
  readonly ids?: readonly number[]
  /** The transaction is undone in the end. */
  readonly isTrial?: boolean
  /** Of one record. */
  readonly id?: number
  /** Keys that were folded before the write began (long-keys.ts). */
  readonly keys?: Keys
  /** Called with the milliseconds for which the rows were written, without the time for which they waited to be. */
  readonly took?: (milliseconds: number) => void
  /** Of many records: called at the end of their transaction with its results; what it throws undoes the transaction. */
  readonly also?: (tx: Transaction, results: readonly (number | Failures)[]) => Promise<void>
}

/** A record just written, with every attribute of its table. */
export interface Inserted {
  readonly id: number
  readonly values: ReadonlyMap<string, Stored>
}

type Creating = Granted<'create'>

/** Many records in one transaction, each for itself: the id of the new record, or why there is none. */
export async function insertRecords(
  store: Uses<'db' | 'files' | 'environment' | 'settings' | 'context' | 'catalogue'>,
  granted: Granted<'create' | 'bulk'>,
  rows: readonly SentAttributes[],
  options: InsertOptions = {},
): Promise<(number | Failures)[]> {
  const stagings: Staging[] = []
  const holdsFiles = granted.table.fields.some(({ type }) => type.files)
  for (const sent of rows) stagings.push(holdsFiles ? await stageFiles(store, granted, sent) : { sent, staged: nothingStaged })
  const prepared = await prepare(store, granted, stagings, options)
  return store.db.write(async (tx) => {
    const begun = store.environment.now()
    await mustBeCurrent(store, tx, granted)
    const together = prepared && (await insertTogether(store, tx, granted, prepared))
    const results = together ?? (await insertEach(store, tx, granted, stagings, options))
    options.took?.(store.environment.now() - begun)
    await options.also?.(tx, results)
    return results
  })
}

const nothingStaged: Staged = new Map()

async function insertEach(
  store: Used,
  tx: Transaction,
  granted: Creating,
  stagings: readonly Staging[],
  options: InsertOptions,
): Promise<(number | Failures)[]> {
  const results: (number | Failures)[] = []
  for (const [i, staging] of stagings.entries()) {
    const id = options.ids?.[i]
    try {
      results.push((await insert(store, tx, granted, staging, id === undefined ? options : { ...options, id })).id)
    } catch (error) {
      results.push(failuresOf(error))
    }
  }
  return results
}

/** What is prepared for new records before their transaction. */
interface Prepared {
  /** By attribute of references, the ids that any of the rows has in it. */
  readonly named: ReadonlyMap<Attribute, ReadonlySet<number>>
  /** For each row its failures; undefined for a row that can be inserted. */
  readonly results: readonly (Failures | undefined)[]
  /** The values of the rows that can be inserted, in the order of the columns of `newRecord`. */
  readonly rows: readonly Stored[][]
  /** The ids of these rows, where they are given. */
  readonly ids: readonly number[] | undefined
  readonly isTrial: boolean
}

/** Undefined where rows bring files, or where a check needs the record as it is written: then they are inserted one by one. */
async function prepare(
  store: Used,
  granted: Creating,
  stagings: readonly Staging[],
  options: InsertOptions,
): Promise<Prepared | undefined> {
  if (granted.writeFilter !== '' || stagings.some(({ staged }) => staged.size > 0)) return undefined
  const preset = await presetOf(store, { all: committed(store) }, granted)
  const { attributes } = newRecord(granted.table)
  const named = new Map([...granted.attributes.values()].filter(({ type }) => type.target).map((one) => [one, new Set<number>()]))
  const rows: Stored[][] = []
  const ids: number[] = []
  const results = stagings.map((staging, i) => {
    const change = changeOf(granted, staging, preset, options)
    const reading = parseSent(store, change)
    for (const [{ name: key, type }, ids] of named) {
      const value = reading.values.get(key)
      if (value !== undefined) for (const id of type.ids?.(value) ?? []) ids.add(id)
    }
    try {
      const given = accepted(change, reading)
      rows.push(rowOf(attributes, (key) => newValue(change, given, preset, key)))
      if (options.ids) ids.push(options.ids[i]!)
      return undefined
    } catch (error) {
      return failuresOf(error)
    }
  })
  return { named, results, rows, ids: options.ids && ids, isTrial: options.isTrial === true }
}

/** Undefined, with nothing written, where a row may be refused because of existing records or of another row. */
async function insertTogether(
  store: Uses<'db' | 'context' | 'catalogue'>,
  tx: Transaction,
  granted: Creating,
  { named, results, rows, ids: given, isTrial }: Prepared,
): Promise<(number | Failures)[] | undefined> {
  const { table } = granted
  const { columns } = newRecord(table)
  if (given && (new Set(given).size < given.length || (await idsInUse(store, tx, table, given)))) return undefined
  if (!(await allExist(store, tx, granted, named)) || !(await allUnique(store, tx, table, columns, rows))) return undefined
  for (const field of table.fields) {
    if (!field.type.assigned || rows.length === 0) continue
    const first = (await takeNumbers(tx, field, rows.length)) - rows.length + 1
    const place = columns.indexOf(field.column)
    for (const [i, row] of rows.entries()) row[place] = first + i
  }
  const ids = await writeRows(store, tx, table, columns, rows, given, isTrial)
  for (const [i, id] of ids.entries()) {
    const image = tx.images ? imageOf(table, valuesIn(table, rows[i]!), noFiles) : undefined
    tx.changed({ tableId: table.id, recordId: id, change: 1, act: 'create', by: granted.caller, image })
  }
  await takeKeys(store, tx, table, ids, (field, i) => rows[i]![columns.indexOf(field.column)])
  let next = 0
  return results.map((result) => result ?? ids[next++]!)
}

/** Whether everything that the rows refer to exists. */
async function allExist(
  store: Uses<'db' | 'context' | 'catalogue'>,
  tx: Transaction,
  granted: Creating,
  named: Prepared['named'],
): Promise<boolean> {
  for (const [{ type, settings }, ids] of named) {
    const lost = ids.size > 0 ? await missing(store, tx, granted, type.target!, settings.referenceTableId ?? 0, [...ids]) : []
    if (lost.length > 0) return false
  }
  return true
}

/** Whether no record has one of the unique values already, and no two rows share one. */
async function allUnique(
  store: Uses<'db'>,
  tx: Transaction,
  table: Table,
  columns: readonly string[],
  rows: Prepared['rows'],
): Promise<boolean> {
  for (const field of table.fields) {
    if (!field.settings.unique) continue
    const place = columns.indexOf(field.column)
    const keys = rows.map((row) => uniqueKey(field, row[place]!)).filter((key) => key !== undefined)
    if (keys.length === 0) continue
    if (new Set(keys.map(String)).size < keys.length) return false
    if (await anyIsHeld(store, tx, field, keys)) return false
  }
  return true
}

/** Writes one record; leaves nothing behind when it throws a Failure. */
export async function insert(store: Used, tx: Transaction, granted: Creating, staging: Staging, options: InsertOptions): Promise<Inserted> {
  const { table } = granted
  const preset = await presetOf(store, tx, granted)
  const change = changeOf(granted, staging, preset, options)
  const values = complete(change, await readChange(store, tx, change), preset)
  await mustBeUnique(store, tx, granted, values, 0)
  const given = options.id === undefined ? undefined : [options.id]
  if (given && (await idsInUse(store, tx, table, given))) throw fail('field.not_unique', { name: 'id' }, { attribute: 'id' })
  for (const field of table.fields) if (field.type.assigned) values.set(field.name, await takeNumbers(tx, field, 1))
  const { attributes, columns } = newRecord(table)
  const row = rowOf(attributes, (key) => values.get(key)!, options.keys)
  const [id] = await writeRows(store, tx, table, columns, [row], given, options.isTrial)
  const valueOf = (field: Field) => values.get(field.name)
  await takeKeys(store, tx, table, [id!], valueOf)
  try {
    await mustBeWritable(store, tx, granted, id!)
  } catch (error) {
    await leaveKeys(store, tx, table, id!, valueOf)
    await tx.run(sql`DELETE FROM ${name(recordsOf(table.id))} WHERE id = ${id!}`)
    throw error
  }
  const { after: files } = await linkFiles(tx, table, id!, staging.staged)
  const image = tx.images ? imageOf(table, logged(values), files) : undefined
  tx.changed({ tableId: table.id, recordId: id!, change: 1, act: 'create', by: granted.caller, image })
  return { id: id!, values }
}

const changeOf = (granted: Creating, { sent, staged }: Staging, { unsent }: Preset, { keepsOrigin }: InsertOptions): Change => ({
  granted,
  sent,
  staged,
  present: undefined,
  defaults: unsent,
  keepsOrigin: keepsOrigin === true && hasEveryRight(granted.caller),
})

/** By attribute name, the values of a new record for attributes for which no value was sent. */
interface Preset {
  /** Where the attribute was not sent. */
  readonly unsent: ReadonlyMap<string, Stored>
  /** Where the value sent is the empty one. */
  readonly empty: ReadonlyMap<string, Stored>
}

async function presetOf(store: Used, tx: Pick<Transaction, 'all'>, { table, caller, catalogue }: Creating): Promise<Preset> {
  const { nothing, defaults } = newRecord(table)
  const now = nowText(store)
  const empty = new Map(nothing).set('user_id', caller.userId).set('add_time', now).set('update_time', now)
  if (defaults.length === 0) return { unsent: empty, empty }
  const unsent = new Map(empty)
  const moment = { userId: caller.userId, today: now.slice(0, 10) }
  for (const field of defaults) unsent.set(field.name, await defaultOf(store, tx, catalogue, field, moment))
  return { unsent, empty }
}

/** All values of a new record, in the order of its columns. */
function complete(change: Change, given: ReadonlyMap<string, Stored>, preset: Preset): Map<string, Stored> {
  const values = new Map<string, Stored>()
  for (const key of preset.unsent.keys()) values.set(key, newValue(change, given, preset, key))
  return values
}

const newValue = ({ sent }: Change, given: ReadonlyMap<string, Stored>, { unsent, empty }: Preset, key: string): Stored =>
  given.get(key) ?? (sent.has(key) ? empty : unsent).get(key)!

const imageOf = ({ attributes }: Table, values: Held['values'], files: Held['files']): Image => ({
  before: undefined,
  after: { values, attributes, files },
})

function failuresOf(error: unknown): Failures {
  if (error instanceof Failures) return error
  if (error instanceof Failure) return new Failures([error])
  throw error
}
