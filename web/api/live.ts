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
    readonly record_id: number
    readonly user_id: number | string | null
    readonly action: string
    readonly changes: Readonly<Record<string, { readonly to: unknown }>> | null
  }
}

/** Milliseconds before a stream that was refused is asked for again. */
const PAUSE = 5000

/**
 * Follows the changes of the records of a table while the page is in sight: a browser has six connections for all its tabs. `onLost`: changes may
 * have been missed. Returns what ends it.
 */
export function follow(table: number, onChange: (change: Change) => void, onLost: () => void): () => void {
  let stream: EventSource | undefined
  let again: ReturnType<typeof setTimeout> | undefined
  let last: string | undefined
  let isLost = false
  const close = () => {
    clearTimeout(again)
    stream?.close()
    stream = undefined
  }
  const open = () => {
    close()
    if (document.visibilityState === 'hidden') return
    const opened = new EventSource(`/api/dev/events?tables=${table}${last === undefined ? '' : `&after=${last}`}`)
    stream = opened
    opened.addEventListener('open', () => {
      if (isLost) onLost()
      isLost = false
    })
    opened.addEventListener('change', ({ data, lastEventId }: MessageEvent<string>) => {
      last = lastEventId
      const { record_id, user_id, action, changes } = (JSON.parse(data) as Sent).attributes
      const values = changes && Object.fromEntries(Object.entries(changes).map(([name, { to }]) => [name, to]))
      onChange({ record: String(record_id), user: String(user_id ?? ''), action, values })
    })
    opened.addEventListener('error', () => {
      // A browser comes back by itself, but not after a refusal, such as of a cursor that is too old.
      if (opened.readyState !== EventSource.CLOSED) return
      last = undefined
      isLost = true
      again = setTimeout(open, PAUSE)
    })
  }
  const look = () => (document.visibilityState === 'hidden' ? close() : stream || open())
  document.addEventListener('visibilitychange', look)
  open()
  return () => {
    document.removeEventListener('visibilitychange', look)
    close()
  }
}
