import type { FastifyRequest } from 'fastify'
import { fail } from '../../errors.ts'

const HOST = /^(?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::[0-9]{1,5})?$/

/**
 * Scheme and host of absolute links: the configured address, else those that the client or a trusted proxy has sent.
 * @throws `request.malformed` for an invalid Host
 */
export function originOf(publicUrl: string, request: FastifyRequest): string {
  if (publicUrl !== '') return publicUrl
  const { host } = request
  // A proxy may pass on any text that it was sent.
  const protocol = request.protocol === 'https' ? 'https' : 'http'
  if (HOST.test(host)) return `${protocol}://${host}`
  if (host === '' && request.raw.httpVersionMinor === 0)
    return `${protocol}://${request.raw.socket.localAddress}:${request.raw.socket.localPort}`
  throw fail('request.malformed', { why: 'The Host header is missing or names no host.' }, { source: { header: 'Host' } })
}
