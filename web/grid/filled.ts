import type { Resource } from '../api/client.ts'
import { isOfOneKind, type Field } from '../fields/field.ts'
import { series } from './fill.ts'
import type { Range } from './selection.ts'

export interface FilledCell {
  readonly record: Resource
  readonly field: Field
  readonly value: string
}

/**
 * What cells beside a range get from it, in whichever of the four directions `to` goes beyond `from`. `records`: those of the rows of both, from the
 * first one. `textOf`: a value as the service gives it; `readAs`: the same for a field of another type, if it can be read as one.
 */
export function filled(
  from: Range,
  to: Range,
  records: readonly Resource[],
  columns: readonly Field[],
  textOf: (record: Resource, field: Field) => string,
  readAs: (record: Resource, from: Field, to: Field) => string | undefined,
): FilledCell[] {
  const first = Math.min(from.top, to.top)
  const all = parts(from.top, from.bottom, to.top, to.bottom)
  const recordAt = (row: number) => records[row - first]!
  // The list may have become shorter since its length was read.
  const isThere = (row: number) => records[row - first] !== undefined
  const rows = { source: all.source.filter(isThere), rest: all.rest.filter(isThere) }
  if (rows.source.length === 0) return []
  if (rows.rest.length > 0)
    return columns.slice(from.left, from.right + 1).flatMap((field) => {
      const values = rows.source.map((row) => textOf(recordAt(row), field))
      return series(values, field.type, field.scale, rows.rest.length).map((value, i) => ({
        record: recordAt(rows.rest[i]!),
        field,
        value,
      }))
    })
  const cols = parts(from.left, from.right, to.left, to.right)
  const source = cols.source.map((col) => columns[col]!)
  const rest = cols.rest.flatMap((col) => columns[col] ?? [])
  const isOne = [...source, ...rest].every((field) => isOfOneKind(source[0]!, field) && field.scale === source[0]!.scale)
  return rows.source.flatMap((row) => {
    const record = recordAt(row)
    const next = isOne && series(source.map((field) => textOf(record, field)), source[0]!.type, source[0]!.scale, rest.length) // prettier-ignore
    return rest.flatMap((field, i) => {
      const of = source[i % source.length]!
      const value = next ? next[i] : isOfOneKind(of, field) ? textOf(record, of) : readAs(record, of, field)
      return value === undefined ? [] : [{ record, field, value }]
    })
  })
}

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
