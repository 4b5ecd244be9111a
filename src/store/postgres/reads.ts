import { Failure } from '../../errors.ts'
import { limits } from '../../limits.ts'
import { postgres } from '../../sql/postgres.ts'
import { render, type Sql } from '../../sql/sql.ts'
import { Abandoned, type Asker } from '../model/asker.ts'
import type { AsideReader, Busy, Db, Reader, Row, SharedDb } from '../ground/db.ts'
import { fairQueue } from '../scheduling/fair-queue.ts'
import { fairTurns } from '../scheduling/fair-turns.ts'
import { slowStatements } from '../scheduling/slow-statements.ts'
import type { Address } from './address.ts'
import type { Connection, Result } from './connection.ts'
import { explained, isInTheWay, isLost, isUnprepared } from './faults.ts'
import { Unresponsive, within } from './liveness.ts'

/** Connections that read; for what may take long so many again, and a few for what does. */
const READERS = 4
const SLOW = 3
/** Quick reads sent on one connection before the first of them is answered. */
const DEEP = 4
/** Milliseconds that a read aside has before it begins again among the slow ones, so that the many short ones never wait for a long one. */
const MOMENT = 100
/** Milliseconds without an answer after which another server is asked, where there are others. */
const LIVENESS_TIMEOUT = 2_000
/** Milliseconds that a short read has at least, however short the time limit of lists is: every request begins with some. */
const SHORT_READ = 1_000

/** A server that is read from. */
export interface ReadServer {
  readonly address: Address
  /** For one whose reads others can do as well: asked before each of them; rejects where this one may not. */
  readonly check?: (connection: Connection) => Promise<void>
}

export interface Reads extends Reader, AsideReader, Pick<SharedDb, 'readApart' | 'readLong'> {
  load(): { readonly quick: Busy; readonly slow: Busy }
  close(): Promise<void>
}

/**
 * Everything that is read from one server. `queryTimeout`: milliseconds after which a read aside is given up; `serves`: a short
 * read as well. Commands read whole tables by short reads.
 */
export function postgresReads(server: ReadServer, queryTimeout: number, serves: boolean): Reads {
  const short = reads(server, {
    most: READERS,
    timeout: serves ? Math.max(SHORT_READ, queryTimeout) : undefined,
    livenessTimeout: LIVENESS_TIMEOUT,
    byId: true,
  })
  const quickTimeout = Math.min(MOMENT, queryTimeout)
  const quick = reads(server, { most: READERS, timeout: quickTimeout, livenessTimeout: LIVENESS_TIMEOUT + quickTimeout })
  const slow = reads(server, { most: SLOW, timeout: queryTimeout, livenessTimeout: LIVENESS_TIMEOUT + queryTimeout })
  const apart = reads(server, { most: 1, timeout: SHORT_READ, livenessTimeout: LIVENESS_TIMEOUT })
  const knownSlow = slowStatements()
  const quickly = fairTurns(fairQueue(limits.quickReads.most, limits.quickReadsOfUser.most), READERS * DEEP, READERS * DEEP)
  // One at a time on each connection, and nobody has all of them.
  const slowly = fairTurns(fairQueue(limits.slowReads.most, limits.slowReadsOfUser.most), SLOW, SLOW - 1)
  const readSlowly = (by: Asker, queries: readonly Sql[]) => slowly(by, () => untilGone(by, (began) => slow.readOn(began, queries)))

  async function readAside(by: Asker, ...queries: Sql[]): Promise<Row[][]> {
    const statements = queries.map((query) => render(query, postgres.placeholder).text).join(';')
    if (knownSlow.has(statements)) return readSlowly(by, queries)
    try {
      return await quickly(by, () => quick.read(...queries))
    } catch (error) {
      if (!(error instanceof Failure) || error.code !== 'server.query_timeout') throw error
      knownSlow.add(statements)
      return readSlowly(by, queries)
    }
  }

  return {
    read: short.read,
    readAside,
    readLong(by, ...queries) {
      // What may be short after all does not wait for others that are long.
      const { waiting, running } = slowly.load()
      return waiting === 0 && running < SLOW - 1 ? readSlowly(by, queries) : readAside(by, ...queries)
    },
    readLittle: readAside,
    readApart: async (query) => (await apart.read(query))[0]!,
    load: () => ({ quick: quickly.load(), slow: slowly.load() }),
    async close() {
      knownSlow.close()
      await Promise.all([short.close(), quick.close(), slow.close(), apart.close()])
    },
  }
}

/** Ends what runs on a connection when nobody waits for it any more. */
async function untilGone<T>({ client }: Asker, read: (began: (connection: Connection) => void) => Promise<T>): Promise<T> {
  let connection: Connection | undefined
  let cancelling: Promise<void> | undefined
  const cancel = () => (cancelling ??= connection?.cancel().catch(() => undefined))
  const stop = client?.whenGone(cancel)
  try {
    return await read((one) => {
      if (client?.isGone) throw new Abandoned()
      connection = one
    })
  } catch (error) {
    throw client?.isGone ? new Abandoned() : error
  } finally {
    stop?.()
    // What comes next on the connection is not to be cancelled.
    await cancelling
  }
}

interface ServerReads {
  readonly read: Db['read']
  /** `began` is told the connection before it is asked. */
  readOn(began: (connection: Connection) => void, queries: readonly Sql[]): Promise<Row[][]>
  close(): Promise<void>
}

interface ReadOptions {
  /** Connections, at most. */
  readonly most: number
  /** Milliseconds of a statement; undefined: any number. */
  readonly timeout: number | undefined
  /** Milliseconds without an answer after which another server is asked, where there are others. */
  readonly livenessTimeout: number
  /** Whether records and pages are found by id. */
  readonly byId?: boolean
}

/** Reads over a few connections, each read on the one that has least to do. */
function reads({ address, check }: ReadServer, { most, timeout, livenessTimeout, byId = false }: ReadOptions): ServerReads {
  const connections: Connection[] = []
  let opening: Promise<unknown> | undefined
  return {
    read: (...queries) => readOn(() => {}, queries),
    readOn,
    async close() {
      await opening?.catch(() => undefined)
      await Promise.all(connections.map((connection) => connection.close()))
    },
  }

  async function readOn(began: (connection: Connection) => void, queries: readonly Sql[]): Promise<Row[][]> {
    if (queries.length === 0) return []
    try {
      if (check) return await checked(check, began, queries)
      return await again(most, async () => {
        const connection = await choose()
        began(connection)
        return ask(connection, queries, timeout)
      })
    } catch (error) {
      throw explained(error, timeout)
    }
  }

  /** Tried once: somebody else can be asked. */
  async function checked(
    check: NonNullable<ReadServer['check']>,
    began: (connection: Connection) => void,
    queries: readonly Sql[],
  ): Promise<Row[][]> {
    let connection: Connection | undefined
    const answer = async () => {
      connection = await choose()
      await check(connection)
      began(connection)
      return ask(connection, queries, timeout)
    }
    try {
      return await within(livenessTimeout, answer())
    } catch (error) {
      if (error instanceof Unresponsive) void connection?.close()
      throw error
    }
  }

  function choose(): Connection | Promise<Connection> {
    for (let i = connections.length - 1; i >= 0; i--) if (!connections[i]!.isOpen()) void connections.splice(i, 1)[0]!.close()
    let best = connections[0]
    for (const one of connections) if (one.waiting() < best!.waiting()) best = one
    if (best && (best.waiting() === 0 || connections.length === most)) return best
    opening ??= connected(address, byId, timeout)
      .then((connection) => connections.push(connection))
      .finally(() => (opening = undefined))
    if (!best) return opening.then(choose)
    // Nobody waits for another connection, nor minds where there is none to be had.
    opening.catch(() => undefined)
    return best
  }
}

/** Reading changes nothing, so what was lost on the way is asked again: connections that died unnoticed may follow each other. */
async function again<T>(most: number, work: () => Promise<T>): Promise<T> {
  for (let tries = most; ; tries--) {
    try {
      return await work()
    } catch (error) {
      if (tries === 0 || (!isLost(error) && !isInTheWay(error))) throw error
    }
  }
}

/**
 * Settings of reads that are not by id. To compile a statement takes longer than most of them (jit). With less memory, PostgreSQL notes of many records that
 * an index has found only their pages, of some 60,000 pages on, and asks the function of the index for each record on them: that took more than 20 s
 * among 1,000,000 records.
 */
const forSearches = (isLocal: boolean): string => `SELECT set_config('jit', 'off', ${isLocal}),
  set_config('work_mem', CASE WHEN pg_size_bytes(current_setting('work_mem')) < 67108864 THEN '64MB' ELSE current_setting('work_mem') END, ${isLocal})`

/** What is set for a session is set where the connection is one: a pooler gives each transaction another. */
async function connected(address: Address, byId: boolean, timeout: number | undefined): Promise<Connection> {
  const connection = await address.connect()
  const { isDirect, dialect } = connection
  const settings = [byId ? dialect.byId : forSearches(false), timeout === undefined ? '' : `SET statement_timeout = ${timeout}`].filter(
    Boolean,
  )
  if (isDirect && settings.length > 0) await connection.script(settings.join('; '))
  return connection
}

const SNAPSHOT = 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY'

/** One query as it is, unless it needs a transaction to have its time limit; several in one snapshot, sent together. */
async function ask(connection: Connection, queries: readonly Sql[], timeout: number | undefined): Promise<Row[][]> {
  const isLimited = connection.isDirect || timeout === undefined
  if (queries.length === 1 && isLimited) return [(await connection.query(queries[0]!)).rows]
  const begin = isLimited ? SNAPSHOT : `${SNAPSHOT}; SET LOCAL statement_timeout = ${timeout}; ${forSearches(true)}`
  try {
    return await together(connection, begin, queries, connection.part)
  } catch (error) {
    if (!isUnprepared(error)) throw error
    // The read that was to prepare a statement has failed, or the statement no longer fits: all of it once more, without names.
    return together(connection, begin, queries, connection.once)
  }
}

async function together(
  connection: Connection,
  begin: string,
  queries: readonly Sql[],
  send: (query: Sql) => Promise<Result>,
): Promise<Row[][]> {
  const begun = connection.script(begin)
  const answers = queries.map(send)
  const ended = connection.script('COMMIT')
  const [first] = (await Promise.allSettled([begun, ...answers, ended])).filter((one) => one.status === 'rejected')
  if (first) throw first.reason
  return Promise.all(answers.map(async (answer) => (await answer).rows))
}
