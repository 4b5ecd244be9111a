import type { AdmittedWriter, WriterAccess } from '../store/ground/db.ts'
import type { StoreSettings } from '../store/ground/store.ts'
import type { Caller } from '../store/model/access.ts'
import { startThread } from '../store/scheduling/thread.ts'
import type { BadLine, ImportCounts } from './import-lines.ts'
import type { Grow } from './list-options.ts'
import type { Plan } from './plan.ts'
import { Unreadable, type CsvOptions } from './read-csv.ts'
import type { KeptJob } from './keep-job.ts'
import { sendable, type SentPlan } from './sent-plan.ts'
import { receivedError, type SentError } from './sent-error.ts'
import type { Workbook } from './workbook-csv.ts'

/*
 * An import in a thread of its own (import-thread.ts), so that no request waits for it: this thread only passes it the bytes of the
 * file, and passes on its output.
 */

/** The fewest bytes that are read ahead of the thread. */
const AHEAD = 1 << 20

/** MiB of the thread's young generation. Lines are garbage soon; without a limit the thread takes four times as much and is no faster. */
const YOUNG = 8
/** MiB of what it keeps: lines of some batches, and the store. A line has at most 8,388,608 characters. */
const OLD = 1_024

const tooLarge = () => new Unreadable('Importing the file takes too much memory: its lines are too long.')

/** What the thread is started with. */
export interface Task {
  readonly access: WriterAccess
  readonly settings: StoreSettings
  readonly plan: SentPlan
  readonly csv: CsvOptions
  /** Read instead of the bytes that the other thread passes. */
  readonly workbook: Workbook | undefined
  readonly by: Caller
  /** Where the import is a job. */
  readonly job: KeptJob | undefined
}

/** Requests of the thread. Only one is open at a time, besides `more`, which asks for the next bytes early. */
export type Question =
  | { readonly more: true }
  | { readonly bad: BadLine }
  | { readonly now: ImportCounts; readonly bytes: number }
  | { readonly grow: { readonly attribute: string; readonly labels: readonly string[] } }
  | { readonly done: Omit<ImportCounts, 'stopped'>; readonly stopped?: SentError | 'asked' }

export type ImportAnswer =
  | { readonly to: 'more'; readonly chunks: readonly Uint8Array[] }
  | { readonly to: 'more' | 'rest'; readonly failed: true }
  | { readonly to: 'rest' }
  /** Nobody waits for the import any longer. */
  | { readonly to: 'end' }

/** As `importLines`, from the bytes of a file or from a workbook. When `end` is aborted, a workbook is not read further, and a job ends after its present batches. */
export function importAside(
  store: { readonly settings: StoreSettings; readonly admitWriter: () => AdmittedWriter },
  by: Caller,
  plan: Plan,
  csv: CsvOptions,
  source: AsyncIterator<Uint8Array> | Workbook,
  report: (bad: BadLine) => Promise<void>,
  progress: (counts: ImportCounts, bytes: number) => Promise<void>,
  grow: Grow,
  job?: KeptJob,
  end?: AbortSignal,
): Promise<ImportCounts> {
  const { access, ended } = store.admitWriter()
  const workbook = 'files' in source ? { files: source.files, options: source.options } : undefined
  const workerData: Task = { access, settings: plainSettings(store.settings), plan: sendable(plan), csv, workbook, by, job }
  const worker = startThread(new URL('./import-thread.ts', import.meta.url), {
    workerData,
    transferList: [access.port],
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG, maxOldGenerationSizeMb: OLD },
  })
  const more = 'files' in source ? async () => [] : readAhead(source)
  /** Why a question could not be answered: the import stops for that. */
  let fault: unknown
  const answer = async (question: Question): Promise<ImportAnswer> => {
    const to = 'more' in question ? 'more' : 'rest'
    try {
      if ('more' in question) return { to: 'more', chunks: await more() }
      if ('bad' in question) await report(question.bad)
      else if ('now' in question) await progress(question.now, question.bytes)
      else if ('grow' in question) await grow(question.grow.attribute, question.grow.labels)
      return { to: 'rest' }
    } catch (error) {
      fault = error
      return { to, failed: true }
    }
  }
  const stop = () => {
    fault ??= end!.reason
    worker.postMessage({ to: 'end' } satisfies ImportAnswer)
  }
  end?.addEventListener('abort', stop)
  if (end?.aborted === true) stop()
  return new Promise((resolve, reject) => {
    let result: ImportCounts | undefined
    worker.on('message', (question: Question) => {
      if ('done' in question) result = countsOf(question, fault)
      else void answer(question).then((answered) => worker.postMessage(answered))
    })
    worker.on('error', (error) => reject((error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY' ? tooLarge() : error))
    worker.on('exit', async () => {
      end?.removeEventListener('abort', stop)
      // Its last messages may come after it has exited.
      await ended
      if (result) resolve(result)
      else reject(new Error('The thread of the import ended before the import.'))
    })
  })
}

function countsOf({ done, stopped }: Extract<Question, { done: unknown }>, fault: unknown): ImportCounts {
  if (!stopped) return done
  return { ...done, stopped: stopped === 'asked' ? fault : receivedError(stopped) }
}

/** The settings of the store, each once: the compiler asks for those that are missing. */
const settingsOfStore: Readonly<Record<keyof StoreSettings, true>> = {
  timeZone: true,
  trashDays: true,
  auditDays: true,
  changeDays: true,
  deliveryDays: true,
  jobDays: true,
  webhookHttp: true,
  webhookNetworks: true,
  tokenLifetime: true,
  tokenLifetimeMax: true,
  linkLifetimeMax: true,
  workers: true,
  queryTimeout: true,
  listMemory: true,
  listedFrom: true,
  phoneCountry: true,
}

/** Without the other parts of the configuration, which may not be sendable to a thread. */
const plainSettings = (settings: StoreSettings): StoreSettings =>
  Object.fromEntries(Object.entries(settings).filter(([name]) => Object.hasOwn(settingsOfStore, name))) as unknown as StoreSettings

/** Each call returns the chunks that have been read since the last one, at least one; none at the end. */
function readAhead(bytes: AsyncIterator<Uint8Array>): () => Promise<Uint8Array[]> {
  let ready: Uint8Array[] = []
  let size = 0
  let ended = false
  let reading: Promise<void> | undefined

  async function read(): Promise<void> {
    while (!ended && size < AHEAD) {
      const { value, done } = await bytes.next()
      if (done) ended = true
      else {
        ready.push(value)
        size += value.length
        arrived()
      }
    }
  }

  let arrived = () => {}
  return async () => {
    const first = new Promise<void>((resolve) => (arrived = resolve))
    reading ??= read().finally(() => (reading = undefined))
    if (ready.length === 0) await Promise.race([first, reading])
    const taken = ready
    ready = []
    size = 0
    return taken
  }
}
