import { randomBytes } from 'node:crypto'
import { getPriority, setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import { openImportWriter } from '../store/open-import-writer.ts'
import type { Uses } from '../store/ground/store.ts'
import type { ImportAnswer, Question, Task } from './import-aside.ts'
import { importLines, type ImportCounts } from './import-lines.ts'
import { keeperOf } from './keep-job.ts'
import { readLines } from './open-file.ts'
import { planFor } from './sent-plan.ts'
import { Ended } from './read-xlsx.ts'
import { sentError } from './sent-error.ts'
import { workbookCsv } from './workbook-csv.ts'

/* The thread of an import (import-aside.ts). */

/** Batches between two progress reports. */
const NOW_AND_THEN = 20

/** Niceness of the thread. A process that was started with a higher one keeps it: only root may lower it. */
const PRIORITY = 5

const { access, settings, plan, csv, workbook, by, job } = workerData as Task
/** The functions that wait for an answer, by the kind of question. */
const waiting = new Map<ImportAnswer['to'], (answer: ImportAnswer) => void>()
/** Whether the reading of a workbook, or a job, is to end before its end. */
let hasEnded = false
parentPort!.on('message', (answer: ImportAnswer) => {
  if (answer.to === 'end') hasEnded = true
  else waiting.get(answer.to)?.(answer)
})

/** The other thread could not answer a question, for example because the client has gone; it knows why. */
class Unanswered extends Error {}

/** Resolves when the question has been answered. @throws Unanswered */
async function ask(question: Question): Promise<readonly Uint8Array[]> {
  const heard = new Promise<ImportAnswer>((resolve) => waiting.set('more' in question ? 'more' : 'rest', resolve))
  parentPort!.postMessage(question)
  const answer = await heard
  if ('failed' in answer) throw new Unanswered()
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
  const lines = await readLines(workbook ? workbookCsv(workbook, undefined, () => hasEnded) : file(), csv)
  let batches = 0
  return importLines(
    store,
    by,
    planFor(store, plan),
    lines,
    async (bad) => void (await ask({ bad })),
    async (now, bytes) => {
      if (hasEnded && job) throw new Ended()
      if (batches++ % NOW_AND_THEN === 0) await ask({ now, bytes })
    },
    async (attribute, labels) => {
      await ask({ grow: { attribute, labels } })
      // With the write lease, the catalogue is brought up to date.
      await store.db.write(async () => {})
    },
    job && keeperOf(job, by.batch),
  )
}

// Lowers the priority of this thread only: where the processor is busy, requests come first.
if (process.platform === 'linux' && getPriority() < PRIORITY) setPriority(PRIORITY)
const store = await openImportWriter(access, { now: () => Date.now(), randomBytes: (count) => randomBytes(count) }, settings)
const { stopped, ...done } = await run(store)
await store.close()
const end: Question = {
  done,
  ...(stopped !== undefined && { stopped: stopped instanceof Unanswered || stopped instanceof Ended ? 'asked' : sentError(stopped) }),
}
parentPort!.postMessage(end)
parentPort!.close()
