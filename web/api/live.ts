import { forgetPositions, noteTold, positionOf, setFollowed, whenRead } from './log-positions.ts'
import { me, queries } from './queries.ts'
import { noteTold as noteValues } from './told-values.ts'

/* Changes of others, as they happen. */

/** A change of a record, as the service tells it. */
export interface Change {
  /** Its position in the log. */
  readonly id: number
  readonly record: string
  readonly user: string
  readonly action: 'create' | 'update' | 'delete' | 'restore' | string
  /** What attributes hold since; null: too long to be sent along. */
  readonly values: Readonly<Record<string, unknown>> | null
  /** When it was written. */
  readonly at: string
}

interface Sent {
  readonly attributes: {
    readonly table_id: number
    readonly record_id: number
    readonly user_id: number | string | null
    readonly action: string
    readonly made_at: string
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
/** Milliseconds for which a stream waits for what it begins with: the first answer about its tables. */
const PATIENCE = 2000
/** Milliseconds out of sight after which all is read again: what was changed meanwhile may be much. */
const LONG = 300_000

interface Stream {
  readonly source: EventSource
  /** Of which it tells from a position on that misses nothing. */
  readonly tables: Set<number>
  isBegun: boolean
}

const followers = new Set<Follower>()
let stream: Stream | undefined
let again: ReturnType<typeof setTimeout> | undefined
let patience: ReturnType<typeof setTimeout> | undefined
/** Changes may have been missed. */
let isLost = false
let isLooking = false
let hiddenAt: number | undefined

/**
 * Follows the changes of the records of a table while the page is in sight, from where it was read (log-positions.ts). All that follow share one stream: a
 * browser has six connections for all its tabs. `onLost`: changes may have been missed. Returns what ends it.
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

whenRead((table) => {
  // What it tells of this table does not begin where it must.
  stream?.tables.delete(table)
  if (again === undefined) lookSoon()
})

/** Of one page and the next, both of which follow the same, the stream is one. */
function lookSoon(): void {
  if (isLooking) return
  isLooking = true
  queueMicrotask(() => {
    isLooking = false
    look()
  })
}

const wantedTables = (): Set<number> => new Set([...followers].map(({ table }) => table))

function look(): void {
  const tables = wantedTables()
  setFollowed(tables)
  if (document.visibilityState === 'hidden') hiddenAt ??= performance.now()
  else if (hiddenAt !== undefined) {
    if (performance.now() - hiddenAt > LONG) lose()
    hiddenAt = undefined
  }
  if (followers.size === 0) {
    close()
    isLost = false
  } else if (document.visibilityState === 'hidden') {
    isLost ||= isUnsure()
    close()
  } else if (!stream || ![...tables].every((table) => stream!.tables.has(table))) openSoon(tables)
}

/** Whether it is not known up to where a stream has told. */
const isUnsure = (): boolean => stream?.isBegun === true && [...stream.tables].some((table) => positionOf(table) === undefined)

function lose(): void {
  isLost = true
  forgetPositions()
}

/** A stream begins where its tables were read. Where that takes long, it tells at least what happens from now on. */
function openSoon(tables: Set<number>): void {
  if (isLost || [...tables].every((table) => positionOf(table) !== undefined)) open(tables)
  else
    patience ??= setTimeout(() => {
      patience = undefined
      if (followers.size > 0 && document.visibilityState !== 'hidden') open(wantedTables())
    }, PATIENCE)
}

function stopWaiting(): void {
  clearTimeout(again)
  clearTimeout(patience)
  again = patience = undefined
}

function close(): void {
  stopWaiting()
  stream?.source.close()
  stream = undefined
}

function open(tables: Set<number>): void {
  stopWaiting()
  // One that follows fewer tables goes on until this one tells of all, so that nothing is missed.
  let before = stream?.source
  if (before && before.readyState !== EventSource.OPEN) {
    isLost ||= isUnsure()
    close()
    before = undefined
  }
  const positions = [...tables].flatMap((table) => positionOf(table) ?? [])
  const after = positions.length === 0 ? '' : `&after=${Math.min(...positions)}`
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
  source.addEventListener('change', ({ data, lastEventId }: MessageEvent<string>) => tell(data, Number(lastEventId), tables))
  source.addEventListener('error', () => {
    // A browser comes back by itself, but not after a refusal, such as of a cursor that is too old.
    if (source.readyState !== EventSource.CLOSED || stream !== opened) return
    before?.close()
    stream = undefined
    lose()
    again = setTimeout(() => {
      again = undefined
      look()
    }, PAUSE)
    // A stream does not tell why it was refused. If the session has ended, this request does, and the frame leads to the sign-in.
    void queries.invalidateQueries({ queryKey: me.queryKey })
  })
}

function tell(data: string, id: number, tables: ReadonlySet<number>): void {
  const { table_id: table, record_id, user_id, action, changes, made_at: at } = (JSON.parse(data) as Sent).attributes
  // Another stream may have told it already, or tells it.
  if (!tables.has(table) || !noteTold(table, id, tables)) return
  const record = String(record_id)
  const values = changes && Object.fromEntries(Object.entries(changes).map(([name, { to }]) => [name, to]))
  noteValues(table, record, { ...values, update_time: at }, id)
  const change = { id, record, user: String(user_id ?? ''), action, values, at }
  for (const one of followers) if (one.table === table) one.onChange(change)
}
