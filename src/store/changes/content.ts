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
  const { before, after } = image ?? {}
  const entries: string[] = []
  let touched = ''
  for (const name of before?.values.keys() ?? []) {
    const [old, now] = [sideIn(before!, name), after && sideIn(after, name)]
    if (!old && !now) continue
    touched += `|${name}|`
    if (old && now && old.column !== now.column) entries.push(entry(old.column, old.side, 'null'), entry(now.column, 'null', now.side))
    else entries.push(entry((old ?? now)!.column, old?.side ?? 'null', now?.side ?? 'null'))
  }
  for (const name of after?.values.keys() ?? []) {
    if (before?.values.has(name)) continue
    const now = sideIn(after!, name)
    if (!now) continue
    touched += `|${name}|`
    entries.push(entry(now.column, 'null', now.side))
  }
  return { touched, content: `{${entries.join(',')}}` }
}

/** The names of columns need no escapes. */
const entry = (column: string, before: string, after: string): string => `"${column}":[${before},${after}]`

/** What is kept of an attribute, as JSON; undefined: nothing, since it is empty. */
function sideIn({ values, attributes, files }: Held, name: string): { column: string; side: string } | undefined {
  const [value, attribute] = [values.get(name), attributes.get(name)]
  if (value === undefined || !attribute || value === attribute.type.empty || isEmpty(attribute.type, value)) return undefined
  const held = files.get(name)
  return { column: attribute.column, side: JSON.stringify(held ? { files: held, value: String(value) } : sideOf(value)) }
}

export const sideOf = (value: Stored): string | number => (typeof value === 'bigint' ? String(value) : value)
