import type { ServerResponse } from 'node:http'
import { fail } from '../../errors.ts'
import { limits } from '../../limits.ts'

/** The log. */
interface Log {
  info(details: object, message: string): void
}

/** Bytes that are passed to a connection at a time; the next ones when it has taken these. */
const PIECE = 65_536
/** Milliseconds after which a client that is still reading an answer may be disconnected where memory is short. */
const FAIR = 5_000

/** Answers in memory that their clients have not read yet. */
export interface Unread {
  /** Writes the body of an answer, after its head, as fast as the client reads. */
  write(response: ServerResponse, body: Uint8Array): void
  /**
   * Makes room for an answer of so many bytes: clients that have been reading for longest are disconnected. @throws `server.busy`
   * where that is not enough and the request is repeatable
   */
  makeRoom(bytes: number, isRepeatable: boolean): void
  /** Called regularly with the milliseconds since the last call. */
  passed(milliseconds: number): void
}

export function unreadAnswers(log: Log): Unread {
  /** In the order in which they were begun. */
  const held = new Map<ServerResponse, { readonly bytes: number; age: number }>()
  let total = 0

  return {
    write(response, body) {
      held.set(response, { bytes: body.length, age: 0 })
      total += body.length
      response.once('close', () => {
        held.delete(response)
        total -= body.length
      })
      inPieces(response, body)
    },
    makeRoom(bytes, isRepeatable) {
      let freed = 0
      for (const [response, { bytes: unread, age }] of held) {
        if (total - freed + bytes <= limits.unreadAnswers.most || age < FAIR) break
        freed += unread
        log.info({ address: response.req.socket.remoteAddress, unread }, 'client reads too slowly while memory is short')
        response.destroy()
      }
      // A single answer is always accepted, however large.
      if (isRepeatable && total > freed && total - freed + bytes > limits.unreadAnswers.most) {
        throw fail('server.busy')
      }
    },
    passed(milliseconds) {
      for (const one of held.values()) one.age += milliseconds
    },
  }
}

function inPieces(response: ServerResponse, body: Uint8Array): void {
  let at = 0
  const next = (): void => {
    while (at + PIECE < body.length) {
      const piece = body.subarray(at, at + PIECE)
      at += PIECE
      if (!response.write(piece)) return void response.once('drain', next)
    }
    response.end(body.subarray(at))
  }
  next()
}
