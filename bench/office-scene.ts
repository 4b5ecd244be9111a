/** The servers of the question `lists`: one over SQLite, or two over one PostgreSQL, of which one takes the writes; the floor beside. */
import { createReadStream } from 'node:fs'
import { dirname, join } from 'node:path'
import { finished } from 'node:stream/promises'
import Database from 'better-sqlite3'
import type { Cluster } from '../scripts/postgres.mjs'
import { askDatabase } from './ask-database.ts'
import type { Bench, Prepared } from './bench.ts'
import { makeLimitedReader } from './limited-reader.ts'
import { startLoader, type Loader } from './loader.ts'
import { cpuOf, cpuOfFamily, familyOf } from './machine.ts'
import { overPostgres } from './over-postgres.ts'
import { commandOf, program, startFloor, startOurs, stop, type Ours, type Server } from './servers.ts'

export interface Scene {
  readonly bench: Bench
  readonly rows: number
  /** Where lists are read. */
  readonly reading: Ours
  /** Where records are written: the same over SQLite. */
  readonly writing: Ours
  /** Token of a user who sees 2 % of the records. */
  readonly limited: string
  readonly floor: Server
  /** Database file of the floor. */
  readonly floorFile: string
  readonly cluster: Cluster | undefined
  /** A load generator for writes. */
  readonly writer: Loader
  /** Seconds of processor time that reading has used, and with PostgreSQL its database. */
  cpu(): number
  readonly pids: () => readonly number[]
  /** The indexes of the table that are there (`f1 order`), and how many are to be made. */
  indexes(): Promise<{ readonly ready: ReadonlySet<string>; readonly waiting: number }>
  /**
   * Reads the file of the database once (SQLite): the operating system has it in memory then, if there is room, as where lists have been read for some time.
   * The copy that the program has just made has pushed parts of it out.
   */
  readThrough(): Promise<void>
  /** Ends the server where lists are read and starts a new one over the same records. */
  restart(): Promise<void>
}

/** `by`: the program that is measured. */
export const withScene = <T>(bench: Bench, work: (scene: Scene) => Promise<T>, by: string = program): Promise<T> =>
  bench.withData(
    bench.rows,
    (prepared) =>
      bench.store === 'postgres'
        ? overPostgres(
            bench,
            join(dirname(prepared.floor), 'postgres'),
            ({ data, token, more, cluster }) => served(bench, by, { ...prepared, data, token }, more, cluster, work),
            by,
          )
        : served(bench, by, prepared, {}, undefined, work),
    by,
  )

const databaseOf = (data: string): string => join(data, 'kartoteka.sqlite')

const INDEXES = "SELECT attribute || ' ' || kind AS made, state FROM indexes WHERE table_id = 1"

interface Index {
  readonly made: string
  readonly state: string
}

async function indexesOf(data: string, cluster: Cluster | undefined): Promise<readonly Index[]> {
  if (cluster) return (await askDatabase(cluster, INDEXES)) as unknown as Index[]
  const db = new Database(databaseOf(data), { readonly: true })
  try {
    return db.prepare<[], Index>(INDEXES).all()
  } finally {
    db.close()
  }
}

async function served<T>(
  bench: Bench,
  by: string,
  { data, token, floor: floorFile }: Prepared,
  more: NodeJS.ProcessEnv,
  cluster: Cluster | undefined,
  work: (scene: Scene) => Promise<T>,
): Promise<T> {
  const writer = startLoader()
  const running: { reading?: Ours; writing?: Ours; floor?: Server } = {}
  try {
    running.reading = await startOurs(data, token, more, by)
    running.writing = cluster ? await startOurs(data, token, more, by) : running.reading
    running.floor = await startFloor(floorFile)
    const login = await makeLimitedReader(running.reading)
    const { said } = await commandOf(by, more, data, 'token', 'create', '--login', login)
    const pidsOfCluster = () => (cluster ? familyOf(cluster.process.pid!) : [])
    return await work({
      bench,
      rows: bench.rows,
      limited: said.trim(),
      floor: running.floor,
      floorFile,
      cluster,
      writer,
      get reading() {
        return running.reading!
      },
      get writing() {
        return cluster ? running.writing! : running.reading!
      },
      cpu: () => cpuOf(running.reading!.child.pid!) + (cluster ? cpuOfFamily(cluster.process.pid!) : 0),
      pids: () => [
        // Over SQLite one process answers and writes.
        ...new Set([running.reading!, running.writing!, running.floor!].map(({ child }) => child.pid!)),
        ...pidsOfCluster(),
        bench.loader.pid,
        writer.pid,
        process.pid,
      ],
      async indexes() {
        const all = await indexesOf(data, cluster)
        const of = (state: string) => all.filter((one) => one.state === state).map(({ made }) => made)
        return { ready: new Set(of('ready')), waiting: of('waiting').length }
      },
      async readThrough() {
        if (!cluster) await finished(createReadStream(databaseOf(data), { highWaterMark: 2 ** 20 }).resume())
      },
      async restart() {
        await stop(running.reading!)
        running.reading = await startOurs(data, token, more, by)
      },
    })
  } finally {
    writer.close()
    for (const one of new Set([running.reading, running.writing, running.floor])) if (one) await stop(one)
  }
}
