import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/*
 * Answers that are ready in one turn of the event loop are written one right after the other, at its end. Each write wakes up a receiver that sleeps, which
 * takes longer than the write itself; the later ones find it awake.
 */

/** Seconds after which an answer is written before the end of the turn, once another request begins or another answer is ready. */
const LATEST = 0.002

export interface Together {
  /** Called before a request is worked on. */
  begins(response: ServerResponse): void
  /** Ends an answer, with the others of this turn; at once where the next request of the connection waits for that. */
  end(response: ServerResponse, body: string | Uint8Array | undefined): void
}

/** `seconds`: a clock. `failed`: called where an answer cannot be written. */
export function answersTogether(seconds: () => number, failed: (error: unknown) => void): Together {
  const waiting: { readonly response: ServerResponse; readonly body: string | Uint8Array | undefined }[] = []
  /** The answer to the last request of each connection. */
  const last = new WeakMap<Socket, ServerResponse>()
  let since = 0

  const flush = (): void => {
    for (const { response, body } of waiting.splice(0)) {
      try {
        response.end(body)
      } catch (error) {
        response.destroy()
        failed(error)
      }
    }
  }
  const lookAtClock = (): void => {
    if (waiting.length > 0 && seconds() - since > LATEST) flush()
  }
  return {
    begins(response) {
      const { socket } = response.req
      // What waits is written before Node hears that the client sends no more, after which it takes no answer.
      if (!last.has(socket)) socket.prependListener('end', flush)
      last.set(socket, response)
      lookAtClock()
    },
    end(response, body) {
      if (last.get(response.req.socket) !== response) return void response.end(body)
      if (waiting.push({ response, body }) > 1) return lookAtClock()
      since = seconds()
      setImmediate(flush)
    },
  }
}
