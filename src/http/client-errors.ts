import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { fail } from '../errors.ts'
import { refusal } from './failures.ts'
import { MEDIA_TYPE } from './jsonapi.ts'
import type { Serving } from './serving.ts'

/** Answers what is no HTTP, or too much of it, straight on the connection, which then ends. */
export function answerMalformed(serving: Serving, error: Error & { readonly code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const failure =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? fail('request.headers_too_large')
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? fail('request.timed_out')
        : fail('request.malformed', { why: 'The request is not well-formed HTTP.' })
  const { status, body } = refusal(serving, undefined, failure)
  const bytes = Buffer.from(JSON.stringify(body))
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    `Content-Type: ${MEDIA_TYPE}`,
    'Vary: Accept',
    `Content-Length: ${bytes.length}`,
    'Connection: close',
  ]
  socket.end(Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), bytes]))
}
