import { limits } from '../limits.ts'
import type { FileStorage } from '../store/files/file-storage.ts'
import { isJsonLines, readJsonLines } from './read-json-lines.ts'
import { readCsv, Unreadable, type CsvFile, type CsvOptions, type Line } from './read-csv.ts'
import { csvOfWorkbook, isWorkbook, spooledWorkbook, workbookAside } from './xlsx-aside.ts'
import type { Workbook } from './workbook-csv.ts'

/* A file that is imported, whichever way it came: CSV, JSON lines, or a workbook, which is read as CSV. */

/** What is said of a file; what is left out is found from its first bytes. */
export interface FileSaid {
  readonly sheet?: string
  readonly delimiter?: string
  readonly encoding?: string
  /** Written by an export that defuses formulas. */
  readonly defused?: boolean
}

export interface OpenFile {
  readonly csv: CsvFile
  /** How it is read again, as it was found now. */
  readonly options: CsvOptions
  /** Absent: the file is CSV. */
  readonly workbook: Workbook | undefined
  /** The names of the sheets of a workbook. */
  readonly sheets: readonly string[]
  /** What an import in a thread reads, from the beginning; called once. */
  source(): Promise<AsyncIterator<Uint8Array> | Workbook>
  close(): Promise<void>
}

/** The lines of a file that is no workbook. @throws Unreadable */
export const readLines = (input: AsyncIterable<Uint8Array>, { json, ...how }: CsvOptions): Promise<CsvFile> =>
  json === true ? readJsonLines(input, how.encoding) : readCsv(input, how)

/** Opens a file at its beginning; its bytes are read once. `end`: when it is aborted, reading a workbook ends with Unreadable. @throws Unreadable, `server.busy`, `server.disk_full` */
export async function openFile(
  files: Pick<FileStorage, 'spool'>,
  given: AsyncIterable<Uint8Array>,
  said: FileSaid,
  end?: AbortSignal,
): Promise<OpenFile> {
  const { sheet, ...how } = said
  const input = rereadable(given)
  const { value: begin } = await input[Symbol.asyncIterator]().next()
  const whole = { [Symbol.asyncIterator]: () => input.again() }
  if (!begin || !isWorkbook(begin)) {
    if (sheet !== undefined) {
      await input.end()
      throw new Unreadable('Sheets are in workbooks (.xlsx); this file is none.', 'So --sheet does not apply.')
    }
    // Where a delimiter is said, it is CSV.
    const json = how.delimiter === undefined && begin !== undefined && isJsonLines(begin)
    return opened(rereadable(whole), json ? { ...how, json } : how, undefined, [])
  }
  const workbook = await spooledWorkbook(files, whole, { ...(sheet !== undefined && { sheet }) }, end)
  const sheets: string[] = []
  const options = { ...csvOfWorkbook, ...(how.defused !== undefined && { defused: how.defused }) }
  return opened(rereadable(workbookAside(workbook, { named: (names) => sheets.push(...names), end })), options, workbook, sheets)
}

async function opened(
  bytes: Rereadable,
  how: CsvOptions,
  workbook: (Workbook & { close(): Promise<void> }) | undefined,
  sheets: readonly string[],
): Promise<OpenFile> {
  const close = async () => {
    await bytes.end()
    await workbook?.close()
  }
  try {
    const csv = await readLines(bytes, how)
    if (csv.header.length > limits.importColumns.most)
      throw new Unreadable(`The file has more than ${limits.importColumns.most} columns; is the character between values another one?`)
    return {
      csv,
      options: { ...how, ...(csv.json !== true && { delimiter: csv.delimiter }), encoding: csv.encoding },
      workbook,
      sheets,
      async source() {
        // The thread reads a workbook by itself.
        if (workbook) await bytes.end()
        return workbook ?? bytes.again()
      },
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

type Rereadable = AsyncIterable<Uint8Array> & { again(): AsyncIterator<Uint8Array>; end(): Promise<void> }

/** Bytes that can be read from the beginning once more. Only the bytes read before that are kept in memory. */
function rereadable(input: AsyncIterable<Uint8Array>): Rereadable {
  const rest = input[Symbol.asyncIterator]()
  let kept: Uint8Array[] | undefined = []
  return {
    async *[Symbol.asyncIterator]() {
      for (;;) {
        const { value, done } = await rest.next()
        if (done) return
        kept?.push(value)
        yield value
      }
    },
    async end() {
      await rest.return?.()
    },
    async *again() {
      const first = kept ?? []
      kept = undefined
      yield* first
      for (;;) {
        const { value, done } = await rest.next()
        if (done) return
        yield value
      }
    },
  }
}

/** Lines from which types are guessed, where there are so many. */
const SAMPLE = 1000
/** Characters of these lines, about. */
const SAMPLE_CHARACTERS = 8_388_608

/** The first lines, and the whole file to be read again; `isWhole`: there are no other lines. */
export async function peek(csv: CsvFile): Promise<{ sample: readonly Line[]; all: CsvFile; isWhole: boolean }> {
  const rest = csv.batches()
  const seen: (readonly Line[])[] = []
  let isWhole = false
  let characters = 0
  for (let lines = 0; lines < SAMPLE && characters < SAMPLE_CHARACTERS && !isWhole;) {
    const { value, done } = await rest.next()
    if (done) isWhole = true
    else {
      seen.push(value)
      lines += value.length
      characters += value.reduce((sum, { values }) => values.reduce((all, one) => all + one.length, sum), 0)
    }
  }
  return {
    isWhole,
    sample: seen.flat().slice(0, SAMPLE),
    all: {
      ...csv,
      async *batches() {
        yield* seen
        yield* rest
      },
    },
  }
}
