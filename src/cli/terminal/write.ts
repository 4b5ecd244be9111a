import { once } from 'node:events'
import type { Writable } from 'node:stream'

/** Writes text or bytes, and waits while the stream takes no more, unless it ends meanwhile. */
export async function write(stream: Writable, data: string | Uint8Array): Promise<void> {
  if (stream.write(data) || stream.destroyed) return
  const waiting = new AbortController()
  const [drained, closed] = ['drain', 'close'].map((event) => once(stream, event, { signal: waiting.signal }))
  // Removes the listener of the event that did not come.
  await Promise.race([drained, closed]).finally(() => waiting.abort())
}
