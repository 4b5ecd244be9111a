import { fail, Failure } from '../../errors.ts'
import { connect, type Connection } from './connection.ts'
import { isLost, isOutOfResources, Unreachable } from './faults.ts'
import { Unresponsive, within } from './liveness.ts'

/*
 * The address of a database: one server, or several of which one accepts writes at a time (postgres://user@one,two/database). While none
 * does, requests wait for a short time, so that a restart or a failover is a pause and no failure. After that, requests fail at once.
 */

export interface Address {
  /** @throws Unreachable */
  connect(): Promise<Connection>
}

/** Attempts to connect, and the milliseconds between two of them. */
const PATIENCE = 20
const PAUSE = 100
/** Attempts without an answer after which the server counts as away. The first one may have been lost on the way while it was made. */
const UNANSWERED = 2
/** Milliseconds that a request waits for a server that is known to be away. */
const MOMENT = 1_000

export function postgresAddress(url: string): Address {
  const servers = serversOf(url)
  let isAway = false
  /** One attempt serves all requests that wait. */
  let asking: Promise<void> | undefined
  const back = () =>
    (asking ??= leading(servers)
      .then((connection) => {
        isAway = false
        void connection.close()
      })
      .finally(() => (asking = undefined)))

  async function patiently(): Promise<Connection> {
    let unanswered = 0
    for (let tries = 0; ; tries++) {
      try {
        return await leading(servers)
      } catch (error) {
        if (error instanceof Unresponsive && ++unanswered >= UNANSWERED) throw error
        if (!mayPass(error) || tries >= PATIENCE) throw error
        await new Promise((next) => setTimeout(next, PAUSE))
      }
    }
  }

  return {
    async connect() {
      try {
        if (isAway) await within(MOMENT, back())
        return await patiently()
      } catch (error) {
        isAway = true
        throw new Unreachable(error)
      }
    },
  }
}

const mayPass = (error: unknown): boolean => isLost(error) || isOutOfResources(error) || error instanceof NotLeading

class NotLeading extends Error {}

/** Connects to the first server that accepts writes, and tries it first next time. A single server need not accept writes. */
async function leading(servers: string[]): Promise<Connection> {
  let fault: unknown
  for (const server of servers.slice()) {
    try {
      const connection = await connect(server)
      if (servers.length === 1 || connection.takesWrites) {
        servers.splice(servers.indexOf(server), 1)
        servers.unshift(server)
        return connection
      }
      await connection.close()
      fault ??= new NotLeading('No server of the database takes writes.')
    } catch (error) {
      fault = error
    }
  }
  throw fault
}

/** The addresses of the servers. */
function serversOf(url: string): string[] {
  const [, scheme, user = '', hosts, rest] = /^(\w+:\/\/)([^@/?]*@)?([^/?]*)(.*)$/s.exec(url)!
  return hosts!.split(',').map((host) => `${scheme}${user}${host}${rest}`)
}

/** The error for the operator who starts a process. It has the reason, which clients do not get. */
export function atStart(error: unknown): unknown {
  const unreachable = error instanceof Failure ? error.cause : error
  return unreachable instanceof Unreachable ? fail('database.unreachable', { why: (unreachable.cause as Error).message }) : error
}
