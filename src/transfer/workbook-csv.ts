import { readXlsx, type WorkbookFiles, type WorkbookOptions } from './read-xlsx.ts'

/** A workbook that can be read: by a thread, since parsing takes long. */
export interface Workbook {
  readonly files: WorkbookFiles
  readonly options: WorkbookOptions
}

/** The rows of a sheet as CSV, a line for each: so the import knows one form of lines. `isEnded`: as of readXlsx. @throws Unreadable, Ended */
export async function* workbookCsv(
  { files, options }: Workbook,
  named?: (sheets: readonly string[]) => void,
  isEnded?: () => boolean,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  let width = 0
  for await (const rows of readXlsx(files, options, named, isEnded)) {
    let text = ''
    for (const values of rows) {
      // The first row that is there has the names of the columns; cells at the end of a row may be left out.
      width ||= values.length
      text += values.length === 0 ? '\n' : `${values.map(cell).join(',')}${','.repeat(Math.max(0, width - values.length))}\n`
    }
    yield new TextEncoder().encode(text)
  }
}

const cell = (value: string): string => (/[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value)
