import { fail } from '../errors.ts'
import type { Sql } from '../sql/sql.ts'
import type { Db, Row } from './db.ts'
import type { Address } from './postgres-address.ts'
import type { Connection } from './postgres-connection.ts'
import { explained, isInTheWay, isLost } from './postgres-faults.ts'

/** Reads that may take long and wait for others like them, at most. */
const WAITING = 200

/**
 * Reads that may take long: one at a time on each of a few connections.
 * @throws `server.busy`, `server.query_timeout`
 */
export function postgresReadsAside(address: Address, most: number, timeout: number): ReturnType<typeof postgresReads> {
  const { read, close } = postgresReads(address, most, timeout)
  const waiting: (() => void)[] = []
  let running = 0
  return {
    close,
    async read(...queries) {
      if (running < most) running++
      else if (waiting.length >= WAITING) throw fail('server.busy', undefined, { headers: { 'Retry-After': '5' } })
      else await new Promise<void>((go) => waiting.push(go))
      try {
        return await read(...queries)
      } finally {
        const next = waiting.shift()
        if (next) next()
        else running--
      }
    },
  }
}

/** Reads over a few connections, each read on the one that has least to do. */
export function postgresReads(address: Address, most: number, timeout?: number): { read: Db['read']; close(): Promise<void> } {
  const connections: Connection[] = []
  let opening: Promise<unknown> | undefined
  return {
    async read(...queries) {
      if (queries.length === 0) return []
      try {
        return await again(async () => ask(await choose(), queries, timeout))
      } catch (error) {
        throw explained(error, timeout)
      }
    },
    async close() {
      await opening?.catch(() => undefined)
      await Promise.all(connections.map((connection) => connection.close()))
    },
  }

  /** Reading changes nothing, so what was lost on the way is asked again: connections that died unnoticed may follow each other. */
  async function again<T>(work: () => Promise<T>): Promise<T> {
    for (let tries = most; ; tries--) {
      try {
        return await work()
      } catch (error) {
        if (tries === 0 || (!isLost(error) && !isInTheWay(error))) throw error
      }
    }
  }

  function choose(): Connection | Promise<Connection> {
    for (let i = connections.length - 1; i >= 0; i--) if (!connections[i]!.isOpen()) void connections.splice(i, 1)[0]!.close()
    let best = connections[0]
    for (const one of connections) if (one.waiting() < best!.waiting()) best = one
    if (best && (best.waiting() === 0 || connections.length === most)) return best
    opening ??= address
      .connect()
      .then((connection) => connections.push(connection))
      .finally(() => (opening = undefined))
    if (!best) return opening.then(choose)
    // Nobody waits for another connection, nor minds where there is none to be had.
    opening.catch(() => undefined)
    return best
  }
}

const SNAPSHOT = 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY'

/** One query as it is; several in one snapshot, sent together. */
async function ask(connection: Connection, queries: readonly Sql[], timeout: number | undefined): Promise<Row[][]> {
  if (queries.length === 1 && timeout === undefined) return [(await connection.query(queries[0]!)).rows]
  const begun = connection.script(timeout === undefined ? SNAPSHOT : `${SNAPSHOT}; SET LOCAL statement_timeout = ${timeout}`)
  const answers = queries.map((query) => connection.query(query))
  const ended = connection.script('COMMIT')
  const [first] = (await Promise.allSettled([begun, ...answers, ended])).filter((one) => one.status === 'rejected')
  if (first) throw first.reason
  return Promise.all(answers.map(async (answer) => (await answer).rows))
}
