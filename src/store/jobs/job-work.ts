import { fold } from '../../fields/fold.ts'
import { constant, sql, type Param, type Sql } from '../../sql/sql.ts'
import { nowText } from '../ground/clock.ts'
import type { Transaction } from '../ground/db.ts'
import { databaseNow, LEASE } from '../ground/lease.ts'
import { lockOwner } from '../ground/quota.ts'
import type { Uses } from '../ground/store.ts'
import { tellJobs, type JobError, type JobState } from './jobs.ts'

/*
 * What the process that runs jobs reads and writes. How far a job is is written in the transaction of the step that brought it there, and only by the
 * process that holds it: so no step is done twice, and none is left out, whenever a process ends.
 */

type Used = Uses<'db' | 'environment' | 'settings'>

/** A job that is held by this process. */
export interface HeldJob {
  readonly id: number
  readonly kind: string
  readonly userId: number
  readonly tokenId: number
  readonly tableId: number
  readonly input: unknown
  readonly done: number
  readonly total: number | null
  /** Where it goes on; undefined: at its beginning. */
  readonly position: unknown
  /** The batch that it has begun; 0: none. */
  readonly batchId: number
  readonly cancelAsked: boolean
  /** Whether it ran before, in a process that ended. */
  readonly wasRunning: boolean
  /** How often it was begun since it last came further. */
  readonly tries: number
}

/** A job that waits, or that runs in a process. */
export interface OpenJob {
  readonly id: number
  readonly userId: number
  readonly isRunning: boolean
  /** Where it runs: whether its process has not renewed its lease. */
  readonly isOver: boolean
}

/** Those that run, and of each user the first that waits. */
export async function openJobs({ db }: Uses<'db'>): Promise<OpenJob[]> {
  const over = db.dialect.shared ? sql`CASE WHEN until_ms < ${databaseNow} THEN 1 ELSE 0 END` : sql`1`
  const first = sql`SELECT min(id) FROM jobs WHERE state = ${constant('queued')} GROUP BY user_id`
  const [rows] = await db.read(sql`SELECT id, user_id, state, ${over} FROM jobs
    WHERE state IN (${constant('queued')}, ${constant('running')}) AND (state = ${constant('running')} OR id IN (${first})) ORDER BY id`)
  return rows!.map(([id, userId, state, isOver]) => ({
    id: Number(id),
    userId: Number(userId),
    isRunning: state === 'running',
    isOver: Number(isOver) === 1,
  }))
}

/** Makes this process the holder of a job; undefined: another one has it, or another job of its user, or it is not to run any more. */
export async function claimJob(store: Used, { id, userId }: OpenJob, holder: string): Promise<HeldJob | undefined> {
  const { shared, forUpdate } = store.db.dialect
  const until: Sql = shared ? sql`${databaseNow} + ${LEASE}::bigint` : sql`0`
  // SQLite has one process, which knows what it runs.
  const alive = shared ? sql`until_ms >= ${databaseNow}` : sql`1 = 0`
  const held = await store.db.write(async (tx) => {
    await lockOwner(store, tx, userId)
    const [row] =
      await tx.all(sql`SELECT kind, user_id, token_id, table_id, input, done, total, position, batch_id, cancel_asked, state, tries
      FROM jobs WHERE id = ${id} AND (state = ${constant('queued')} OR state = ${constant('running')} AND NOT ${alive})${forUpdate}`)
    const [other] = await tx.all(
      sql`SELECT id FROM jobs WHERE user_id = ${userId} AND state = ${constant('running')} AND ${alive} AND id <> ${id}`,
    )
    if (!row || other) return undefined
    const [kind, user, token, table, input, done, total, position, batch, cancel, state, tries] = row
    const wasRunning = state === 'running'
    await tx.run(sql`UPDATE jobs SET state = ${'running'}, statek = ${fold('running')}, holder = ${holder}, until_ms = ${until},
      tries = tries + 1${wasRunning ? sql`` : sql`, begin_time = ${nowText(store)}`} WHERE id = ${id}`)
    return {
      id,
      kind: String(kind),
      userId: Number(user),
      tokenId: Number(token),
      tableId: Number(table),
      input: JSON.parse(String(input)) as unknown,
      done: Number(done),
      total: totalOf(total!),
      position: placeOf(position!),
      batchId: Number(batch),
      cancelAsked: Number(cancel) === 1,
      wasRunning,
      tries: Number(tries) + 1,
    }
  })
  if (held) tellJobs(store.db, 'moved')
  return held
}

export interface Progress {
  readonly done: number
  readonly total: number | null
  /** Any JSON: where the work goes on. */
  readonly position: unknown
}

/** This process does not hold the job any more: nothing more is to be written for it. */
export class JobLost extends Error {
  constructor() {
    super('The job is held by another process, or it is not there any more.')
    this.name = 'JobLost'
  }
}

/** In the transaction of a step. Returns whether the job is to end. @throws JobLost, which undoes the step */
export async function advanceJob(tx: Transaction, id: number, holder: string, { done, total, position }: Progress): Promise<boolean> {
  const [row] =
    await tx.runReturning(sql`UPDATE jobs SET done = ${done}, total = ${total ?? -1}, position = ${JSON.stringify(position)}, tries = 0
    WHERE id = ${id} AND holder = ${holder} AND state = ${'running'} RETURNING cancel_asked`)
  if (!row) throw new JobLost()
  return Number(row[0]) === 1
}

/** What is committed of a job that this process holds. @throws JobLost */
export async function committedOf({ db }: Uses<'db'>, id: number, holder: string): Promise<Progress & { readonly batchId: number }> {
  const [rows] = await db.read(
    sql`SELECT done, total, position, batch_id FROM jobs WHERE id = ${id} AND holder = ${holder} AND state = ${'running'}`,
  )
  const [row] = rows!
  if (!row) throw new JobLost()
  const [done, total, position, batch] = row
  return { done: Number(done), total: totalOf(total!), position: placeOf(position!), batchId: Number(batch) }
}

const totalOf = (total: Param): number | null => (Number(total) < 0 ? null : Number(total))
const placeOf = (position: Param): unknown => (position === '' ? undefined : (JSON.parse(String(position)) as unknown))

/** Whether a job is to end. @throws JobLost */
export async function isCancelled({ db }: Uses<'db'>, id: number, holder: string): Promise<boolean> {
  const [rows] = await db.read(sql`SELECT cancel_asked FROM jobs WHERE id = ${id} AND holder = ${holder} AND state = ${'running'}`)
  if (!rows![0]) throw new JobLost()
  return Number(rows![0][0]) === 1
}

export interface Ended {
  readonly state: Exclude<JobState, 'draft' | 'queued' | 'running'>
  readonly result: (batchId: number) => Readonly<Record<string, unknown>>
  readonly error?: JobError | undefined
  /** Hash of the stored bytes that it made; '' or absent: none. */
  readonly file?: string | undefined
  /** Its name; absent: that of the job stays. */
  readonly fileName?: string | undefined
}

/** Ends a job, unless this process does not hold it any more. */
export async function finishJob(
  store: Used,
  id: number,
  holder: string,
  { state, result, error, file = '', fileName }: Ended,
): Promise<void> {
  const mine = sql`id = ${id} AND holder = ${holder} AND state = ${'running'}`
  await store.db.write(async (tx) => {
    const [row] = await tx.all(sql`SELECT batch_id FROM jobs WHERE ${mine}`)
    if (!row) return
    if (fileName !== undefined) await tx.run(sql`UPDATE jobs SET file_name = ${fileName}, file_namek = ${fold(fileName)} WHERE ${mine}`)
    await tx.run(sql`UPDATE jobs SET state = ${state}, statek = ${fold(state)}, result = ${JSON.stringify(result(Number(row[0])))},
      error = ${error ? JSON.stringify(error) : ''}, result_file = ${file}, end_time = ${nowText(store)}, holder = '', until_ms = 0
      WHERE ${mine}`)
  })
  tellJobs(store.db, 'moved')
}

/** Lets another process, or the next one, go on with a job. */
export const releaseJob = (store: Uses<'db'>, id: number, holder: string): Promise<unknown> =>
  store.db.write((tx) =>
    tx.run(sql`UPDATE jobs SET holder = '', until_ms = 0, tries = 0 WHERE id = ${id} AND holder = ${holder} AND state = ${'running'}`),
  )
