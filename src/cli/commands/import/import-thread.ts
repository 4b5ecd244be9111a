import { randomBytes } from 'node:crypto'
import { getPriority, setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import { operator } from '../../../store/catalogue/administrator.ts'
import { openImportWriter } from '../../../store/open-import-writer.ts'
import type { Uses } from '../../../store/ground/store.ts'
import { explain, Refused } from '../../explain/explain.ts'
import type { ImportAnswer, Question, SentPlan, Task } from './import-aside.ts'
import { importLines, type ImportCounts } from './import-lines.ts'
import type { Plan } from './plan.ts'
import { readCsv, Unreadable } from './read-csv.ts'

/* The thread of an import (import-aside.ts). */

/** Batches between two progress reports. */
const NOW_AND_THEN = 20

/** Niceness of the thread. A process that was started with a higher one keeps it: only root may lower it. */
const PRIORITY = 5

const { access, settings, plan, csv, batch } = workerData as Task
/** The functions that wait for an answer, by the kind of question. */
const waiting = new Map<ImportAnswer['to'], (answer: ImportAnswer) => void>()
parentPort!.on('message', (answer: ImportAnswer) => waiting.get(answer.to)?.(answer))

/** Resolves when the question has been answered. @throws Refused where the other thread could not answer it, for example because the client has gone */
async function ask(question: Question): Promise<readonly Uint8Array[]> {
  const heard = new Promise<ImportAnswer>((resolve) => waiting.set('more' in question ? 'more' : 'rest', resolve))
  parentPort!.postMessage(question)
  const answer = await heard
  if ('failed' in answer) throw new Refused(answer.failed)
  return 'chunks' in answer ? answer.chunks : []
}

async function* file(): AsyncGenerator<Uint8Array> {
  const more = () => {
    const coming = ask({ more: true })
    coming.catch(() => {})
    return coming
  }
  for (let next = more(); ;) {
    const chunks = await next
    if (chunks.length === 0) return
    next = more()
    yield* chunks
  }
}

async function run(store: Uses<'db' | 'files' | 'environment' | 'settings' | 'context' | 'catalogue'>): Promise<ImportCounts> {
  const lines = await readCsv(file(), csv)
  let batches = 0
  return importLines(
    store,
    { ...operator, door: 'import', batch },
    planFor(store, plan),
    lines,
    async (bad) => void (await ask({ bad })),
    async (now, bytes) => void (batches++ % NOW_AND_THEN === 0 && (await ask({ now, bytes }))),
    async (attribute, labels) => {
      await ask({ grow: { attribute, labels } })
      // With the write lease, the catalogue is brought up to date.
      await store.db.write(async () => {})
    },
  )
}

const planFor = (store: Uses<'catalogue'>, { columns, ...rest }: SentPlan): Plan => ({
  ...rest,
  columns: columns.map(({ reference, ...column }) => {
    const field =
      reference &&
      store
        .catalogue()
        .tables.get(reference.tableId)
        ?.fields.find(({ id }) => id === reference.id)
    return { ...column, ...(field && { reference: field }) }
  }),
})

const told = (error: unknown) =>
  error instanceof Unreadable ? { text: error.message, usage: true, unreadable: true } : { ...explain(error), unreadable: false }

// Lowers the priority of this thread only: where the processor is busy, requests come first.
if (process.platform === 'linux' && getPriority() < PRIORITY) setPriority(PRIORITY)
const store = await openImportWriter(access, { now: () => Date.now(), randomBytes: (count) => randomBytes(count) }, settings)
const { stopped, ...done } = await run(store)
await store.close()
const end: Question = { done, ...(stopped !== undefined && { stopped: told(stopped) }) }
parentPort!.postMessage(end)
parentPort!.close()
