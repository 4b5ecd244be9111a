import type { Field } from '../fields/field.ts'
import type { ReadContext } from '../fields/field-type.ts'
import { typeOf } from '../fields/types.ts'
import type { Range } from './selection.ts'

/* What becomes of cells that are pasted. */

/** What was copied here last: its values need not be read from text. */
export interface Copied {
  readonly text: string
  readonly fields: readonly Field[]
  readonly values: readonly (readonly string[])[]
}

export interface PastedCell {
  /** From the first row of the range. */
  readonly row: number
  /** From the first column of the table. */
  readonly col: number
  readonly field: Field
  readonly value: unknown
  /** What was pasted. */
  readonly text: string
  /** In words: why it does not fit. */
  readonly wrong?: string
}

/** The cells that a paste at `range` means. One cell, or one that fits a whole number of times, fills the range. Columns that may not be set are passed over. */
export function pasted(
  cells: readonly (readonly string[])[],
  range: Range,
  columns: readonly Field[],
  copied: Copied | undefined,
  context: ReadContext,
): PastedCell[] {
  const wide = Math.max(...cells.map((row) => row.length))
  const rows = repeats(cells.length, range.bottom - range.top + 1)
  const cols = repeats(wide, range.right - range.left + 1)
  const found: PastedCell[] = []
  for (let row = 0; row < rows; row++)
    for (let i = 0; i < cols; i++) {
      const field = columns[range.left + i]
      const text = cells[row % cells.length]![i % wide]
      if (!field || text === undefined || !field.maySet || !typeOf(field).Editor) continue
      const from = copied?.fields[i % wide]
      const isSame = from && from.type === field.type && from.target === field.target && (from.name === field.name || !hasOptions(field))
      const read = isSame ? { value: copied!.values[row % cells.length]![i % wide]! } : typeOf(field).read(text, field, context)
      const place = { row, col: range.left + i, field, text }
      found.push('error' in read ? { ...place, value: undefined, wrong: read.error } : { ...place, value: read.value })
    }
  return found
}

const hasOptions = ({ options }: Field) => options.length > 0

const repeats = (size: number, room: number): number => (room > size && room % size === 0 ? room : size)
