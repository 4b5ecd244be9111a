import { fail } from '../errors.ts'
import { sql, type Sql } from '../sql/sql.ts'
import type { Catalogue } from './catalogue.ts'
import type { Db, Row, Transaction } from './db.ts'
import { loadCatalogue, within } from './load-catalogue.ts'
import { MOVED } from './standing.ts'
import type { Store } from './store.ts'

/** The catalogue in memory: replaced at the moment of each commit that changes it. */
export type KeptCatalogue = Pick<Store, 'catalogue' | 'catchUp' | 'restructure' | 'changePeople'>

/** Of a database that is this process's alone. */
export async function keepCatalogue(db: Db): Promise<KeptCatalogue> {
  let catalogue = await loadCatalogue(db.read)
  return {
    catalogue: () => catalogue,
    catchUp: undefined,
    restructure: (work) =>
      replacing(
        db,
        work,
        (tx) => loadCatalogue(within(tx), catalogue),
        (next) => (catalogue = next),
      ),
    changePeople: (work) =>
      replacing(
        db,
        work,
        () => Promise.resolve({ ...catalogue, version: catalogue.version + 1 }),
        (next) => (catalogue = next),
      ),
  }
}

/**
 * Of a database that other processes change too. Its version is kept there: compared before every request by a read that
 * requests share, and in every write under the lock that changes of the catalogue hold alone.
 */
export function followCatalogue() {
  let catalogue: Catalogue | undefined
  let ready = false
  const install = (next: Catalogue) => {
    if (!catalogue || next.version > catalogue.version) catalogue = next
  }
  const load = async (tx: Transaction, version: number): Promise<Catalogue> => ({
    ...(await loadCatalogue(unmoved(within(tx)), catalogue)),
    version,
  })
  return {
    follower: {
      get query() {
        return ready ? 'SELECT version FROM catalogue_version' : undefined
      },
      get version() {
        return catalogue?.version
      },
      async follow(version: number, tx: Transaction) {
        install(await load(tx, version))
      },
    },
    /** Once the tables are there. */
    async keep(db: Db): Promise<KeptCatalogue> {
      ready = true
      // Nothing is written, so that lists are answered where the database refuses writes.
      const look = async () => {
        let version = 0
        const read = async (...queries: Sql[]) => {
          const [[row] = [], ...rows] = await db.read(sql`SELECT version FROM catalogue_version`, ...queries)
          version = Number(row![0])
          return rows
        }
        const next = await loadCatalogue(unmoved(read), catalogue)
        install({ ...next, version })
      }
      await look()
      return {
        catalogue: () => catalogue!,
        catchUp: shared(async () => {
          const [rows] = await db.read(sql`SELECT version${db.replicas?.position ?? sql``} FROM catalogue_version`)
          const [version, ...position] = rows![0]!
          db.replicas?.seen(Number(version), position)
          if (version !== catalogue!.version) await look()
        }),
        restructure: (work) => replacing(db, work, async (tx) => load(tx, await raise(tx)), install),
        changePeople: (work) =>
          replacing(
            db,
            work,
            async (tx) => {
              const version = await raise(tx)
              // Where nobody else has changed it since, the structure in memory is the one of this transaction.
              return catalogue!.version === version - 1 ? { ...catalogue!, version } : load(tx, version)
            },
            install,
          ),
      }
    },
  }
}

/** A process that serves a store whose installation was brought elsewhere notices with the version of the catalogue. */
const unmoved =
  (read: (...queries: Sql[]) => Promise<readonly Row[][]>) =>
  async (...queries: Sql[]): Promise<readonly Row[][]> => {
    const [moved, ...rows] = await read(sql`SELECT 1 FROM meta WHERE name = ${MOVED}`, ...queries)
    if (moved!.length > 0) throw fail('server.unavailable', { why: 'This installation was moved to another database.' })
    return rows
  }

const raise = async (tx: Transaction): Promise<number> =>
  Number((await tx.all(sql`UPDATE catalogue_version SET version = version + 1 RETURNING version`))[0]![0])

function replacing<T>(
  db: Db,
  work: (tx: Transaction) => Promise<T>,
  reload: (tx: Transaction) => Promise<Catalogue>,
  install: (next: Catalogue) => void,
): Promise<T> {
  let next: Catalogue
  return db.write(
    async (tx) => {
      const result = await work(tx)
      next = await reload(tx)
      return result
    },
    { alone: true, onCommit: () => install(next) },
  )
}

/** One look serves all who ask before it begins; who asks later waits for the next. */
function shared(look: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined
  let next: Promise<void> | undefined
  return () => {
    if (!running) return (running = look().finally(() => (running = undefined)))
    next ??= running
      .catch(() => undefined)
      .then(() => {
        next = undefined
        return (running = look().finally(() => (running = undefined)))
      })
    return next
  }
}
