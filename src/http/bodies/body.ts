import type { IncomingMessage } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { fail } from '../../errors.ts'
import { limits } from '../../limits.ts'
import type { Spool } from '../../store/files/spool.ts'
import { reportTo } from '../../store/ground/fault.ts'
import type { StoredBytes } from '../../store/files/file-storage.ts'
import type { Route } from '../routing/route.ts'
import { goOn } from './expectation.ts'
import { receive } from './uploads.ts'
import type { Store } from '../../store/ground/store.ts'

/* Reading request bodies. There is a limit for each and for all together; a large one is written to a file. */

/** Bytes: the part of limits.bodiesInFlight that only small bodies may use, so that large ones keep nobody from signing in. */
const FOR_SMALL = limits.bodiesInFlight.most / 8

/** Bytes of bodies, in memory or in files. */
export interface Held {
  bytes: number
}

/** How much of the body of each request has arrived. */
const arrived = new WeakMap<object, Held>()

/** A body in a file without a name. The file is closed when the request has been answered, or its client has gone. */
export interface SpooledBody {
  readonly spool: Spool
  /** Whether closing the file is taken care of. */
  isTaken: boolean
}

/** Undefined: none was sent. */
export type Body = Uint8Array | SpooledBody | StoredBytes | undefined

export const isSpooled = (body: Body): body is SpooledBody => body !== undefined && 'spool' in body

/** What this module uses of `Serving`. */
interface Receiving {
  /** Bytes of the bodies of all requests in progress. */
  readonly bodies: Held
  readonly settings: { readonly bodyLimit: number; readonly uploadLimit: number }
  readonly ending: AbortController
  /** Undefined while it is being opened. */
  readonly store: Store | undefined
}

/** Counts the bytes of the body that is about to be read, until the request ends. */
export function countBytes(receiving: Receiving, request: FastifyRequest, reply: FastifyReply): void {
  const { bodies } = receiving
  const held = { bytes: 0 }
  arrived.set(request.raw, held)
  reply.raw.once('close', () => {
    bodies.bytes -= held.bytes
    held.bytes = 0
    const body = request.body as Body
    if (isSpooled(body) && !body.isTaken)
      body.spool.close().catch(reportTo(receiving.store!.onFault, 'the file of a request body was not closed'))
  })
}

/** The limit for the body of a request, in bytes. */
function limitOf({ settings, store }: Receiving, route: Route, params: FastifyRequest['params']): number {
  if (route.token === 'none') return Math.min(limits.openBody.most, settings.bodyLimit)
  const brings = route.bringsFiles && store ? route.bringsFiles(store.catalogue(), params as Readonly<Record<string, unknown>>) : false
  return brings ? settings.bodyLimit : Math.min(limits.body.most, settings.bodyLimit)
}

/**
 * The bytes of a body; of a large one, which only routes with files accept, the file with the bytes; of an upload, what was stored.
 * @throws `body.too_large`, `server.bodies_in_flight`, `server.disk_full`, and what the connection does where it breaks off.
 */
export function readBody(serving: Receiving, route: Route, { raw, headers, params }: FastifyRequest): Promise<NonNullable<Body>> {
  const { bodies, settings, store, ending } = serving
  if (route.receives) {
    const own = route.receives(store!.catalogue(), params as Readonly<Record<string, string>>)
    return receive(store!, raw, Math.min(own, settings.uploadLimit), ending.signal)
  }
  const most = limitOf(serving, route, params)
  const room = Math.max(limits.bodiesInFlight.most, settings.bodyLimit + FOR_SMALL)
  const held = arrived.get(raw)!
  let length = 0
  /** @throws where there are too many bytes. */
  const admit = (chunk: Buffer) => {
    length += chunk.length
    if (length > most) throw fail('body.too_large', { most })
    if (bodies.bytes + chunk.length > (length > limits.openBody.most ? room - FOR_SMALL : room)) throw fail('server.bodies_in_flight')
    bodies.bytes += chunk.length
    held.bytes += chunk.length
  }
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    const refuse = (error: unknown) => {
      raw.off('data', take)
      raw.off('end', end)
      chunks.length = 0
      reject(error)
    }
    const end = () => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, length))
    const take = (chunk: Buffer) => {
      try {
        admit(chunk)
      } catch (error) {
        return refuse(error)
      }
      chunks.push(chunk)
      if (length <= limits.body.most) return
      raw.off('data', take)
      raw.off('end', end)
      raw.pause()
      receiveIntoFile(serving, raw, chunks, admit).then(resolve, refuse)
    }
    if (Number(headers['content-length'] ?? 0) > most) return refuse(fail('body.too_large', { most }))
    goOn(raw)
    raw.on('data', take)
    raw.once('end', end)
    raw.once('error', refuse)
  })
}

/** Writes the part of a body that has arrived, and the rest as it arrives, to a file. */
async function receiveIntoFile(
  { store }: Receiving,
  raw: IncomingMessage,
  chunks: Buffer[],
  admit: (chunk: Buffer) => void,
): Promise<SpooledBody> {
  const spool = await store!.files.spool(true)
  try {
    for (const chunk of chunks.splice(0)) await spool.write(chunk)
    for await (const chunk of raw.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      admit(chunk)
      await spool.write(chunk)
    }
    return { spool, isTaken: false }
  } catch (error) {
    // The rest of the body is read and discarded.
    raw.resume()
    await spool.close()
    throw error
  }
}
