import assert from 'node:assert/strict'
import type { Service } from './service.ts'

/* A client of GET /api/dev/events, which reads as the standard of server-sent events says. */

export interface StreamedEvent {
  /** `change` or `job`. */
  readonly name: string
  /** The last id that came: events without an id keep the one before. */
  readonly id: string
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into documents of every shape
  readonly data: any
}

export interface EventStream {
  readonly status: number
  readonly headers: Headers
  /** All events so far. */
  readonly events: readonly StreamedEvent[]
  /** The id to come back with. */
  readonly lastId: string
  readonly comments: number
  /** Whether the server has ended it. */
  readonly hasEnded: boolean
  until(holds: () => boolean): Promise<void>
  close(): void
}

/** Milliseconds after which something that has to come has not. */
const PATIENCE = 40_000

export async function openEvents(
  { url, token: own }: Pick<Service, 'url' | 'token'>,
  query = '',
  { token = own, headers = {} }: { readonly token?: string | null; readonly headers?: Readonly<Record<string, string>> } = {},
): Promise<EventStream> {
  const controller = new AbortController()
  const response = await fetch(`${url}/api/dev/events${query}`, {
    headers: { ...(token !== null && { 'X-Auth-Token': token }), Accept: 'text/event-stream', ...headers },
    signal: controller.signal,
  })
  assert.equal(response.status, 200, response.status === 200 ? '' : await response.text())
  const events: StreamedEvent[] = []
  let [lastId, comments, hasEnded] = ['', 0, false]
  const waiting = new Set<() => void>()
  const read = async () => {
    let rest = ''
    const decoder = new TextDecoder()
    for await (const bytes of response.body!) {
      rest += decoder.decode(bytes as Uint8Array, { stream: true })
      const blocks = rest.split('\n\n')
      rest = blocks.pop()!
      for (const block of blocks) take(block)
      for (const look of waiting) look()
    }
  }
  const take = (block: string): void => {
    const fields = new Map<string, string>()
    for (const line of block.split('\n')) {
      const colon = line.indexOf(':')
      if (colon === 0) comments++
      else fields.set(line.slice(0, colon), line.slice(colon + 1).trimStart())
    }
    lastId = fields.get('id') ?? lastId
    if (fields.has('data')) events.push({ name: fields.get('event') ?? '', id: lastId, data: JSON.parse(fields.get('data')!) })
  }
  void read()
    .catch(() => undefined)
    .finally(() => {
      hasEnded = true
      for (const look of waiting) look()
    })
  return {
    status: response.status,
    headers: response.headers,
    events,
    get lastId() {
      return lastId
    },
    get comments() {
      return comments
    },
    get hasEnded() {
      return hasEnded
    },
    until: (holds) =>
      new Promise((resolve, reject) => {
        const done = (settle: () => void) => {
          clearTimeout(timer)
          waiting.delete(look)
          settle()
        }
        const look = () => holds() && done(resolve)
        const timer = setTimeout(() => done(() => reject(new Error(`not seen; ${events.length} events, ended: ${hasEnded}`))), PATIENCE)
        waiting.add(look)
        look()
      }),
    close: () => controller.abort(),
  }
}
