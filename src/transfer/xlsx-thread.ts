import { parentPort, workerData } from 'node:worker_threads'
import { sentError } from './sent-error.ts'
import { workbookCsv, type Workbook } from './workbook-csv.ts'
import type { WorkbookMessage } from './xlsx-aside.ts'

/* The thread that reads a workbook (xlsx-aside.ts). It sends a piece when the one before the last was taken. */

let taken = 1
let wake = () => {}
parentPort!.on('message', () => {
  taken++
  wake()
})

const named = (sheets: readonly string[]): void => parentPort!.postMessage({ sheets } satisfies WorkbookMessage)

async function run(): Promise<void> {
  for await (const piece of workbookCsv(workerData as Workbook, named)) {
    while (taken === 0) await new Promise<void>((resolve) => (wake = resolve))
    taken--
    const message: WorkbookMessage = { piece }
    parentPort!.postMessage(message, [piece.buffer])
  }
}

const end: WorkbookMessage = await run().then(
  () => ({ end: true }),
  (error: unknown) => ({ failed: sentError(error) }),
)
parentPort!.postMessage(end)
parentPort!.close()
