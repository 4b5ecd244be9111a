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

/** The content of the log for a change, as JSON text; `touched`: its attributes, each between bars: |f1||f2|. */
export function contentOf({ image }: RecordChange): { touched: string; content: string } {
  const content: Record<string, [Side, Side]> = {}
  const touched = new Set<string>()
  if (image) for (const [side, held] of [image.before, image.after].entries()) if (held) addSide(content, touched, held, side)
  return { touched: [...touched].map((one) => `|${one}|`).join(''), content: JSON.stringify(content) }
}

function addSide(content: Record<string, [Side, Side]>, touched: Set<string>, { values, attributes, files }: Held, side: number): void {
  for (const [name, value] of values) {
    const attribute = attributes.get(name)
    if (!attribute || isEmpty(attribute.type, value)) continue
    touched.add(name)
    const held = files.get(name)
    const entry = (content[attribute.column] ??= [null, null])
    entry[side] = held ? { files: held, value: String(value) } : sideOf(value)
  }
}

export const sideOf = (value: Stored): string | number => (typeof value === 'bigint' ? String(value) : value)
