import type { IncomingMessage } from 'node:http'
import { networks } from './connections.ts'

/* The id of a request, which its answer and the log have. */

export const REQUEST_ID = 'X-Request-Id'

/** What a proxy may give: the log and the answer repeat it. */
const GIVEN = /^[\w.-]{1,64}$/

/** Takes the id that a trusted proxy has given to a request; other requests get a new one. */
export function requestIds(trustedProxies: readonly string[], newId: () => string): (request: IncomingMessage) => string {
  const isProxy = networks(trustedProxies)
  return ({ headers, socket }) => {
    const given = headers['x-request-id']
    return typeof given === 'string' && GIVEN.test(given) && isProxy(socket.remoteAddress ?? '') ? given : newId()
  }
}
