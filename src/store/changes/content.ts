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
  let [touched, entries] = ['', '']
  // Put together as text: JSON.stringify of an object costs three times as much. The names of columns need no escapes.
  const add = (column: string, from: string, to: string) => (entries += `${entries && ','}"${column}":[${from},${to}]`)
  for (const [name, value] of before?.values ?? []) {
    const old = sideIn(before!, name, value)
    const now = after && sideIn(after, name, after.values.get(name))
    if (old === undefined && now === undefined) continue
    touched += `|${name}|`
    const [from, to] = [before!.attributes.get(name)?.column, after?.attributes.get(name)?.column]
    if (from === to || old === undefined || now === undefined) add((old === undefined ? to : from)!, old ?? 'null', now ?? 'null')
    else {
      add(from!, old, 'null')
      add(to!, 'null', now)
    }
  }
  for (const [name, value] of after?.values ?? []) {
    if (before?.values.has(name)) continue
    const now = sideIn(after!, name, value)
    if (now === undefined) continue
    touched += `|${name}|`
    add(after!.attributes.get(name)!.column, 'null', now)
  }
  return { touched, content: `{${entries}}` }
}

/** What is kept of the value of an attribute, as JSON; undefined: nothing, since it is empty. */
function sideIn({ attributes, files }: Held, name: string, value: Stored | undefined): string | undefined {
  const attribute = attributes.get(name)
  if (value === undefined || !attribute || isEmpty(attribute.type, value)) return undefined
  const held = files.size > 0 ? files.get(name) : undefined
  if (held) return JSON.stringify({ files: held, value: String(value) })
  if (typeof value === 'number') return String(value)
  const text = String(value)
  return ESCAPED.test(text) ? JSON.stringify(text) : `"${text}"`
}

/** What may need an escape in JSON; no text that is stored has half a surrogate pair. */
const ESCAPED = /["\\\p{Cc}]/u

export const sideOf = (value: Stored): string | number => (typeof value === 'bigint' ? String(value) : value)
