import type { Failure } from '../errors.ts'
import type { FileObject, Sent, SentAttributes } from '../store/model/sent.ts'

/** Values of a write as JSON, as the row of a job keeps them. */
export type SentJson = Readonly<Record<string, string | readonly string[] | readonly FileObject[]>>

/** What the row of a job can keep of a write; undefined: it has contents of files that are not in memory. @throws what is wrong with a value */
export function keptOf(sent: SentAttributes): SentJson | undefined {
  const entries = [...sent]
  for (const [, value] of entries) if (value instanceof Error) throw value
  const fits = entries.every(([, value]) => isKept(value))
  return fits ? (Object.fromEntries(entries) as SentJson) : undefined
}

const isKept = (value: Sent): boolean =>
  !Array.isArray(value) || value.every((one: string | FileObject) => typeof one === 'string' || typeof one.content === 'string')

/** The values in the input of a job. */
export function readSent(attributes: unknown, refuse: (path: string, why: string) => Failure): SentJson {
  if (typeof attributes !== 'object' || attributes === null || Array.isArray(attributes))
    throw refuse('attributes', 'The attributes are an object.')
  const read = Object.entries(attributes as object).map(([name, value]: [string, unknown]) => {
    const one = Array.isArray(value) ? value.map(scalar) : scalar(value)
    if (one === undefined || (Array.isArray(one) && one.includes(undefined)))
      throw refuse('attributes', `The value of '${name.slice(0, 100)}' is a string, a number, true, false, null or an array of these.`)
    return [name, one] as const
  })
  return Object.fromEntries(read) as SentJson
}

function scalar(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  if (typeof value === 'number') return /e/.test(String(value)) ? undefined : String(value)
  if (typeof value === 'boolean') return value ? '1' : '0'
  return value === null ? '' : undefined
}
