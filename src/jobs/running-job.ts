import { fail } from '../errors.ts'
import { operator } from '../store/catalogue/administrator.ts'
import { sharedBatch } from '../store/changes/batches.ts'
import { leaseOf, RENEW, type Lease } from '../store/ground/lease.ts'
import type { Transaction } from '../store/ground/db.ts'
import type { Store } from '../store/ground/store.ts'
import { advanceJob, committedOf, isCancelled, type HeldJob, type Progress } from '../store/jobs/job-work.ts'
import { selfOf, type Batch, type Caller } from '../store/model/access.ts'
import { callersNow } from '../store/people/authenticate.ts'
import { JobStopped, type Running } from './job-kind.ts'

/** Milliseconds after which a job that has not come further looks whether it was cancelled. */
const LOOK = 1_000

/** A job that this process runs. */
export class RunningJob implements Running<unknown> {
  readonly id: number
  readonly store: Store
  readonly job: HeldJob
  /** The last position that was written. */
  last: unknown
  isCancelled: boolean
  mustStop = false
  readonly holder: string
  readonly #batch: Batch
  readonly #ending = new AbortController()
  readonly #lease: Lease
  readonly #timer: NodeJS.Timeout | undefined
  #looked: number
  #done: number
  #total: number | null

  constructor(store: Store, job: HeldJob, holder: string) {
    this.id = job.id
    this.store = store
    this.job = job
    this.last = job.position
    this.isCancelled = job.cancelAsked
    this.holder = holder
    this.#batch = sharedBatch(0, job.batchId, job.id)
    this.#looked = store.environment.now()
    this.#done = job.done
    this.#total = job.total
    const row = { table: 'jobs', id: job.id }
    this.#lease = leaseOf(store, row, () => this.stop(), holder)
    const renew = () => void this.#lease.hold().catch(() => undefined)
    renew()
    if (store.db.dialect.shared) this.#timer = setInterval(renew, RENEW).unref()
  }

  get position(): unknown {
    return this.last
  }

  get signal(): AbortSignal {
    return this.#ending.signal
  }

  get progress(): { readonly done: number; readonly total: number | null } {
    return { done: this.#done, total: this.#total }
  }

  /** Has it end before its next step. */
  end(): void {
    this.#ending.abort()
  }

  /** The same, where another process goes on with it. */
  stop(): void {
    this.mustStop = true
    this.end()
  }

  /** The row is released or finished by whoever runs it. */
  close(): void {
    clearInterval(this.#timer)
    this.#ending.abort()
  }

  async goOn(): Promise<Caller> {
    const { store, job } = this
    const now = store.environment.now()
    if (!this.isCancelled && Math.abs(now - this.#looked) >= LOOK) await this.look()
    if (this.isCancelled) this.end()
    if (this.signal.aborted) throw new JobStopped()
    await store.catchUp?.()
    const found = job.tokenId === 0 ? operator : (await callersNow(store, [job.tokenId])).get(job.tokenId)
    const caller = found && selfOf(found)
    if (!caller || caller.userId !== job.userId) throw fail('auth.token_invalid')
    return { ...caller, batch: this.#batch }
  }

  /** Looks whether it was cancelled: then what it reads ends at once. @throws JobLost */
  async look(): Promise<void> {
    this.#looked = this.store.environment.now()
    this.isCancelled ||= await isCancelled(this.store, this.id, this.holder)
    if (this.isCancelled) this.end()
  }

  /** Takes what is committed as what was done: a step that was undone told of itself before. @throws JobLost */
  async goBack(): Promise<void> {
    const { done, total, position, batchId } = await committedOf(this.store, this.id, this.holder)
    this.last = position
    this.#done = done
    this.#total = total
    this.#batch.id[0] = batchId
  }

  async advance(tx: Transaction | undefined, progress: Progress): Promise<void> {
    const isToEnd = await (tx
      ? advanceJob(tx, this.id, this.holder, progress)
      : this.store.db.write((own) => advanceJob(own, this.id, this.holder, progress)))
    this.#looked = this.store.environment.now()
    this.#done = progress.done
    this.#total = progress.total
    this.last = progress.position
    if (isToEnd) this.isCancelled = true
  }
}
