import { fail } from '../../errors.ts'
import { sql, type Sql } from '../../sql/sql.ts'
import type { Catalogue } from '../model/catalogue.ts'
import type { Db, SharedDb, Row, Transaction } from '../ground/db.ts'
import type { Dialect } from '../../sql/dialect.ts'
import { loadCatalogue, within } from './load-catalogue.ts'
import { mustBeWritten, readComing } from './phone-country.ts'
import { MOVED } from '../schema/standing.ts'
import type { Store } from '../ground/store.ts'

/** The catalogue in memory: replaced at the moment of each commit that changes it. */
export type KeptCatalogue = Pick<Store, 'catalogue' | 'catchUp' | 'caughtUpTo' | 'restructure' | 'changePeople'>

/** For a database that only this process changes. */
export async function keepCatalogue(db: Db): Promise<KeptCatalogue> {
  let catalogue = await loadCatalogue(db.read, db.dialect)
  return {
    catalogue: () => catalogue,
    catchUp: undefined,
    caughtUpTo: undefined,
    restructure: (work) =>
      replacing(
        db,
        work,
        (tx) => loadCatalogue(within(tx), db.dialect, catalogue),
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
 * For a database that other processes change too. The version of the catalogue is in the database. It is compared before every
 * request, by one read for all requests that wait; and in every write, under the lock that changes of the catalogue take exclusively.
 * With it are numbers of changes by kind: after changes of people nothing is read; after others, only tables and rules with another version.
 */
export function followCatalogue() {
  let kept: Kept | undefined
  let dialect: Dialect | undefined
  const install = (next: Kept) => {
    if (!kept || next.versions.version > kept.versions.version) kept = next
  }
  const next = (versions: Versions, read: Read): Kept | Promise<Kept> =>
    kept && isOfPeople(kept.versions, versions)
      ? { versions, catalogue: { ...kept.catalogue, version: versions.version } }
      : load(read, dialect!, kept)
  return {
    follower: {
      get query() {
        return dialect && 'SELECT version, structure, people FROM catalogue_version'
      },
      get version() {
        return kept?.versions.version
      },
      async follow(row: Row, tx: Transaction) {
        install(await next(versionsOf(row), within(tx)))
      },
    },
    /** Called when the tables exist. `horizon`: a position in the log of changes below which nothing more will be committed. */
    async keep(db: SharedDb, horizon: Sql): Promise<KeptCatalogue> {
      dialect = db.dialect
      let reached = 0
      const change = async (tx: Transaction, kind: Sql) => {
        const [row] = await tx.runReturning(
          sql`UPDATE catalogue_version SET version = version + 1, ${kind} = ${kind} + 1 RETURNING version, structure, people`,
        )
        return next(versionsOf(row!), within(tx))
      }
      // A read without a write, so that lists are answered while the database refuses writes.
      install(await load(db.read, dialect))
      return {
        catalogue: () => kept!.catalogue,
        catchUp: shared(async () => {
          const [rows] = await db.read(sql`SELECT version, structure, people, ${horizon}${db.log.columns} FROM catalogue_version`)
          const [version, structure, people, below, ...progress] = rows![0]!
          db.log.seen(Number(version), progress)
          reached = Number(below) - 1
          if (version !== kept!.versions.version) install(await next(versionsOf([version!, structure!, people!]), db.read))
        }),
        caughtUpTo: () => reached,
        restructure: (work) => replacing(db, work, (tx) => change(tx, sql`structure`), install),
        changePeople: (work) => replacing(db, work, (tx) => change(tx, sql`people`), install),
      }
    },
  }
}

/** Numbers of changes: of the catalogue, of structure or rights in it, of users or tokens in it. */
interface Versions {
  readonly version: number
  readonly structure: number
  readonly people: number
}
interface Kept {
  readonly versions: Versions
  readonly catalogue: Catalogue
}
type Read = (...queries: Sql[]) => Promise<readonly Row[][]>

const versionsOf = ([version, structure, people]: Row): Versions => ({
  version: Number(version),
  structure: Number(structure),
  people: Number(people),
})

/** Changes by processes of an older version of Kartoteka, which count neither kind and do not change the versions of rules. */
const uncounted = ({ version, structure, people }: Versions): number => version - structure - people
const isOfPeople = (before: Versions, now: Versions): boolean => before.structure === now.structure && uncounted(before) === uncounted(now)

/** Where the installation was moved to another store, a process that still serves this one notices by the version of the catalogue. */
async function load(read: Read, dialect: Dialect, before?: Kept): Promise<Kept> {
  let versions: Versions | undefined
  const marked: Read = async (...queries) => {
    const [rows, moved, coming, ...answers] = await read(
      sql`SELECT version, structure, people FROM catalogue_version`,
      sql`SELECT 1 FROM meta WHERE name = ${MOVED}`,
      readComing,
      ...queries,
    )
    if (moved!.length > 0) throw fail('server.unavailable', { why: 'This installation was moved to another database.' })
    mustBeWritten(coming!)
    versions = versionsOf(rows![0]!)
    return answers
  }
  const catalogue = await loadCatalogue(marked, dialect, before?.catalogue)
  if (before && before.catalogue.access.size > 0 && uncounted(before.versions) !== uncounted(versions!))
    return load(read, dialect, { ...before, catalogue: { ...before.catalogue, access: new Map() } })
  return { versions: versions!, catalogue: { ...catalogue, version: versions!.version } }
}

function replacing<T, Next>(
  db: Db,
  work: (tx: Transaction) => Promise<T>,
  reload: (tx: Transaction) => Promise<Next>,
  install: (next: Next) => void,
): Promise<T> {
  let next: Next
  return db.write(
    async (tx) => {
      const result = await work(tx)
      next = await reload(tx)
      return result
    },
    { alone: true, onCommit: () => install(next) },
  )
}

/** Reads the version once for all calls that come before the read begins; later calls wait for the next read. */
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
