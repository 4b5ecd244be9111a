import { fail } from '../../errors.ts'
import { limits } from '../../limits.ts'
import { memo } from '../../memory/memo.ts'
import { constant, sql, type Sql } from '../../sql/sql.ts'
import { inList } from '../catalogue/visible.ts'
import { writer } from '../catalogue/administrator.ts'
import { localTime, nowText } from '../ground/clock.ts'
import type { Db, Transaction } from '../ground/db.ts'
import { mustHaveRoom } from '../ground/quota.ts'
import { findRow, insertUnlogged, relation } from '../ground/relation.ts'
import type { Uses } from '../ground/store.ts'
import type { Caller } from '../model/access.ts'
import { auditOften } from '../people/audit.ts'
import { sweepPieces } from './pieces.ts'
import { fold } from '../../fields/fold.ts'

/*
 * Jobs: work that takes longer than a request. Here are their rows, as their users see them; job-work.ts has what the process that runs
 * them reads and writes.
 */

/**
 * draft: it needs more before it begins. interrupted: its process ended, and it cannot go on. One that is cancelled, failed or interrupted has
 * done a part, which stays.
 */
export type JobState = 'draft' | 'queued' | 'running' | 'done' | 'failed' | 'cancelled' | 'interrupted'

export interface Job {
  readonly id: number
  readonly kind: string
  /** 0: of no table. */
  readonly tableId: number
  readonly state: JobState
  /** Whether it is to end after its present step. */
  readonly cancelAsked: boolean
  /** How far it is, of `total`, in what its kind counts; null: not known. */
  readonly done: number
  readonly total: number | null
  /** What its kind tells. */
  readonly result: Readonly<Record<string, unknown>> | null
  readonly error: JobError | null
  /** The batch of what it changed; null: nothing. */
  readonly batchId: number | null
  /** Of the file that it reads, or has made; '': none. */
  readonly fileName: string
  /** Whether it only tries what another one would do. */
  readonly isTrial: boolean
  readonly userId: number
  readonly addTime: string
  readonly beginTime: string
  readonly endTime: string
}

export interface JobError {
  readonly code: string
  readonly detail: string
}

export const NEVER = '0000-00-00 00:00:00'

export const jobs = relation<Job>(
  'jobs',
  {
    id: ['id', 'integer'],
    kind: ['kind', 'text'],
    tableId: ['table_id', 'integer'],
    state: ['state', 'text'],
    cancelAsked: ['cancel_asked', 'boolean'],
    done: ['done', 'integer'],
    total: ['total', 'optional'],
    result: ['result', 'json'],
    error: ['error', 'json'],
    batchId: ['batch_id', 'link'],
    fileName: ['file_name', 'text'],
    isTrial: ['is_trial', 'boolean'],
    userId: ['user_id', 'integer'],
    addTime: ['add_time', 'datetime'],
    beginTime: ['begin_time', 'datetime'],
    endTime: ['end_time', 'datetime'],
  },
  visibleJobs,
  undefined,
  { logging: false },
)

/** Users see their own jobs, administrators all; a token that is limited to some tables those of its tables. */
function visibleJobs({ db }: Uses<'db' | 'catalogue'>, caller: Caller): Sql | undefined {
  if (caller.administrator) return undefined
  const own = sql`user_id = ${caller.userId}`
  return caller.tables ? sql`${own} AND ${inList(db.dialect, 'table_id', [...caller.tables])}` : own
}

/** Whether `visibleJobs` has a job. */
export const seesJob = ({ administrator, userId, tables }: Caller, job: Pick<Job, 'userId' | 'tableId'>): boolean =>
  administrator || (userId === job.userId && (tables?.has(job.tableId) ?? true))

type Used = Uses<'db' | 'environment' | 'settings'>

/** What the service asks for in the name of a caller. `input`: what its kind has read, as JSON. */
export interface NewJob {
  readonly kind: string
  readonly tableId: number
  readonly input: unknown
  /** Of the file that it reads; default: '', none. */
  readonly fileName?: string
  /** Default: false. */
  readonly isTrial?: boolean
  /** Default: queued. */
  readonly state?: 'draft' | 'queued'
}

const begun = {
  cancelAsked: false,
  done: 0,
  total: null,
  result: null,
  error: null,
  batchId: null,
  beginTime: NEVER,
  endTime: NEVER,
} as const

/** Returns its id. @throws `quota.reached`, `job.too_large` */
export async function createJob(
  store: Used,
  caller: Caller,
  { kind, tableId, input, fileName = '', isTrial = false, state = 'queued' }: NewJob,
): Promise<number> {
  const { userId, tokenId } = caller
  const text = JSON.stringify(input)
  if (Buffer.byteLength(text) > limits.jobInput.most) throw fail('job.too_large', { most: limits.jobInput.most })
  const extra = { token_id: tokenId, input: text, input_file: '', result_file: '', position: '', tries: 0, holder: '', until_ms: 0 }
  const id = await store.db.write(async (tx) => {
    await mustHaveRoom(store, tx, limits.jobsWaiting, { table: 'jobs', which: sql`user_id = ${userId} AND ${unfinished}`, owner: userId })
    await eraseBeyond(tx, userId)
    return insertUnlogged(
      tx,
      jobs,
      {
        ...begun,
        kind,
        tableId,
        fileName,
        isTrial,
        state,
        userId,
        addTime: nowText(store),
      },
      extra,
    )
  })
  if (state === 'queued') tellJobs(store.db, 'asked')
  return id
}

const unfinished = sql`state IN (${constant('draft')}, ${constant('queued')}, ${constant('running')})`

/** So that there is room for one more job of a user. */
async function eraseBeyond(tx: Transaction, userId: number): Promise<void> {
  const ended = sql`SELECT id FROM jobs WHERE user_id = ${userId} ORDER BY id DESC LIMIT 100000 OFFSET ${limits.jobsOfUser.most - 1}`
  await tx.run(sql`DELETE FROM jobs WHERE id IN (${ended}) AND NOT ${unfinished}`)
}

/**
 * Asks a running job to end, or takes one that waits out of the queue; one that has ended, or was not asked for yet, goes from the list. What a job
 * has done stays. @throws `resource.not_found`, `access.denied` by a token that may only read
 */
export async function cancelJob(store: Used & Uses<'catalogue'>, caller: Caller, id: number): Promise<'cancelled' | 'removed'> {
  writer(caller, 'cancel jobs')
  const outcome = await store.db.write(async (tx) => {
    await tx.all(sql`SELECT id FROM jobs WHERE id = ${id}${store.db.dialect.forUpdate}`)
    const job = await findRow((query) => tx.all(query), jobs, id, visibleJobs(store, caller))
    if (!job) throw fail('resource.not_found', { type: 'job', id })
    if (job.userId !== caller.userId) await auditOften(store, tx, caller, 'job_cancelled', `job ${id}`, `${job.kind} of user ${job.userId}`)
    if (job.state === 'running') await tx.run(sql`UPDATE jobs SET cancel_asked = 1 WHERE id = ${id}`)
    else if (job.state === 'queued')
      await tx.run(sql`UPDATE jobs SET cancel_asked = 1, state = ${'cancelled'}, statek = ${fold('cancelled')}, end_time = ${nowText(store)}
        WHERE id = ${id}`)
    else {
      await tx.run(sql`DELETE FROM jobs WHERE id = ${id}`)
      return 'removed'
    }
    return 'cancelled'
  })
  tellJobs(store.db, 'asked')
  return outcome
}

/** What a job that has ended has made, if the caller sees it. @throws `resource.not_found` */
export async function readOutcome(store: Uses<'db' | 'catalogue'>, caller: Caller, id: number) {
  const visible = visibleJobs(store, caller) ?? sql`1 = 1`
  const [rows] = await store.db.read(sql`SELECT kind, input, position, result_file FROM jobs WHERE id = ${id} AND (${visible})`)
  const [row] = rows!
  if (!row) throw fail('resource.not_found', { type: 'job', id })
  const [kind, input, position, file] = row.map(String) as [string, string, string, string]
  return {
    kind,
    input: JSON.parse(input) as unknown,
    position: position === '' ? undefined : (JSON.parse(position) as unknown),
    /** The hash of its file; '': none. */
    file,
  }
}

/** Jobs that are erased in one transaction, at most. */
const STEP = 500

/** Erases jobs that ended, and drafts that nobody completed, more than `jobDays` ago. Returns how many. Their files go with `sweepFiles`. */
export async function sweepJobs(store: Used): Promise<number> {
  const before = localTime(store.environment.now() - store.settings.jobDays * 86_400_000, store.settings.timeZone)
  const old = sql`(state = ${constant('draft')} AND add_time < ${before} OR NOT ${unfinished} AND end_time < ${before})`
  for (let swept = 0; ;) {
    const some = sql`SELECT id FROM jobs WHERE ${old} ORDER BY id LIMIT ${STEP}`
    const erased = await store.db.write((tx) => tx.run(sql`DELETE FROM jobs WHERE id IN (${some})`))
    swept += erased
    if (erased === STEP) continue
    await sweepPieces(store)
    return swept
  }
}

/** How many jobs there are by state and kind. */
export async function countJobs({ db }: Uses<'db'>): Promise<readonly { state: string; kind: string; count: number }[]> {
  const [rows] = await db.read(sql`SELECT state, kind, count(*) FROM jobs GROUP BY state, kind ORDER BY state, kind`)
  return rows!.map(([state, kind, count]) => ({ state: String(state), kind: String(kind), count: Number(count) }))
}

/** What has changed: somebody has queued or cancelled jobs (`asked`), or one has begun or ended. */
type JobAct = 'asked' | 'moved'

const listeners = memo((_: Db) => new Set<(act: JobAct) => void>())

/** Calls `listener` when this process has changed the state of jobs. Returns how to end that. */
export function whenJobsChange(db: Db, listener: (act: JobAct) => void): () => void {
  listeners(db).add(listener)
  return () => void listeners(db).delete(listener)
}

/** After the commit. */
export function tellJobs(db: Db, act: JobAct): void {
  for (const listener of listeners(db)) listener(act)
}
