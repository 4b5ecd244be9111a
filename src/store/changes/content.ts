import type { Stored } from '../../fields/field-type.ts'
import { isEmpty } from '../../fields/value.ts'
import type { Held, HeldFile, RecordChange } from '../ground/changes.ts'

/*
 * What the log keeps of a change: by column of the record, what it held before and holds after; `null` for nothing. A column stands for
 * one field with one type: a field whose type changes gets another column. Values are column contents, whole numbers beyond 2^53 as
 * decimal text. Attributes that are empty before and after are left out.
 */

/** By column. */
export type Content = Readonly<Record<string, Entry>>
export type Entry = readonly [before: Side, after: Side]
/** The value, with the files of a file field; null: the record, or the column, was not there or it was empty. */
export type Side = string | number | null | { readonly files: readonly HeldFile[]; readonly value: string }

/** The content of the log for a change, as JSON text. */
export const contentOf = ({ image }: RecordChange): { touched: string; content: string } => {
  const content: Record<string, [Side, Side]> = {}
  if (image) {
    addSide(content, image.before, 0)
    addSide(content, image.after, 1)
  }
  const columns = Object.keys(content)
  return { touched: columns.length === 0 ? '' : `|${columns.join('||')}|`, content: JSON.stringify(content) }
}

function addSide(content: Record<string, [Side, Side]>, held: Held | undefined, side: 0 | 1): void {
  if (!held) return
  for (const [name, value] of held.values) {
    const attribute = held.attributes.get(name)
    if (!attribute || isEmpty(attribute.type, value)) continue
    const files = held.files.get(name)
    const entry = (content[attribute.column] ??= [null, null])
    entry[side] = files ? { files, value: String(value) } : sideOf(value)
  }
}

const sideOf = (value: Stored): string | number => (typeof value === 'bigint' ? String(value) : value)
