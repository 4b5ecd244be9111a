import { me, queries } from './queries.ts'
import { noteTold } from './told-values.ts'

/* Changes of others, as they happen. */

/** A change of a record, as the service tells it. */
export interface Change {
  readonly record: string
  readonly user: string
  readonly action: 'create' | 'update' | 'delete' | 'restore' | string
  /** What attributes hold since; null: too long to be sent along. */
  readonly values: Readonly<Record<string, unknown>> | null
}

interface Sent {
  readonly attributes: {
    readonly table_id: number
    readonly record_id: number
    readonly user_id: number | string | null
    readonly action: string
    readonly changes: Readonly<Record<string, { readonly to: unknown }>> | null
  }
}

interface Follower {
  readonly table: number
  onChange(change: Change): void
  onLost(): void
}

/** Milliseconds before a stream that was refused is asked for again. */
const PAUSE = 5000

const followers = new Set<Follower>()
let stream: { readonly source: EventSource; readonly tables: ReadonlySet<number>; isBegun: boolean } | undefined
let again: ReturnType<typeof setTimeout> | undefined
/** Of the last change that was told. */
let last: string | undefined
/** Changes may have been missed. */
let isLost = false
let isLooking = false

/**
 * Follows the changes of the records of a table while the page is in sight. All that follow share one stream: a browser has six connections for all
 * its tabs. `onLost`: changes may have been missed. Returns what ends it.
 */
export function follow(table: number, onChange: (change: Change) => void, onLost: () => void): () => void {
  if (followers.size === 0) document.addEventListener('visibilitychange', look)
  const follower = { table, onChange, onLost }
  followers.add(follower)
  lookSoon()
  return () => {
    followers.delete(follower)
    if (followers.size === 0) document.removeEventListener('visibilitychange', look)
    lookSoon()
  }
}

/** Of one page and the next, both of which follow the same, the stream is one. */
function lookSoon(): void {
  if (isLooking) return
  isLooking = true
  queueMicrotask(() => {
    isLooking = false
    look()
  })
}

function look(): void {
  if (followers.size === 0) {
    close()
    last = undefined
    isLost = false
  } else if (document.visibilityState === 'hidden') {
    isLost ||= stream?.isBegun === true && last === undefined
    close()
  } else {
    const tables = new Set([...followers].map(({ table }) => table))
    if (!stream || ![...tables].every((table) => stream!.tables.has(table))) open(tables)
  }
}

function close(): void {
  clearTimeout(again)
  stream?.source.close()
  stream = undefined
}

function open(tables: ReadonlySet<number>): void {
  clearTimeout(again)
  // One that follows fewer tables goes on until this one tells of all, so that nothing is missed.
  let before = stream?.source
  if (before && before.readyState !== EventSource.OPEN) {
    isLost ||= stream!.isBegun && last === undefined
    close()
    before = undefined
  }
  // What has been told was of other tables.
  if (stream && ![...tables].some((table) => stream!.tables.has(table))) last = undefined
  const after = before || last === undefined ? '' : `&after=${last}`
  const source = new EventSource(`/api/dev/events?tables=${[...tables].sort((a, b) => a - b).join()}${after}`)
  const opened = { source, tables, isBegun: false }
  stream = opened
  source.addEventListener('open', () => {
    opened.isBegun = true
    before?.close()
    before = undefined
    if (isLost) for (const { onLost } of followers) onLost()
    isLost = false
  })
  source.addEventListener('change', ({ data, lastEventId }: MessageEvent<string>) => tell(data, lastEventId))
  source.addEventListener('error', () => {
    // A browser comes back by itself, but not after a refusal, such as of a cursor that is too old.
    if (source.readyState !== EventSource.CLOSED || stream !== opened) return
    before?.close()
    stream = undefined
    last = undefined
    isLost = true
    again = setTimeout(look, PAUSE)
    // A stream does not tell why it was refused. If the session has ended, this request does, and the frame leads to the sign-in.
    void queries.invalidateQueries({ queryKey: me.queryKey })
  })
}

function tell(data: string, id: string): void {
  // The one before may have told it already.
  if (last !== undefined && Number(id) <= Number(last)) return
  last = id
  const { table_id, record_id, user_id, action, changes } = (JSON.parse(data) as Sent).attributes
  const values = changes && Object.fromEntries(Object.entries(changes).map(([name, { to }]) => [name, to]))
  if (values) noteTold(table_id, String(record_id), values)
  const change = { record: String(record_id), user: String(user_id ?? ''), action, values }
  for (const { table, onChange } of followers) if (table === table_id) onChange(change)
}
