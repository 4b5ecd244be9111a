import type { FileStorage } from '../store/files/file-storage.ts'
import { startThread } from '../store/scheduling/thread.ts'
import { Unreadable, type CsvOptions } from './read-csv.ts'
import type { WorkbookOptions } from './read-xlsx.ts'
import { receivedError, type SentError } from './sent-error.ts'
import type { Workbook } from './workbook-csv.ts'

/*
 * The first rows of a workbook, or a small one, are read in a thread of its own; a large one by the thread that imports it. Its archive has its
 * directory at the end, so it is stored in a file before it is read.
 */

export type WorkbookMessage =
  | { readonly sheets: readonly string[] }
  | { readonly piece: Uint8Array }
  | { readonly end: true }
  | { readonly failed: SentError }

/** How the CSV of a workbook is read: each line is a row, as people see it numbered. */
export const csvOfWorkbook: CsvOptions = { encoding: 'utf-8', delimiter: ',', countsRows: true }

/** Whether a file that begins with these bytes is an archive, as a workbook is. */
export const isWorkbook = (begin: Uint8Array): boolean => begin[0] === 0x50 && begin[1] === 0x4b && begin[2] === 3 && begin[3] === 4

/** A workbook in files, which end with it. @throws `server.busy`, `server.disk_full` */
export async function spooledWorkbook(
  files: Pick<FileStorage, 'spool'>,
  bytes: AsyncIterable<Uint8Array>,
  options: WorkbookOptions,
  end?: AbortSignal,
): Promise<Workbook & { close(): Promise<void> }> {
  const [archive, texts] = [await files.spool(), await files.spool()]
  const close = async () => void (await Promise.all([archive.close(), texts.close()]))
  try {
    for await (const chunk of bytes) {
      if (end?.aborted === true) throw endedBy(end)
      await archive.write(chunk)
    }
  } catch (error) {
    await close()
    throw error
  }
  return { files: { descriptor: archive.descriptor, texts: texts.descriptor }, options, close }
}

/** MiB of the thread's young generation: what it reads is garbage soon. */
const YOUNG = 8
/** MiB of what it keeps: names of parts, styles, one row. */
const OLD = 256

const tooLarge = () => new Unreadable('Reading the workbook takes too much memory. Save it as CSV.')

/** Why reading ends before the end of a workbook: the reason of the signal. */
const endedBy = ({ reason }: AbortSignal) =>
  new Unreadable(
    reason instanceof DOMException && reason.name === 'TimeoutError'
      ? 'Reading the beginning of the workbook takes too long. Save it as CSV.'
      : 'Reading the workbook was stopped before its end.',
  )

/** The rows of a sheet as CSV. `named`: called with the names of all sheets, before the first row. @throws Unreadable, while it is read */
export async function* workbookAside(
  { files, options }: Workbook,
  { named, end }: { readonly named?: (sheets: readonly string[]) => void; readonly end?: AbortSignal | undefined } = {},
): AsyncGenerator<Uint8Array> {
  const worker = startThread(new URL('./xlsx-thread.ts', import.meta.url), {
    workerData: { files, options },
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG, maxOldGenerationSizeMb: OLD },
  })
  const messages: (WorkbookMessage | { readonly broken: Error })[] = []
  let arrived = () => {}
  const add = (message: (typeof messages)[number]) => {
    messages.push(message)
    arrived()
  }
  worker.on('message', (message: WorkbookMessage) => add(message))
  worker.on('error', (error) =>
    add({ broken: (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY' ? tooLarge() : (error as Error) }),
  )
  worker.on('exit', () => add({ broken: new Error('The thread that reads a workbook ended before its end.') }))
  const ended = () => add({ broken: endedBy(end!) })
  if (end?.aborted === true) ended()
  end?.addEventListener('abort', ended)
  try {
    for (;;) {
      while (messages.length === 0) await new Promise<void>((resolve) => (arrived = resolve))
      const message = messages.shift()!
      if ('end' in message) return
      if ('failed' in message) throw receivedError(message.failed)
      if ('broken' in message) throw message.broken
      if ('sheets' in message) {
        named?.(message.sheets)
        continue
      }
      worker.postMessage('taken')
      yield message.piece
    }
  } finally {
    end?.removeEventListener('abort', ended)
    // It may still read from the files, which are closed next.
    await worker.terminate()
  }
}
