import type { ClientRequest, IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { Readable } from 'node:stream'

/* How bodies go and come: in pieces, as fast as the other side takes them, and with a limit on each wait. */

/** A body that can be sent again. */
export interface Content {
  /** SHA-256 in hex: the receiver compares it. */
  readonly hash: string
  readonly size: number
  /** A piece is valid until the next one is requested. */
  pieces(): AsyncIterable<Uint8Array> | Iterable<Uint8Array>
}

/** Bytes of a body from which on the receiver is asked for its consent: it may refuse by the head alone. */
export const LARGE = 1_048_576
/** Milliseconds for its consent. Some receivers give none. */
const CONSENT = 1_000

/** Milliseconds: to reach the service, in which it takes or sends no byte, and before the first repetition; four times as many before the next. */
export interface Patience {
  readonly connect: number
  readonly stall: number
  readonly pause: number
}

/** The service moves no byte. Whoever waits for the answer has waited long enough. */
export class Stalled extends Error {}

/** Sends a request. Resolves with the head of the answer. Rejects with the error of the connection. */
export async function start(request: ClientRequest, body: Content | undefined, { connect, stall }: Patience): Promise<IncomingMessage> {
  const { promise: answer, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  let timer: NodeJS.Timeout | undefined
  const within = (milliseconds: number, error: Error) => {
    clearTimeout(timer)
    timer = setTimeout(() => request.destroy(error), milliseconds)
  }
  let isAnswered = false
  request.once('response', (response) => {
    isAnswered = true
    clearTimeout(timer)
    resolve(response)
  })
  request.on('error', (error) => {
    clearTimeout(timer)
    reject(error)
  })
  request.once('close', () => reject(new Error('The connection ended without an answer.')))
  within(connect, new Error('no connection in time'))
  await connected(request, answer)
  within(stall, new Stalled('no byte in time'))
  if (!body) request.end()
  else {
    if (body.size >= LARGE) await consent(request, answer)
    try {
      for await (const piece of body.pieces()) {
        if (isAnswered || request.destroyed) break
        await written(request, piece)
        if (!isAnswered) within(stall, new Stalled('no byte in time'))
      }
    } catch (error) {
      request.destroy(error as Error)
    }
    if (!isAnswered) request.end()
    // Refused before its body had left: it cannot be ended regularly, but what the answer says is read first.
    else void answer.then((response) => response.once('end', () => request.destroy()))
  }
  return answer
}

/** Resolves when the request has a connection. */
function connected(request: ClientRequest, answer: Promise<unknown>): Promise<unknown> {
  const ready = new Promise<void>((resolve) => {
    request.once('socket', (socket: Socket & { encrypted?: boolean }) => {
      if (!socket.connecting) resolve()
      else socket.once(socket.encrypted ? 'secureConnect' : 'connect', resolve)
    })
  })
  return Promise.race([ready, answer])
}

function consent(request: ClientRequest, answer: Promise<unknown>): Promise<unknown> {
  const late = Promise.withResolvers<void>()
  const timer = setTimeout(late.resolve, CONSENT)
  request.once('continue', late.resolve)
  return Promise.race([late.promise, answer]).finally(() => clearTimeout(timer))
}

/** Resolves when the piece has left, so that its memory can be used again, or never will leave. */
const written = (request: ClientRequest, piece: Uint8Array): Promise<void> =>
  new Promise((resolve) => request.write(piece, () => resolve()))

/** The body of an answer as a stream. It ends with an error where no byte comes in time; if it is destroyed, so is the request. */
export function streamOf(answer: IncomingMessage, stall: number): Readable {
  const stream = Readable.from(timed(answer, stall), { objectMode: false, highWaterMark: 65_536 })
  return stream.once('close', () => answer.destroy())
}

/** Only waiting for bytes is timed, not the time that the reader takes. */
async function* timed(answer: IncomingMessage, stall: number): AsyncGenerator<Buffer> {
  const chunks = answer[Symbol.asyncIterator]() as AsyncIterator<Buffer>
  for (;;) {
    const timer = setTimeout(() => answer.destroy(new Stalled('S3: no byte in time')), stall)
    const next = await chunks.next().finally(() => clearTimeout(timer))
    if (next.done) return
    yield next.value
  }
}

/** The body as a text of at most so many bytes. */
export async function textOf(body: Readable, most: number): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > most) throw new Error(`S3: an answer of more than ${most} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
