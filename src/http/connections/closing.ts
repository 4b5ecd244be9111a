import type { Socket } from 'node:net'
import { limits } from '../../limits.ts'

const closing = new WeakSet<Socket>()

/**
 * Ends a connection whose client may still be sending, after some last bytes if any: what it sends is read and thrown away, until
 * it closes or the time is over. A connection that is closed at once is reset by what comes later, and with that the client
 * loses the answer that it has not read yet (RFC 9112, 9.6).
 */
export function closeInStages(socket: Socket, bytes?: Uint8Array): void {
  if (socket.destroyed || closing.has(socket)) return
  closing.add(socket)
  if (bytes) socket.end(bytes)
  else socket.end()
  socket.resume()
  const timer = setTimeout(() => socket.destroy(), limits.refusedSender.most).unref()
  socket.once('close', () => clearTimeout(timer))
}

/** Whether nothing that arrives counts any more. */
export const isClosing = (socket: Socket): boolean => closing.has(socket)
