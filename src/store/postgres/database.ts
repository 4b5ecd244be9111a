import { citus, citusWithTrigrams } from '../../sql/citus.ts'
import { makeTrigrams } from '../../sql/citus-trigrams.ts'
import type { Dialect } from '../../sql/dialect.ts'
import { postgres } from '../../sql/postgres.ts'
import { sql } from '../../sql/sql.ts'
import type { Busy, Db, Ledger, SharedDb } from '../ground/db.ts'
import type { OnFault } from '../ground/fault.ts'
import type { Distribution } from './distribution.ts'
import { postgresAddress, type Address } from './address.ts'
import { isNotGiven } from './faults.ts'
import { writeAside } from './reading-aside.ts'
import { postgresReads } from './reads.ts'
import { postgresReplicas, type ReplicaReport } from './replicas.ts'
import { postgresWrites, type Follower } from './writes.ts'

export interface PostgresOptions {
  readonly follower?: Follower
  readonly ledgerOf?: (write: Db['write']) => Ledger
  /** Milliseconds after which a read aside is given up. */
  readonly queryTimeout?: number
  /** Whether requests are answered from it: then every statement that one of them waits for has a time limit. */
  readonly serves?: boolean
  readonly replicaUrls?: readonly string[]
  readonly onReplica?: ReplicaReport | undefined
  readonly distribution?: Distribution
}

/** A PostgreSQL database, shared with any number of other processes. Nothing is kept in a session, so poolers fit between. */
export function openPostgres(
  url: string,
  {
    follower = nobody,
    ledgerOf = () => nothing,
    queryTimeout = 20_000,
    serves = false,
    replicaUrls = [],
    onReplica = () => undefined,
    distribution = '',
  }: PostgresOptions = {},
): SharedDb {
  const dialect = dialects[distribution]
  const address = speaking(dialect, postgresAddress(url))
  const statements = { read: 0, write: 0 }
  const reads = postgresReads({ address: counting(address, () => statements.read++) }, queryTimeout, serves)
  const replicas = replicaUrls.length > 0 ? postgresReplicas(replicaUrls, reads, follower, queryTimeout, serves, onReplica) : undefined
  const ledger: { current: Ledger } = { current: nothing }
  const writes = postgresWrites({
    address: counting(address, () => statements.write++),
    ledger: () => ledger.current,
    follower,
    serves,
  })
  ledger.current = ledgerOf(writes.write)
  return {
    dialect,
    read: reads.read,
    readAside: reads.readAside,
    readLong: reads.readLong,
    readLittle: reads.readLittle,
    forLists: replicas ?? reads,
    log: replicas?.log ?? { columns: sql``, seen: () => {} },
    readApart: reads.readApart,
    load() {
      const all = [reads.load(), ...(replicas?.loads() ?? [])]
      const queues = { quick: sum(all.map(({ quick }) => quick)), slow: sum(all.map(({ slow }) => slow)), write: writes.load() }
      return { statements: { ...statements }, queues }
    },
    write: writes.write,
    writeAside: (asked) => writeAside(address, asked),
    async close() {
      await writes.close()
      await Promise.all([reads.close(), replicas?.close()])
    },
  }
}

const speaking = (dialect: Dialect, { connect }: Address): Address => ({ connect: async () => ({ ...(await connect()), dialect }) })

/** The same, with a count of the statements that are sent over its connections, without those that begin and end transactions. */
const counting = ({ connect }: Address, count: () => void): Address => ({
  async connect() {
    const connection = await connect()
    const counted =
      <A extends unknown[], R>(send: (...given: A) => R) =>
      (...given: A): R => {
        count()
        return send(...given)
      }
    return { ...connection, query: counted(connection.query), part: counted(connection.part), once: counted(connection.once) }
  },
})

const sum = (all: readonly Busy[]): Busy => ({
  waiting: all.reduce((so, { waiting }) => so + waiting, 0),
  running: all.reduce((so, { running }) => so + running, 0),
})

const dialects: Readonly<Record<Distribution, Dialect>> = { '': postgres, citus }

/** For a database without a catalogue, and one without records. */
const nobody: Follower = { query: undefined, version: undefined, follow: async () => {} }
const nothing: Ledger = { beforeCommit: async () => {}, afterCommit: () => {} }

/** Citus with indexes over texts where it has, or takes, the extension that they need. `onWarning` is told where it does not. */
export async function withTrigrams<D extends Db>(db: D, onFault: OnFault, onWarning: (what: string) => void): Promise<D> {
  if (db.dialect !== citus) return db
  const has = async () => (await db.read(sql`SELECT 1 FROM pg_extension WHERE extname = 'pg_trgm'`))[0]!.length > 0
  if (!(await has()))
    await db
      .write((tx) => tx.run(makeTrigrams), { alone: true })
      .catch((error: unknown) => (isNotGiven(error) ? onWarning(NO_TRIGRAMS) : onFault('the extension pg_trgm was not made', error)))
  return (await has()) ? { ...db, dialect: citusWithTrigrams } : db
}

const NO_TRIGRAMS =
  'no indexes over texts: the database has no extension pg_trgm, and the role may not create it; let an administrator of the database run CREATE EXTENSION pg_trgm, and restart'
