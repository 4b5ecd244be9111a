import { fail, Failure } from '../errors.ts'
import { connect, type Connection } from './postgres-connection.ts'
import { isLost, isRoomless, Unreachable } from './postgres-faults.ts'

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

export function postgresAddress(url: string): Address {
  const servers = serversOf(url)
  let isAway = false
  return {
    async connect() {
      for (let tries = 0; ; tries++) {
        try {
          const connection = await leading(servers)
          isAway = false
          return connection
        } catch (error) {
          if (!mayPass(error) || tries >= (isAway ? 0 : PATIENCE)) {
            isAway = true
            throw new Unreachable(error)
          }
          await new Promise((next) => setTimeout(next, PAUSE))
        }
      }
    },
  }
}

const mayPass = (error: unknown): boolean => isLost(error) || isRoomless(error) || error instanceof NotLeading

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
