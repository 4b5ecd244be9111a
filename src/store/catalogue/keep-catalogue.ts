import { fail } from '../../errors.ts'
import { sql, type Sql } from '../../sql/sql.ts'
import type { Catalogue } from '../model/catalogue.ts'
import type { Db, SharedDb, Row, Transaction } from '../ground/db.ts'
import type { Dialect } from '../../sql/dialect.ts'
import { loadCatalogue, within } from './load-catalogue.ts'
import { MOVED } from '../schema/standing.ts'
import type { Store } from '../ground/store.ts'

/** The catalogue in memory: replaced at the moment of each commit that changes it. */
export type KeptCatalogue = Pick<Store, 'catalogue' | 'catchUp' | 'restructure' | 'changePeople'>

/** Of a database that is this process's alone. */
export async function keepCatalogue(db: Db): Promise<KeptCatalogue> {
  let catalogue = await loadCatalogue(db.read, db.dialect)
  return {
    catalogue: () => catalogue,
    catchUp: undefined,
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
 * Of a database that other processes change too. Its version is kept there: compared before every request by a read that
 * requests share, and in every write under the lock that changes of the catalogue hold alone. Beside it stands of what kind
 * the changes were: who follows changes of people reads nothing, who follows others reads what has another version.
 */
export function followCatalogue() {
  let kept: Kept | undefined
  let dialect: Dialect | undefined
  const install = (next: Kept) => {
    if (!kept || next.versions.version > kept.versions.version) kept = next
  }
  const next = (versions: Versions, read: Read): Kept | Promise<Kept> =>
    kept && isOfPeople(kept.versions, versions) ? { versions, catalogue: { ...kept.catalogue, version: versions.version } } : load(read, dialect!, kept)
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
    /** Once the tables are there. */
    async keep(db: SharedDb): Promise<KeptCatalogue> {
      dialect = db.dialect
      const change = async (tx: Transaction, kind: Sql) => {
        const [row] = await tx.runReturning(
          sql`UPDATE catalogue_version SET version = version + 1, ${kind} = ${kind} + 1 RETURNING version, structure, people`,
        )
        return next(versionsOf(row!), within(tx))
      }
      // Nothing is written, so that lists are answered where the database refuses writes.
      install(await load(db.read, dialect))
      return {
        catalogue: () => kept!.catalogue,
        catchUp: shared(async () => {
          const [rows] = await db.read(sql`SELECT version, structure, people${db.log.columns} FROM catalogue_version`)
          const [version, structure, people, ...progress] = rows![0]!
          db.log.seen(Number(version), progress)
          if (version !== kept!.versions.version) install(await next(versionsOf([version!, structure!, people!]), db.read))
        }),
        restructure: (work) => replacing(db, work, (tx) => change(tx, sql`structure`), install),
        changePeople: (work) => replacing(db, work, (tx) => change(tx, sql`people`), install),
      }
    },
  }
}

/** How often the catalogue has changed, and how often it was structure or rights, or users or tokens. */
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

/** Changes of older processes, which say nothing of their kind and give no rule another version. */
const uncounted = ({ version, structure, people }: Versions): number => version - structure - people
const isOfPeople = (before: Versions, now: Versions): boolean => before.structure === now.structure && uncounted(before) === uncounted(now)

/** A process that serves a store whose installation was brought elsewhere notices with the version of the catalogue. */
async function load(read: Read, dialect: Dialect, before?: Kept): Promise<Kept> {
  let versions: Versions | undefined
  const marked: Read = async (...queries) => {
    const [rows, moved, ...answers] = await read(
      sql`SELECT version, structure, people FROM catalogue_version`,
      sql`SELECT 1 FROM meta WHERE name = ${MOVED}`,
      ...queries,
    )
    if (moved!.length > 0) throw fail('server.unavailable', { why: 'This installation was moved to another database.' })
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
