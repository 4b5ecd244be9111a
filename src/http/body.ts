import type { FastifyReply, FastifyRequest } from 'fastify'
import { fail } from '../errors.ts'
import { limits } from '../limits.ts'
import type { Route } from './route.ts'
import type { Serving } from './serving.ts'

/* The bodies of requests as they arrive: each has a limit, and so have all of them together. */

/** The last of the room is for small bodies, so that large ones keep nobody from signing in. */
const FOR_SMALL = limits.bodiesInFlight.most / 8

/** Bytes of bodies in memory. */
export interface Held {
  bytes: number
}

/** What has arrived of the body of each request. */
const arrived = new WeakMap<object, Held>()

/** Counts the bytes of the body that is about to be read, until the request ends. */
export function count({ bodies }: Serving, request: FastifyRequest, reply: FastifyReply): void {
  const held = { bytes: 0 }
  arrived.set(request.raw, held)
  reply.raw.once('close', () => {
    bodies.bytes -= held.bytes
    held.bytes = 0
  })
}

/** Bytes that the body of a request may have. */
function limitOf({ settings, store }: Serving, route: Route, params: FastifyRequest['params']): number {
  if (route.token === 'none') return Math.min(limits.openBody.most, settings.bodyLimit)
  const brings = route.bringsFiles && store ? route.bringsFiles(store.catalogue(), params as Readonly<Record<string, unknown>>) : false
  return brings ? settings.bodyLimit : Math.min(limits.body.most, settings.bodyLimit)
}

/** @throws `body.too_large`, `server.bodies_in_flight`, and what the connection does where it breaks off. */
export function readBody(serving: Serving, route: Route, { raw, headers, params }: FastifyRequest): Promise<Buffer> {
  const { bodies, settings } = serving
  const most = limitOf(serving, route, params)
  const room = Math.max(limits.bodiesInFlight.most, settings.bodyLimit + FOR_SMALL)
  const held = arrived.get(raw)!
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let length = 0
    const refuse = (error: unknown) => {
      raw.off('data', take)
      chunks.length = 0
      reject(error)
    }
    const take = (chunk: Buffer) => {
      length += chunk.length
      if (length > most) return refuse(fail('body.too_large', { most }))
      if (bodies.bytes + chunk.length > (length > limits.openBody.most ? room - FOR_SMALL : room))
        return refuse(fail('server.bodies_in_flight', undefined, { headers: { 'Retry-After': '1' } }))
      bodies.bytes += chunk.length
      held.bytes += chunk.length
      chunks.push(chunk)
    }
    if (Number(headers['content-length'] ?? 0) > most) return refuse(fail('body.too_large', { most }))
    raw.on('data', take)
    raw.once('end', () => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, length)))
    raw.once('error', refuse)
  })
}
