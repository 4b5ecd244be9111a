import { fail, Failure, Failures } from '../../errors.ts'
import { dependsOn, termsApartFrom, type Condition } from '../../filter/check.ts'
import { place } from '../../filter/ast.ts'
import { compile } from '../../filter/compile.ts'
import { inTimeOf } from '../../filter/patience.ts'
import { limits } from '../../limits.ts'
import { join, name, sql, type Sql } from '../../sql/sql.ts'
import type { Transaction } from '../ground/db.ts'
import type { Uses } from '../ground/store.ts'
import type { Granted } from '../model/access.ts'
import { Abandoned } from '../model/asker.ts'
import { recordsOf } from '../model/catalogue.ts'
import type { SentAttributes } from '../model/sent.ts'
import { Stale } from '../model/stale.ts'
import { turns } from '../scheduling/others-turn.ts'
import { stageFiles } from './files.ts'
import { keysAhead } from './long-keys.ts'
import { mustBeCurrent } from './present.ts'
import { and, readCondition } from './read-records.ts'
import { accepted, parseSent, type LostReferences } from './record-values.ts'
import { uniqueKey } from './unique-keys.ts'
import { applyUpdate, prepareDelete } from './write-records.ts'

/*
 * Changes and deletes of all records that match a filter. Which ones match is read once. Then they are written in steps, each a transaction of
 * some milliseconds between which others write; in each step the filter and the rights are checked again, for each record. Not so the terms that
 * depend on other records of the same table: the steps before have changed those. All steps together are one batch: the caller of the grant has one.
 */

type Used = Uses<'db' | 'files' | 'environment' | 'settings' | 'context' | 'catalogue' | 'indexes'>

/** Records of a step: of the first one, and the bounds. */
export const FIRST = 50
const FEWEST = 10
const MOST = 500
/** Milliseconds for which a step writes, about. Over PostgreSQL, most other writes go on meanwhile. */
const WRITING = 25
const WRITING_SHARED = 100

/** What is done to each record, in a transaction in which the grant is current. `lost`: kept for all records of a step. */
export type BulkAct = (tx: Transaction, id: number, lost: LostReferences) => Promise<unknown>

export interface Refusal {
  readonly id: number
  readonly failure: Failure
}

export interface BulkDone {
  /** The batch of what was written; undefined: nothing was. */
  readonly batch: number | undefined
  /** Records that were written. */
  readonly records: number
  /** Records that matched at the beginning, and not when they were to be written: others changed them, or rights. */
  readonly leftOut: number
  /** Records that match and could not be written; `listed` has at most `limits.undoConflicts`. */
  readonly refused: number
  readonly listed: readonly Refusal[]
  /** Whether all records were looked at. Not so where structure or rights changed after the first step, or the database had no time. */
  readonly done: boolean
}

/** The change of each record to these values. @throws Failures where they fit no record */
export async function bulkUpdate(store: Used, granted: Granted<'update'>, given: SentAttributes, total: number): Promise<BulkAct> {
  const staging = await stageFiles(store, granted, given)
  const keys = await keysAhead(granted, staging.sent)
  const present = { id: 0, version: 0, values: new Map() }
  const change = { granted, ...staging, present, keepsOrigin: false }
  const values = accepted(change, parseSent(store, change))
  const unique = granted.table.fields.filter((field) => field.settings.unique && values.has(field.name))
  const same = unique.filter((field) => total > 1 && uniqueKey(field, values.get(field.name)!) !== undefined)
  if (same.length > 0) throw new Failures(same.map((field) => fail('field.not_unique', { name: field.title }, { attribute: field.name })))
  return (tx, id, lost) => applyUpdate(store, tx, granted, id, staging, keys, { lost })
}

/** Moves each record to the trash. */
export const bulkDelete =
  (store: Used, granted: Granted<'delete'>): BulkAct =>
  (tx, id) =>
    prepareDelete(store, granted, id).apply(tx)

/**
 * Does the act to all records that match, in the order of their ids. What becomes of each record is reported; a record that does not match any
 * more is left out, and counted. Undefined: there are more than one request writes, and nothing was done.
 * @throws Stale where structure or rights changed before the first step; Abandoned
 */
export async function inBulk(
  store: Used,
  granted: Granted<'read' | 'bulk'>,
  condition: Condition,
  act: BulkAct,
): Promise<BulkDone | undefined> {
  const { db } = store
  const { caller } = granted
  const batch = caller.batch!.id
  const { most } = limits.bulkRecords
  const ids = await matching(store, granted, condition, most + 1)
  if (ids.length > most) return undefined
  const listed: Refusal[] = []
  let [begun, records, leftOut, refused, at] = [0, 0, 0, 0, 0]
  for (let size = FIRST; at < ids.length;) {
    if (caller.client?.isGone) throw new Abandoned()
    const some = ids.slice(at, at + size)
    let step: BulkStep
    try {
      step = await db.write(async (tx) => {
        // Where the transaction is run again, what it began before does not hold.
        batch[0] = begun
        await mustBeCurrent(store, tx, granted)
        return bulkStep(store, tx, granted, condition, act, some)
      })
    } catch (error) {
      // What is written is told: the batch can be undone, and the request sent again.
      if (begun === 0 || !(error instanceof Stale || error instanceof Failure)) throw error
      break
    }
    begun = batch[0]!
    records += step.records
    leftOut += step.leftOut
    refused += step.refusals.length
    listed.push(...step.refusals.slice(0, limits.undoConflicts.most - listed.length))
    at += step.looked
    size = sizeAfter(size, step.looked, some.length)
  }
  return { batch: begun === 0 ? undefined : begun, records, leftOut, refused, listed, done: at >= ids.length }
}

/** A step that had time for all its records is followed by a larger one. */
export const sizeAfter = (size: number, looked: number, of: number): number =>
  Math.min(MOST, Math.max(FEWEST, looked < of ? looked : 2 * size))

/** The ids of the records that match, in their order: the first ones, `within` the ids behind the first and up to the last of two. */
export async function matching(
  store: Used,
  granted: Granted<'read'>,
  condition: Condition,
  most: number,
  within?: readonly [after: number, last: number],
): Promise<readonly number[]> {
  const { db, indexes } = store
  const { table, caller } = granted
  indexes.wanted(table, condition, [])
  const where = conditionsOf(store, granted, compile(condition, db.dialect, await indexes.pieces(table, condition)))
  const inTime = inTimeOf(table.attributes, where, db.dialect, true)
  const range = within ? [sql`id > ${within[0]}`, sql`id <= ${within[1]}`] : []
  const all = join([...(inTime ? [inTime] : []), ...range, ...where], ' AND ')
  const [rows] = await db.readAside(caller, sql`SELECT id FROM ${name(recordsOf(table.id))} WHERE ${all} ORDER BY id LIMIT ${most}`)
  return rows!.map(([id]) => Number(id))
}

/** Of all records of the table; 0: there are none. */
export async function highestId({ db }: Used, { table }: Granted<'read'>): Promise<number> {
  const [rows] = await db.read(sql`SELECT coalesce(max(id), 0) FROM ${name(recordsOf(table.id))}`)
  return Number(rows![0]![0])
}

/** @throws `filter.step_into_itself` where the filter cannot be used by what reads in parts which records match */
export function mustSuitParts(condition: Condition, { table }: Granted<'read'>): void {
  if (dependsOn(condition, table.id))
    throw fail('filter.step_into_itself', { most: limits.bulkRecords.most }, place(0, 'no attribute of another record of the table'))
}

const conditionsOf = (store: Used, granted: Granted<'read'>, wanted: Sql | undefined): Sql[] =>
  [readCondition(store, granted), wanted].flatMap((one) => (one ? [sql`(${one})`] : []))

export interface BulkStep {
  /** Records that it looked at. */
  readonly looked: number
  readonly records: number
  /** Of those that it looked at, the ones that do not match any more. */
  readonly leftOut: number
  readonly refusals: readonly Refusal[]
}

/** Does the act to those of these records that still match, for as long as a step takes. */
export async function bulkStep(
  store: Used,
  tx: Transaction,
  granted: Granted<'read'>,
  condition: Condition,
  act: BulkAct,
  ids: readonly number[],
): Promise<BulkStep> {
  const { dialect } = store.db
  const until = store.environment.now() + (dialect.shared ? WRITING_SHARED : WRITING)
  const checked = termsApartFrom(granted.table.id, condition)
  const conditions = conditionsOf(store, granted, checked && compile(checked, dialect))
  const wanted = conditions.length > 0 ? join(conditions, ' AND ') : undefined
  const stillMatching = async (some: readonly number[]) => {
    const which = some.length === 1 ? sql`id = ${some[0]!}` : dialect.oneOf(sql`id`, some)
    const rows = await tx.all(
      sql`SELECT id FROM ${name(recordsOf(granted.table.id))} WHERE ${which}${and(wanted)} ORDER BY id${dialect.forUpdate}`,
    )
    return new Set(rows.map(([id]) => Number(id)))
  }
  const match = dialect.locksOneByOne ? undefined : await stillMatching(ids)
  const refusals: Refusal[] = []
  const lost: LostReferences = new Map()
  const turn = turns()
  let [looked, records, leftOut] = [0, 0, 0]
  for (const id of ids) {
    looked++
    if (!(match ?? (await stillMatching([id]))).has(id)) {
      leftOut++
      continue
    }
    try {
      await tx.attempt(() => act(tx, id, lost))
      records++
    } catch (error) {
      refusals.push({ id, failure: refusalIn(error) })
    }
    if (store.environment.now() >= until) break
    await turn()
  }
  return { looked, records, leftOut, refusals }
}

/** Why a record was not written. @throws what is no fault of the request */
function refusalIn(error: unknown): Failure {
  const failure = error instanceof Failures ? error.failures[0]! : error
  if (failure instanceof Failure && failure.status < 500) return failure
  throw error
}
