import { fail } from '../../errors.ts'
import { fold } from '../../fields/fold.ts'
import { limits } from '../../limits.ts'
import { sql } from '../../sql/sql.ts'
import { writer } from '../catalogue/administrator.ts'
import type { StoredBytes } from '../files/file-storage.ts'
import type { Transaction } from '../ground/db.ts'
import { seeRow } from '../ground/relation.ts'
import type { Uses } from '../ground/store.ts'
import type { Caller } from '../model/access.ts'
import { jobs, tellJobs, type Job } from './jobs.ts'

/*
 * Jobs that need more before they are queued: a file, and what is to be done with it. The row keeps the hash of the file, so that its bytes stay
 * (`sweepFiles`), and its size.
 */

type Used = Uses<'db' | 'catalogue'>

export interface Draft extends Job {
  readonly input: unknown
  /** Hash of the bytes; '' for none. */
  readonly file: string
}

/** A job of the caller. @throws `resource.not_found`, `access.denied` by a token that may only read */
export async function draftOf(store: Used, caller: Caller, id: number): Promise<Draft> {
  const job = await seeRow(store, jobs, caller, id)
  if (job?.userId !== caller.userId) throw fail('resource.not_found', { type: 'job', id })
  writer(caller, 'prepare jobs')
  const [rows] = await store.db.read(sql`SELECT input, input_file FROM jobs WHERE id = ${id}`)
  const [row] = rows!
  if (!row) throw fail('resource.not_found', { type: 'job', id })
  return { ...job, input: JSON.parse(String(row[0])) as unknown, file: String(row[1]) }
}

/** @throws `job.not_draft` */
export async function setInputFile(store: Uses<'db'>, id: number, { hash, size }: StoredBytes): Promise<void> {
  await changeDraft(store, id, (tx) => tx.run(sql`UPDATE jobs SET input_file = ${hash}, total = ${size} WHERE id = ${id}`))
}

/** @throws `job.not_draft`, `job.too_large` */
export async function setInput(store: Uses<'db'>, id: number, input: unknown, fileName: string): Promise<void> {
  const text = JSON.stringify(input)
  if (Buffer.byteLength(text) > limits.jobInput.most) throw fail('job.too_large', { most: limits.jobInput.most })
  await changeDraft(store, id, (tx) =>
    tx.run(sql`UPDATE jobs SET input = ${text}, file_name = ${fileName}, file_namek = ${fold(fileName)} WHERE id = ${id}`),
  )
}

/** @throws `job.not_draft` */
export async function queueDraft(store: Uses<'db'>, id: number): Promise<void> {
  await changeDraft(store, id, (tx) => tx.run(sql`UPDATE jobs SET state = ${'queued'}, statek = ${fold('queued')} WHERE id = ${id}`))
  tellJobs(store.db, 'asked')
}

async function changeDraft(store: Uses<'db'>, id: number, change: (tx: Transaction) => Promise<unknown>): Promise<void> {
  await store.db.write(async (tx) => {
    const [row] = await tx.all(sql`SELECT state FROM jobs WHERE id = ${id}${store.db.dialect.forUpdate}`)
    if (!row) throw fail('resource.not_found', { type: 'job', id })
    if (row[0] !== 'draft') throw fail('job.not_draft')
    await change(tx)
  })
}

/** The bytes that a job works on. */
export async function inputFileOf({ db }: Uses<'db'>, id: number): Promise<StoredBytes> {
  const [rows] = await db.read(sql`SELECT input_file, total FROM jobs WHERE id = ${id}`)
  const [hash = '', size = 0] = rows![0] ?? []
  return { hash: String(hash), size: Number(size) }
}

/** Where a job is, as it was written last. */
export async function positionOf({ db }: Uses<'db'>, id: number): Promise<unknown> {
  const [rows] = await db.read(sql`SELECT position FROM jobs WHERE id = ${id}`)
  const text = String(rows![0]?.[0] ?? '')
  return text === '' ? undefined : (JSON.parse(text) as unknown)
}
