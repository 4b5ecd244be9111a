import type { IncomingMessage } from 'node:http'
import { fail } from '../../errors.ts'
import { limits } from '../../limits.ts'
import type { StoredBytes } from '../../store/files/file-storage.ts'
import type { Store } from '../../store/ground/store.ts'
import { goOn } from './expectation.ts'

/* Bodies that are the bytes of a file. They are stored as they arrive, and are never in memory as a whole. */

/** The uploads under way. */
export interface Uploads {
  /** Called before the body is read. Returns what to call at the end of the request. @throws `server.busy` */
  begin(request: IncomingMessage, userId: number): () => void
  isUpload(request: IncomingMessage): boolean
}

export function uploads(): Uploads {
  const running = new WeakSet<IncomingMessage>()
  const ofUser = new Map<number, number>()
  let total = 0
  return {
    begin(request, userId) {
      const own = ofUser.get(userId) ?? 0
      if (total >= limits.uploads.most || own >= limits.uploadsOfUser.most) throw fail('server.busy')
      running.add(request)
      total++
      ofUser.set(userId, own + 1)
      return () => {
        total--
        const left = ofUser.get(userId)! - 1
        if (left > 0) ofUser.set(userId, left)
        else ofUser.delete(userId)
      }
    },
    isUpload: (request) => running.has(request),
  }
}

/** Milliseconds for a request of which so many bytes have come: an upload has the time of a whole request for each part. */
export const timeToArrive = (arrival: number, isUpload: boolean, bytes: number): number =>
  arrival * (isUpload ? 1 + Math.floor(bytes / limits.uploadPart.most) : 1)

/** Stores a body of at most so many bytes. `ending`: aborted when the server stops. @throws `body.too_large`, `server.unavailable`, `server.disk_full` */
export async function receive(
  { files }: Pick<Store, 'files'>,
  raw: IncomingMessage,
  most: number,
  ending: AbortSignal,
): Promise<StoredBytes> {
  if (Number(raw.headers['content-length'] ?? 0) > most) throw fail('body.too_large', { most })
  goOn(raw)
  try {
    return await files.receive(bounded(raw, most, ending))
  } catch (error) {
    // The rest of the body is read and discarded.
    raw.resume()
    throw error
  }
}

async function* bounded(raw: IncomingMessage, most: number, ending: AbortSignal): AsyncGenerator<Buffer> {
  let size = 0
  for await (const chunk of raw.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > most) throw fail('body.too_large', { most })
    if (ending.aborted) throw fail('server.unavailable', { why: 'The service is stopping.' })
    yield chunk
  }
}
