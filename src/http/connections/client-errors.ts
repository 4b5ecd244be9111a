import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { fail, type Failure } from '../../errors.ts'
import { closeInStages, isClosing } from './closing.ts'
import { refusal } from './failures.ts'
import { REQUEST_ID } from './request-id.ts'
import { MEDIA_TYPE } from '../answers/jsonapi.ts'
import type { Refusing } from './serving.ts'

// `import` would also load the WebSocket client of this module, which is not used: 5 MiB, and 20 ms of each start.
const { STATUS_CODES } = process.getBuiltinModule('node:http')

/** By connection, the answer to the last request on it. */
export type LastAnswers = WeakMap<object, ServerResponse>

/**
 * Answers a request that is not HTTP, or whose head is too large, directly on the connection, and then closes it. Earlier requests
 * on the same connection are answered first: otherwise the client would take this answer for theirs.
 */
export function answerMalformed(serving: Refusing, error: Error & { readonly code?: string }, socket: Socket, answers: LastAnswers): void {
  if (isClosing(socket) && error.code !== 'ECONNRESET') return
  const last = answers.get(socket)
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  if (last?.writableEnded && !last.req.complete) return closeInStages(socket)
  // An answer of which a part is sent is sent to its end: another one in the middle would be taken for its body.
  if (last?.headersSent && last.socket && !last.req.complete) {
    last.once('finish', () => closeInStages(socket))
    return
  }
  const failure =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? fail('request.headers_too_large')
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? fail('request.timed_out')
        : fail('request.malformed', { why: 'The request is not well-formed HTTP.' })
  const refuse = () => (socket.writable ? refuseOn(serving, socket, failure) : undefined)
  // Answers of one connection are sent in the order of the requests.
  if (last?.req.complete && !last.writableFinished) last.once('finish', refuse)
  else if (last?.req.complete === false && !last.socket) last.once('socket', refuse)
  else refuse()
}

/** The answer to CONNECT: this server is not a proxy. */
export const answerConnect = (serving: Refusing, allowed: string, socket: Socket): void =>
  refuseOn(serving, socket, fail('request.wrong_method', { allowed }, { headers: { Allow: allowed } }))

/** Milliseconds for which a client can read why it is refused, before the connection is closed. */
const TOLD = 1_000

/** Refuses a connection beyond the limit; the log has one line for many of them. */
export function refuseConnection(serving: Refusing, socket: Socket): void {
  const failure = fail('server.too_many_connections')
  refuseOn({ ...serving, log: silent }, socket, failure)
  const end = setTimeout(() => socket.destroy(), TOLD).unref()
  socket.once('close', () => clearTimeout(end))
}

const silent: Refusing['log'] = { info: () => undefined, warn: () => undefined, error: () => undefined }

function refuseOn(serving: Refusing, socket: Socket, failure: Failure): void {
  const id = serving.newId()
  const { status, headers = {}, body } = refusal(serving, undefined, failure, id)
  serving.counts.refused(status)
  const bytes = Buffer.from(JSON.stringify(body))
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    `Content-Type: ${MEDIA_TYPE}`,
    'Vary: Accept',
    `${REQUEST_ID}: ${id}`,
    `Content-Length: ${bytes.length}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    'Connection: close',
  ]
  closeInStages(socket, Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), bytes]))
}
