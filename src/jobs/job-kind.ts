import type { Caller } from '../store/model/access.ts'
import type { Catalogue } from '../store/model/catalogue.ts'
import type { Progress } from '../store/jobs/job-work.ts'
import type { Store } from '../store/ground/store.ts'
import type { Transaction } from '../store/ground/db.ts'

/*
 * The contract of a kind of job. A kind is added by one file here, and one row in kinds.ts.
 *
 * A job works in steps, each a short transaction, between which others write. Before each step, `running.goOn()` gives the caller with the rights of
 * that moment, and ends the job where it is to end. In the transaction of the step, `running.advance` writes how far the job is: so, whenever the
 * process ends, the next one goes on exactly behind the last step that was committed. All changes that are made as the caller of `goOn` are one
 * batch, also over restarts.
 */

/** I: what the job is to do; P: where it goes on. Both are JSON. */
export interface JobKind<I, P> {
  readonly name: string
  /** Where `POST /api/dev/job` can ask for it: the input that a client has sent as `input`. @throws Failure with the attribute `input` and a path */
  readonly read?: (sent: Readonly<Record<string, unknown>>, tableId: number) => I
  /** Whether it begins as a draft, which needs more before it is queued. */
  readonly isDraft?: true
  /** The table that it is about; 0: none. */
  tableOf(input: I): number
  /** @throws what the direct request would throw to a caller without the rights */
  allow(caller: Caller, catalogue: Catalogue, input: I): unknown
  /** Whether it goes on where its process ended; otherwise it is `interrupted` then. */
  readonly goesOn: boolean
  /** Does the work, from `running.position` on. Returns the last position. @throws Failure: the job has failed */
  run(running: Running<P>, input: I): Promise<P>
  /** What the job shows when it has ended, also where it was cancelled or has failed. `position`: the last one; undefined: it did nothing. */
  resultOf(position: P | undefined, batchId: number): Readonly<Record<string, unknown>>
  /** The name of the file that it reads; '': not told. */
  fileNameOf?(input: I): string
  /** The file that a job which is done offers (`GET …/result`); undefined: none. */
  fileOf?(input: I, position: P): JobFile | undefined
  /** @throws where the caller, who sees the job, may not see what is in its file */
  mayRead?(caller: Caller, catalogue: Catalogue, input: I, position: P): unknown
}

/** Stored bytes (`store.files`). They are kept as long as the job is. */
export interface JobFile {
  readonly hash: string
  /** Bytes. */
  readonly size: number
  readonly name: string
  readonly mimeType: string
}

/** What a job that runs has of the process that runs it. */
export interface Running<P> {
  readonly id: number
  /** For `advanceJob`, where a step is written by another thread. */
  readonly holder: string
  readonly store: Store
  /** Where it goes on; undefined: at its beginning. */
  readonly position: P | undefined
  /** Aborted when the work is to end: for what takes long without a step. */
  readonly signal: AbortSignal
  /** Why it is aborted: it was cancelled, or its process ends or has lost it. */
  readonly isCancelled: boolean
  readonly mustStop: boolean
  /**
   * To be called before each step. The caller, with their rights now, whose changes belong to the batch of the job.
   * @throws JobStopped where it is to end, `auth.token_invalid`; both are for the process that runs it
   */
  goOn(): Promise<Caller>
  /** Writes how far it is, in the transaction of the step; `undefined`: in one of its own. @throws JobLost */
  advance(tx: Transaction | undefined, progress: Progress & { readonly position: P }): Promise<void>
}

/** The work ends here: the job was cancelled, or the process ends and the job goes on in the next one. */
export class JobStopped extends Error {
  constructor() {
    super('The job is to end.')
    this.name = 'JobStopped'
  }
}
