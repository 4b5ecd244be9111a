import type { Range } from './selection.ts'

/* Cells as text between spreadsheets: lines of cells parted by tabs, in quotation marks where a cell has a tab, a line end or such a mark at its beginning. */

/** The most cells that are read of what is pasted. */
const MOST_PASTED = 100_000
/** The most rows that are copied, pasted, filled or emptied at once. */
export const MOST_ROWS = 10_000

export const toTsv = (rows: readonly (readonly string[])[]): string => rows.map((cells) => cells.map(quoted).join('\t')).join('\r\n')

const quoted = (text: string): string => (/[\t\r\n]/.test(text) || text.startsWith('"') ? `"${text.replaceAll('"', '""')}"` : text)

/** As spreadsheets write it. Linear in the length of the text. */
export function fromTsv(text: string): string[][] {
  const rows: string[][] = [[]]
  let i = 0
  let cells = 0
  while (i <= text.length && cells < MOST_PASTED) {
    let cell = ''
    if (text[i] === '"' && closes(text, i)) {
      for (i++; i < text.length; i++) {
        if (text[i] !== '"') cell += text[i]
        else if (text[i + 1] === '"') cell += text[i++]
        else break
      }
      i++
    } else {
      const start = i
      while (i < text.length && text[i] !== '\t' && text[i] !== '\r' && text[i] !== '\n') i++
      cell = text.slice(start, i)
    }
    rows.at(-1)!.push(cell)
    cells++
    if (i >= text.length) break
    if (text[i] === '\t') i++
    else {
      i += text[i] === '\r' && text[i + 1] === '\n' ? 2 : 1
      // Most spreadsheets end the last line too.
      if (i >= text.length) break
      rows.push([])
    }
  }
  return rows
}

/** Whether the mark begins a cell in quotation marks: its end is the end of the cell. A cell may also just begin with such a mark. */
function closes(text: string, start: number): boolean {
  for (let i = start + 1; i < text.length; i++) {
    if (text[i] !== '"') continue
    if (text[i + 1] === '"') i++
    else return i + 1 === text.length || /[\t\r\n]/.test(text[i + 1]!)
  }
  return false
}

/** The same as a table, for programs that keep more than text. */
export const toHtml = (rows: readonly (readonly string[])[]): string =>
  `<table>${rows.map((cells) => `<tr>${cells.map((text) => `<td>${escaped(text)}</td>`).join('')}</tr>`).join('')}</table>`

const escaped = (text: string): string =>
  text.replace(/[&<>"]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[sign] ?? '&quot;').replace(/\r?\n/g, '<br>')

/** What is said of a paste that is too large to be looked at; undefined: it is not. */
export function pastedBeyond(
  cells: readonly (readonly string[])[],
  { top, bottom, left, right }: Range,
): readonly ['tooManyRows' | 'tooManyCells', { readonly count: number }] | undefined {
  const wide = Math.max(0, ...cells.slice(0, MOST_ROWS).map((row) => row.length))
  const rows = repeats(cells.length, bottom - top + 1)
  if (rows > MOST_ROWS) return ['tooManyRows', { count: MOST_ROWS }]
  return rows * repeats(wide, right - left + 1) >= MOST_PASTED ? ['tooManyCells', { count: MOST_PASTED }] : undefined
}

/** What is pasted fills a range into which it fits a whole number of times. */
export const repeats = (size: number, room: number): number => (room > size && room % size === 0 ? room : size)
