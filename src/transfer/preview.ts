import type { Caller } from '../store/model/access.ts'
import type { Uses } from '../store/ground/store.ts'
import { linesAre, type LinesAre } from './kept-ids.ts'
import type { Plan } from './plan.ts'
import { intend, type ImportOptions, type Intended } from './intend.ts'
import type { CsvFile } from './read-csv.ts'
import { openFile, peek, type FileSaid } from './open-file.ts'

/** The beginning of a file, and what an import would make of it. */
export interface Preview {
  readonly format: 'csv' | 'jsonl' | 'xlsx'
  readonly encoding: string
  readonly delimiter: string
  /** The names of the sheets of a workbook. */
  readonly sheets: readonly string[]
  readonly header: readonly string[]
  readonly rows: readonly { readonly line: number; readonly values: readonly string[] }[]
  readonly columns: readonly Intended[]
  /** What lines say of the records beside their fields. */
  readonly lines: Pick<Plan, 'ids' | 'updateBy'>
}

/** Lines that are shown. */
const SHOWN = 50

/** The table that a file is imported into; without an id the table that is made. */
export interface Into {
  readonly tableId: number | undefined
  readonly title: string
  readonly lines: LinesAre
}

/**
 * Reads the beginning of a file and changes nothing. `ask`: called with the columns.
 * @throws Unreadable, Unfit, `server.busy`, `server.disk_full`
 */
export async function previewOf(
  store: Uses<'db' | 'files' | 'context' | 'catalogue'>,
  by: Caller,
  into: Into,
  bytes: AsyncIterable<Uint8Array>,
  said: FileSaid,
  ask: (file: Pick<CsvFile, 'header' | 'json'>) => ImportOptions,
  end?: AbortSignal,
): Promise<Preview> {
  const file = await openFile(store.files, bytes, said, end)
  try {
    const { header, delimiter, encoding } = file.csv
    const { sample } = await peek(file.csv)
    const columns = intend(store, by, into.tableId, into.title, file.csv, sample, ask(file.csv))
    return {
      format: file.workbook ? 'xlsx' : file.csv.json === true ? 'jsonl' : 'csv',
      encoding,
      delimiter,
      sheets: file.sheets,
      header,
      rows: sample.slice(0, SHOWN).map(({ number, values }) => ({ line: number, values })),
      columns,
      lines: await linesAre(store, by, into.tableId, columns, into.lines),
    }
  } finally {
    await file.close()
  }
}
