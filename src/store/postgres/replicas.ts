import { Failure } from '../../errors.ts'
import { sql } from '../../sql/sql.ts'
import { Abandoned } from '../model/asker.ts'
import type { AsideReader, LogProgress, Reader } from '../ground/db.ts'
import { connect, type Connection } from './connection.ts'
import { postgresReads, type Reads } from './reads.ts'
import type { Follower } from './writes.ts'

/*
 * Lists are read from replicas. Every request begins with a read of the database, which tells its LSN; a replica is only asked if it has
 * replayed the log up to there. So every request, on any process, sees all that was committed before it came. Where a replica is behind,
 * away or of another timeline, the database itself is asked.
 */

/** Milliseconds to wait for a replica that is behind. */
const PATIENCE = 100
/** Milliseconds for which a replica that failed is not asked. */
const REST = 1_000
/** Milliseconds without a fault after which the log says that a replica answers again. */
const STEADY = 5_000

/** Reports to the operator, once for each change, that a replica answers or, with an error, that it is not used. */
export type ReplicaReport = (replica: string, error?: Error) => void

/** A position in the write-ahead log: `lsn` in bytes from its beginning. */
interface LogPoint {
  readonly timeline: number
  readonly lsn: number
}
interface Seen extends LogPoint {
  /** Of the catalogue. */
  readonly version: number
}

class Behind extends Error {
  constructor() {
    super('It has not come as far as the database.')
  }
}

interface Replica {
  readonly reads: Reads
  isUp: boolean
  /** True also while it is tried again. */
  isResting: boolean
  readonly tell: (error?: Error) => void
}

/** With synchronous_commit off, commits are visible before their log is on disk and sent to replicas. */
const written = sql`CASE current_setting('synchronous_commit') WHEN 'off' THEN pg_current_wal_insert_lsn() ELSE pg_current_wal_flush_lsn() END`
/** Both are NULL if the server is itself a replica. */
const columns = sql`,
  CASE WHEN NOT pg_is_in_recovery() THEN ('x' || substr(pg_walfile_name(${written}), 1, 8))::bit(32)::integer END,
  CASE WHEN NOT pg_is_in_recovery() THEN ${written} - '0/0'::pg_lsn END`
/** What a replica has replayed. Its timeline is that of its last checkpoint, so after a failover it is used from the next checkpoint on. */
const replayed = sql`SELECT timeline_id, CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() - '0/0'::pg_lsn ELSE -1 END FROM pg_control_checkpoint()`

export function postgresReplicas(
  urls: readonly string[],
  leading: Reader & AsideReader,
  follower: Follower,
  queryTimeout: number,
  serves: boolean,
  report: ReplicaReport,
): Reader & AsideReader & { readonly log: LogProgress; loads(): ReturnType<Reads['load']>[]; close(): Promise<void> } {
  let wanted: Seen | undefined
  const check = arrival(() => wanted)
  const replicas = urls.map((url): Replica => ({
    reads: postgresReads({ address: { connect: () => connect(url) }, check }, queryTimeout, serves),
    isUp: false,
    isResting: false,
    tell: teller(url, report),
  }))
  let turn = 0
  return {
    log: {
      columns,
      seen(version, [timeline, lsn]) {
        wanted = typeof lsn !== 'number' ? undefined : { version, timeline: Number(timeline), lsn }
      },
    },
    read: (...queries) => ask((reads) => reads.read(...queries)),
    readAside: (by, ...queries) => ask((reads) => reads.readAside(by, ...queries)),
    readLittle: (by, ...queries) => ask((reads) => reads.readLittle(by, ...queries)),
    loads: () => replicas.map(({ reads }) => reads.load()),
    close: async () => void (await Promise.all(replicas.map(({ reads }) => reads.close()))),
  }

  async function ask(read: (from: Reader & AsideReader) => ReturnType<Reader['read']>): ReturnType<Reader['read']> {
    const replica = next()
    if (!replica) return read(leading)
    try {
      return await read(replica.reads)
    } catch (error) {
      const code = error instanceof Failure ? error.code : ''
      if (code === 'server.query_timeout' || error instanceof Abandoned) throw error
      if (code !== 'server.busy') rest(replica, error as Error)
      return read(leading)
    }
  }

  /** The replicas take turns. Undefined also if the catalogue in memory is newer than the last LSN that was read. */
  function next(): Replica | undefined {
    if (!wanted || wanted.version < (follower.version ?? Infinity)) return undefined
    for (const replica of replicas) if (!replica.isUp) tryAgain(replica)
    const up = replicas.filter(({ isUp }) => isUp)
    return up[turn++ % up.length]
  }

  /** Runs in the background. */
  function tryAgain(replica: Replica): void {
    if (replica.isResting) return
    replica.isResting = true
    replica.reads.read(sql`SELECT 1`).then(
      () => {
        Object.assign(replica, { isUp: true, isResting: false })
        replica.tell()
      },
      (error: Error) => rest(replica, error),
    )
  }
}

function rest(replica: Replica, error: Error): void {
  replica.tell((error.cause as Error | undefined) ?? error)
  Object.assign(replica, { isUp: false, isResting: true })
  setTimeout(() => (replica.isResting = false), REST).unref()
}

/** A replica that fails repeatedly is reported as away until it answers for a while. */
function teller(url: string, report: ReplicaReport): Replica['tell'] {
  const name = url.replace(/^\w+:\/\/(?:[^?]*@)?/, '').replace(/\?.*/s, '')
  let told: 'answers' | 'left out' | undefined
  let soon: NodeJS.Timeout | undefined
  const answers = () => {
    told = 'answers'
    report(name)
  }
  return (error) => {
    clearTimeout(soon)
    if (error) {
      if (told !== 'left out') report(name, error)
      told = 'left out'
    } else if (told === undefined) answers()
    else if (told === 'left out') soon = setTimeout(answers, STEADY).unref()
  }
}

/** Waits until a connection shows what is wanted. Known of each connection, as an address may lead to several servers. */
function arrival(wanted: () => LogPoint | undefined): (connection: Connection) => Promise<void> {
  const known = new WeakMap<Connection, LogPoint>()
  const asking = new WeakMap<Connection, Promise<LogPoint>>()
  /** One query serves all requests that wait. */
  function look(connection: Connection): Promise<LogPoint> {
    let answer = asking.get(connection)
    if (!answer) {
      answer = connection
        .query(replayed)
        .then(({ rows }) => {
          const [timeline, lsn] = rows[0]!
          const reached = { timeline: Number(timeline), lsn: Number(lsn) }
          known.set(connection, reached)
          return reached
        })
        .finally(() => asking.delete(connection))
      asking.set(connection, answer)
    }
    return answer
  }
  return async (connection) => {
    const goal = wanted()
    if (!goal) throw new Behind()
    if (isAt(known.get(connection), goal)) return
    let isLate = false
    const timer = setTimeout(() => (isLate = true), PATIENCE)
    try {
      while (!isAt(await look(connection), goal)) {
        if (isLate) throw new Behind()
        await new Promise((soon) => setTimeout(soon, 1))
      }
    } finally {
      clearTimeout(timer)
    }
  }
}

const isAt = (reached: LogPoint | undefined, goal: LogPoint): boolean =>
  reached !== undefined && reached.timeline === goal.timeline && reached.lsn >= goal.lsn
