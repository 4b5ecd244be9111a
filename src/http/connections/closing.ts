import type { Socket } from 'node:net'
import { limits } from '../../limits.ts'

const closing = new WeakSet<Socket>()

/**
 * Closes a connection whose client may still be sending, after writing some last bytes if any. What the client sends is read and
 * discarded, until it closes or the time is over. If the connection were closed at once, the bytes that arrive later would reset it,
 * and the client would lose an answer that it has not read yet (RFC 9112, 9.6).
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

/** Whether the connection is being closed, and what arrives is discarded. */
export const isClosing = (socket: Socket): boolean => closing.has(socket)
