import type { Resource } from '../api/client.ts'
import { isOfOneKind, type Field } from '../fields/field.ts'
import { series } from './fill.ts'
import type { PastedCell } from './pasting.ts'
import type { Range } from './selection.ts'

/**
 * What cells beside a range get from it, in whichever of the four directions `to` goes beyond `from`. `records`: those of the rows of both, from the
 * first one. `textOf`: a value as the service gives it; `readAs`: the same for a field of another type, or why it
 * is none.
 */
export function filled(
  from: Range,
  to: Range,
  records: readonly Resource[],
  columns: readonly Field[],
  textOf: (record: Resource, field: Field) => string,
  readAs: (record: Resource, from: Field, to: Field) => Pick<PastedCell, 'text' | 'value' | 'wrong'>,
): PastedCell[] {
  const first = Math.min(from.top, to.top)
  const all = parts(from.top, from.bottom, to.top, to.bottom)
  const recordAt = (row: number) => records[row - first]!
  // The list may have become shorter since its length was read.
  const isThere = (row: number) => records[row - first] !== undefined
  const rows = { source: all.source.filter(isThere), rest: all.rest.filter(isThere) }
  if (rows.source.length === 0) return []
  if (rows.rest.length > 0)
    return columns.slice(from.left, from.right + 1).flatMap((field, i) => {
      const values = rows.source.map((row) => textOf(recordAt(row), field))
      return series(values, field.type, field.scale, rows.rest.length).map((value, at) => ({
        row: rows.rest[at]! - first,
        col: from.left + i,
        field,
        ...own(value),
      }))
    })
  const cols = parts(from.left, from.right, to.left, to.right)
  const source = cols.source.map((col) => columns[col]!)
  const rest = cols.rest.filter((col) => columns[col] !== undefined)
  const isOne = [...source, ...rest.map((col) => columns[col]!)].every(
    (field) => isOfOneKind(source[0]!, field) && field.scale === source[0]!.scale,
  )
  return rows.source.flatMap((row) => {
    const record = recordAt(row)
    const next = isOne && series(source.map((field) => textOf(record, field)), source[0]!.type, source[0]!.scale, rest.length) // prettier-ignore
    return rest.map((col, i) => {
      const field = columns[col]!
      const of = source[i % source.length]!
      const put = next ? own(next[i]!) : isOfOneKind(of, field) ? own(textOf(record, of)) : readAs(record, of, field)
      return { row: row - first, col, field, ...put }
    })
  })
}

/** A value that need not be read from text. */
const own = (value: string) => ({ text: value, value, isOwn: true as const })

/** Which lines are the source, and which get something: both in the direction in which they are filled. */
function parts(
  from: number,
  end: number,
  to: number,
  toEnd: number,
): { readonly source: readonly number[]; readonly rest: readonly number[] } {
  const lines = (first: number, last: number) => Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => first + i)
  if (to < from) return { source: lines(from, end).toReversed(), rest: lines(to, from - 1).toReversed() }
  return { source: lines(from, end), rest: lines(end + 1, toEnd) }
}
