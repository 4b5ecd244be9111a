import type { AdmittedWriter, WriterAccess } from '../../../store/ground/db.ts'
import type { StoreSettings } from '../../../store/ground/store.ts'
import type { Batch } from '../../../store/model/access.ts'
import { startThread } from '../../../store/scheduling/thread.ts'
import { explain, Refused, type Explanation } from '../../explain/explain.ts'
import type { BadLine, ImportCounts } from './import-lines.ts'
import type { Grow } from './list-options.ts'
import type { Plan } from './plan.ts'
import { Unreadable, type CsvOptions } from './read-csv.ts'

/*
 * An import in a thread of its own (import-thread.ts), so that no request waits for it: this thread only passes it the bytes of the
 * file, and passes on its output.
 */

/** The fewest bytes that are read ahead of the thread. */
const AHEAD = 1 << 20

/** MiB of the thread's young generation. Lines are garbage soon; without a limit the thread takes four times as much and is no faster. */
const YOUNG = 32

/** A plan that can be sent to a thread: columns have the id of their field of reference instead of the field. */
export interface SentPlan extends Omit<Plan, 'columns'> {
  readonly columns: readonly (Omit<Plan['columns'][number], 'reference'> & { readonly reference?: { tableId: number; id: number } })[]
}

/** What the thread is started with. */
export interface Task {
  readonly access: WriterAccess
  readonly settings: StoreSettings
  readonly plan: SentPlan
  readonly csv: CsvOptions
  readonly batch: Batch
}

/** Requests of the thread. Only one is open at a time, besides `more`, which asks for the next bytes early. */
export type Question =
  | { readonly more: true }
  | { readonly bad: BadLine }
  | { readonly now: ImportCounts; readonly bytes: number }
  | { readonly grow: { readonly attribute: string; readonly labels: readonly string[] } }
  | { readonly done: Omit<ImportCounts, 'stopped'>; readonly stopped?: Explanation & { readonly unreadable: boolean } }

export type ImportAnswer =
  | { readonly to: 'more'; readonly chunks: readonly Uint8Array[] }
  | { readonly to: 'more' | 'rest'; readonly failed: Explanation }
  | { readonly to: 'rest' }

/** As `importLines`, from the bytes of a file. */
export function importAside(
  store: { readonly settings: StoreSettings; readonly admitWriter: () => AdmittedWriter },
  batch: Batch,
  plan: Plan,
  csv: CsvOptions,
  bytes: AsyncIterator<Uint8Array>,
  report: (bad: BadLine) => Promise<void>,
  progress: (counts: ImportCounts, bytes: number) => Promise<void>,
  grow: Grow,
): Promise<ImportCounts> {
  const { access, ended } = store.admitWriter()
  const workerData: Task = { access, settings: plainSettings(store.settings), plan: sendable(plan), csv, batch }
  const worker = startThread(new URL('./import-thread.ts', import.meta.url), {
    workerData,
    transferList: [access.port],
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG },
  })
  const more = readAhead(bytes)
  const answer = async (question: Question): Promise<ImportAnswer> => {
    const to = 'more' in question ? 'more' : 'rest'
    try {
      if ('more' in question) return { to: 'more', chunks: await more() }
      if ('bad' in question) await report(question.bad)
      else if ('now' in question) await progress(question.now, question.bytes)
      else if ('grow' in question) await grow(question.grow.attribute, question.grow.labels)
      return { to: 'rest' }
    } catch (error) {
      return { to, failed: explain(error) }
    }
  }
  return new Promise((resolve, reject) => {
    let result: ImportCounts | undefined
    worker.on('message', (question: Question) => {
      if ('done' in question) result = countsOf(question)
      else void answer(question).then((answered) => worker.postMessage(answered))
    })
    worker.on('error', reject)
    worker.on('exit', async () => {
      // Its last messages may come after it has exited.
      await ended
      if (result) resolve(result)
      else reject(new Error('The thread of the import ended before the import.'))
    })
  })
}

function countsOf({ done, stopped }: Extract<Question, { done: unknown }>): ImportCounts {
  if (!stopped) return done
  return { ...done, stopped: stopped.unreadable ? new Unreadable(stopped.text) : new Refused(stopped) }
}

/** Only the settings of the store: other parts of the configuration may not be sendable to a thread. */
const plainSettings = ({
  timeZone,
  trashDays,
  auditDays,
  changeDays,
  deliveryDays,
  webhookHttp,
  webhookNetworks,
  tokenLifetime,
  tokenLifetimeMax,
  workers,
  queryTimeout,
}: StoreSettings): StoreSettings => ({
  timeZone,
  trashDays,
  auditDays,
  changeDays,
  deliveryDays,
  webhookHttp,
  webhookNetworks,
  tokenLifetime,
  tokenLifetimeMax,
  workers,
  queryTimeout,
})

const sendable = (plan: Plan): SentPlan => ({
  ...plan,
  columns: plan.columns.map(({ reference, ...column }) => ({
    ...column,
    ...(reference && { reference: { tableId: reference.tableId, id: reference.id } }),
  })),
})

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
