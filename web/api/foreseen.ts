import { send, type Document, type Resource } from './client.ts'
import { isSame, type Values } from './write-queue.ts'

/*
 * The version of the record in which an editor is open. Records of lists have no version (ETag), so a write would have to read its record first; it
 * is read while the person types, and the write is one request.
 */

interface Foreseen {
  readonly table: number
  readonly record: string
  answer?: Document<Resource>
}

let foreseen: Foreseen | undefined

/** A value of this record is about to be changed. */
export function foresee(table: number, record: string): void {
  const mine: Foreseen = { table, record }
  foreseen = mine
  send<Resource>('GET', `data${table}/${encodeURIComponent(record)}`).then(
    (answer) => (mine.answer = answer),
    // The write reads it, and tells what is wrong.
    () => undefined,
  )
}

/** The version, once, if it came and holds what the person saw of the attributes that they change. */
export function takeVersion(table: number, record: string, seen: Values): string | undefined {
  const known = foreseen
  foreseen = undefined
  if (known?.table !== table || known.record !== record || !known.answer) return undefined
  const { etag, data } = known.answer
  return Object.entries(seen).every(([name, value]) => isSame(data.attributes[name], value)) ? etag : undefined
}
