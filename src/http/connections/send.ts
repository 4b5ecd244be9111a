import type { ServerResponse } from 'node:http'
import { pipeline, Readable } from 'node:stream'
import { MEDIA_TYPE } from '../answers/jsonapi.ts'
import type { Reply, Streamed } from '../routing/route.ts'
import { TooLong } from '../../transfer/spreadsheet-values.ts'
import { loggable } from './failures.ts'
import { REQUEST_ID } from './request-id.ts'
import type { Log, Serving } from './serving.ts'

type Stream = NodeJS.ReadableStream & { destroy?(): void }

/**
 * Sends an answer. A document of the usual size is sent as text, in one write with the head, with the others of this turn. Answers depend on the token, so
 * shared caches must not keep them. @throws `server.busy` where too much memory is in use and the request can be repeated
 */
export function send(
  { log, together, unread, ending }: Pick<Serving, 'log' | 'together' | 'unread' | 'ending'>,
  response: ServerResponse,
  method: string,
  { status, headers, body }: Reply,
  more: Reply['headers'],
): void {
  const fields: Record<string, string | number> = {
    'Content-Type': MEDIA_TYPE,
    Vary: 'Accept',
    'Cache-Control': 'private, no-cache',
    'X-Content-Type-Options': 'nosniff',
    ...more,
    ...headers,
  }
  if (status === 304 || status === 204) delete fields['Content-Type']
  if (isStreamed(body)) return sendStream(response, method, status, fields, () => streamOf(response, body, ending.signal), log)
  if (isStream(body))
    return sendStream(
      response,
      method,
      status,
      fields,
      () => body,
      log,
      () => body.destroy?.(),
    )
  // The client has gone, and `close` was emitted before: it would not be emitted again for the count below.
  if (response.destroyed) return
  const payload = body === undefined || body instanceof Uint8Array || typeof body === 'string' ? body : JSON.stringify(body)
  const length = payload === undefined ? 0 : Buffer.byteLength(payload)
  if (payload !== undefined) fields['Content-Length'] = length
  if (payload === undefined || method === 'HEAD' || length <= SMALL) {
    response.writeHead(status, fields)
    return together.end(response, method === 'HEAD' ? undefined : payload)
  }
  unread.makeRoom(length, method === 'GET')
  response.writeHead(status, fields)
  unread.write(response, typeof payload === 'string' ? Buffer.from(payload) : payload)
}

/** Bytes that a connection takes at once even if its client does not read. */
const SMALL = 65_536

function sendStream(
  response: ServerResponse,
  method: string,
  status: number,
  fields: Record<string, string | number>,
  stream: () => Stream,
  log: Log,
  unused = () => {},
): void {
  // The client may have gone; then nothing can be piped.
  if (!response.destroyed) response.writeHead(status, fields)
  if (method === 'HEAD' || response.destroyed) {
    unused()
    response.end()
    return
  }
  pipeline(stream(), response, (error) => {
    // The answer has begun: only its early end can tell the client.
    if (!error || error.code === 'ERR_STREAM_PREMATURE_CLOSE') return
    // No fault of the server: the values of the records do not fit into the format that was asked for.
    if (error instanceof TooLong) log.warn({ request: fields[REQUEST_ID] }, `The export ended early. ${error.message}`)
    else log.error({ request: fields[REQUEST_ID], err: loggable(error) }, 'file could not be sent')
  })
}

/** Begins to make the parts of a body. */
function streamOf(response: ServerResponse, { parts }: Streamed, stopping: AbortSignal): Stream {
  const client = new AbortController()
  response.once('close', () => client.abort())
  return Readable.from(parts(AbortSignal.any([client.signal, stopping])), { objectMode: true, highWaterMark: 1 })
}

const isStreamed = (body: unknown): body is Streamed =>
  typeof body === 'object' && body !== null && 'parts' in body && typeof body.parts === 'function'

const isStream = (body: unknown): body is Stream => typeof body === 'object' && body !== null && 'pipe' in body
