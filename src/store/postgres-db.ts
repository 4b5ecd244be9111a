import { Failure } from '../errors.ts'
import { postgres } from '../sql/postgres.ts'
import { makeTrigrams, postgresIndexes } from '../sql/postgres-indexes.ts'
import { render, sql } from '../sql/sql.ts'
import type { Db, Ledger } from './db.ts'
import { postgresAddress } from './postgres-address.ts'
import { writeAside } from './postgres-aside.ts'
import { postgresReads, postgresReadsAside } from './postgres-reads.ts'
import { postgresWrites, type Follower } from './postgres-writes.ts'

/** Connections that read; for what may take long so many again, and a few for what does. Besides, one writes. */
const READERS = 4
const SLOW = 3
/** Milliseconds that a read aside has before it begins again among the slow ones, so that the many short ones never wait for a long one. */
const MOMENT = 100
/** Statements that were late, remembered at most; they go among the slow ones at once. */
const LATE = 1_000

export interface PostgresOptions {
  readonly follower?: Follower
  readonly ledgerOf?: (write: Db['write']) => Ledger
  /** Milliseconds after which a read aside is given up. */
  readonly queryTimeout?: number
}

/** A PostgreSQL database, shared with any number of other processes. Nothing is kept in a session, so poolers fit between. */
export function openPostgres(
  url: string,
  { follower = nobody, ledgerOf = () => nothing, queryTimeout = 20_000 }: PostgresOptions = {},
): Db {
  const address = postgresAddress(url)
  const reads = postgresReads(address, READERS)
  const quick = postgresReads(address, READERS, Math.min(MOMENT, queryTimeout))
  const late = new Set<string>()
  const slow = postgresReadsAside(address, SLOW, queryTimeout)
  const ledger: { current: Ledger } = { current: nothing }
  const writes = postgresWrites(
    address,
    { settle: (...given) => ledger.current.settle(...given), settled: (...given) => ledger.current.settled(...given) },
    follower,
  )
  ledger.current = ledgerOf(writes.write)
  return {
    dialect: postgres,
    read: reads.read,
    async readAside(...queries) {
      const statements = queries.map((query) => render(query, postgres.placeholder).text).join(';')
      if (late.has(statements)) return slow.read(...queries)
      try {
        return await quick.read(...queries)
      } catch (error) {
        if (!(error instanceof Failure) || error.code !== 'server.query_timeout') throw error
        if (late.size >= LATE) late.clear()
        late.add(statements)
        return slow.read(...queries)
      }
    },
    write: writes.write,
    writeAside: (statements) => writeAside(address, statements),
    async close() {
      await writes.close()
      await Promise.all([reads.close(), quick.close(), slow.close()])
    },
  }
}

/** For a database without a catalogue, and one without records. */
const nobody: Follower = { query: undefined, version: undefined, follow: async () => {} }
const nothing: Ledger = { settle: async () => {}, settled: () => {} }

/** With indexes over texts where the database has, or takes, the extension that they need. */
export async function withTrigrams(db: Db): Promise<Db> {
  const has = async () => (await db.read(sql`SELECT 1 FROM pg_extension WHERE extname = 'pg_trgm'`))[0]!.length > 0
  if (!(await has())) await db.write((tx) => tx.run(makeTrigrams), { alone: true }).catch(() => undefined)
  return (await has()) ? { ...db, dialect: { ...postgres, indexes: postgresIndexes(true) } } : db
}
