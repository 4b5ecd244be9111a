import { fail, Failure } from '../../errors.ts'
import { connect, type Connection } from './connection.ts'
import { isLost, isOutOfResources, Unreachable } from './faults.ts'
import { Unresponsive, within } from './liveness.ts'

/*
 * Where a database is: one server, or several of which one takes writes at a time (postgres://user@one,two/database).
 * While none does, those who ask wait a moment, so that a restart or a change of the leading server is a pause and no
 * failure; when it takes longer, they are told at once.
 */

export interface Address {
  /** @throws Unreachable */
  connect(): Promise<Connection>
}

/** How often, with so many milliseconds between, a server that is away is asked again. */
const PATIENCE = 20
const PAUSE = 100
/** Milliseconds that anybody waits for one that is known to be away. */
const MOMENT = 1_000

export function postgresAddress(url: string): Address {
  const servers = serversOf(url)
  let isAway = false
  /** One asks for all whether it is back. */
  let asking: Promise<void> | undefined
  const back = () =>
    (asking ??= leading(servers)
      .then((connection) => {
        isAway = false
        void connection.close()
      })
      .finally(() => (asking = undefined)))

  async function patiently(): Promise<Connection> {
    for (let tries = 0; ; tries++) {
      try {
        return await leading(servers)
      } catch (error) {
        if (!mayPass(error) || error instanceof Unresponsive || tries >= PATIENCE) throw error
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

/** The first of them that takes writes, which is the first to be asked next time; of a single one nothing is demanded. */
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

/** One address for each server. */
function serversOf(url: string): string[] {
  const [, scheme, user = '', hosts, rest] = /^(\w+:\/\/)([^@/?]*@)?([^/?]*)(.*)$/s.exec(url)!
  return hosts!.split(',').map((host) => `${scheme}${user}${host}${rest}`)
}

/** What to say to whoever starts a process: with the reason, which no client hears. */
export function atStart(error: unknown): unknown {
  const unreachable = error instanceof Failure ? error.cause : error
  return unreachable instanceof Unreachable ? fail('database.unreachable', { why: (unreachable.cause as Error).message }) : error
}
