import type { Document, Resource } from './documents.ts'

/*
 * What the stream of changes has told lately. An answer may come after the stream has told a change that it does not have yet, since both take ways
 * of their own: what was told after the position of the answer is newer, and the stream tells all changes in their order. Of an answer without a
 * position, what was told since it was asked for.
 */

interface Told {
  readonly at: number
  /** Its position in the log. */
  readonly id: number
  readonly value: unknown
}

/** Milliseconds for which it is kept: no answer takes longer. */
const KEPT = 60_000
/** Records of which it is kept, at most. */
const MOST = 2000
/** Characters of a value that is kept; of longer ones the list has what it was answered. */
const LONGEST = 2000

/** By type and id of the record, and by attribute; what was told last comes last. */
const records = new Map<string, Map<string, Told>>()

/** Milliseconds: of requests and of what was told. */
export const clock = (): number => performance.now()

export function noteTold(table: number, record: string, values: Readonly<Record<string, unknown>>, id: number): void {
  const key = `data${table} ${record}`
  const at = clock()
  const told = records.get(key) ?? new Map<string, Told>()
  for (const [name, value] of Object.entries(values)) if (String(value).length <= LONGEST) told.set(name, { at, id, value })
  if (told.size === 0) return
  records.delete(key)
  records.set(key, told)
  for (const [oldest, ofIt] of records) {
    if (records.size <= MOST && Math.max(...Array.from(ofIt.values(), (one) => one.at)) > at - KEPT) break
    records.delete(oldest)
  }
}

/** Another person may sit down here. */
export const forgetTold = (): void => records.clear()

/** An answer of records, with what was told of them since it was asked for. */
export function withTold<Data>(answer: Document<Data>): Document<Data> {
  const { data, included, askedAt, cursor } = answer
  if (records.size === 0 || (askedAt === undefined && cursor === undefined)) return answer
  const isNewer = ({ at, id }: Told) => (cursor === undefined ? at > askedAt! : id > cursor)
  const newest = (one: Resource) => recordWithTold(one, isNewer)
  // Other resources have types of their own, of which nothing is told.
  const all = Array.isArray(data) ? (data as Resource[]).map(newest) : isResource(data) ? newest(data) : data
  return { ...answer, data: all as Data, ...(included && { included: included.map(newest) }) }
}

const isResource = (data: unknown): data is Resource => typeof data === 'object' && data !== null && 'attributes' in data

function recordWithTold(record: Resource, isNewer: (told: Told) => boolean): Resource {
  const told = records.get(`${record.type} ${record.id}`)
  if (!told || !record.attributes) return record
  const newer = [...told].filter(([name, one]) => isNewer(one) && Object.hasOwn(record.attributes, name))
  if (newer.length === 0) return record
  return { ...record, attributes: { ...record.attributes, ...Object.fromEntries(newer.map(([name, { value }]) => [name, value])) } }
}
