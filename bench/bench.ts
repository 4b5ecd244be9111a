/** What every question needs: prepared data, both servers on copies of it, the load generator, and how long to measure. */
import Database from 'better-sqlite3'
import { chmodSync, constants, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { startLoader, type Loader } from './loader.ts'
import { neighbours, type Neighbours } from './machine.ts'
import { commandOf, importArguments, loadFloor, program, startFloor, startOurs, stop, writeCsv, type Ours, type Server } from './servers.ts'

export interface Options {
  readonly rows: number
  /** Of each timed stretch. */
  readonly seconds: number
  /** How often ours and the floor take turns. */
  readonly rounds: number
  /** Where prepared data stays for the next run; undefined: nowhere. */
  readonly keep: string | undefined
  /** Folder of the harness that measures peers (of the question `pages`: where they are installed), and their names there. */
  readonly peers: string | undefined
  readonly against: readonly string[]
  /** Folder of another version. */
  readonly other: string | undefined
  /** Of the question `lists`: where its records are, and the names of its lists; none: all. */
  readonly store: Store
  readonly only: readonly string[]
}

export type Store = 'sqlite' | 'postgres'

export interface Bench extends Options {
  readonly loader: Loader
  readonly neighbours: Neighbours
  /** A folder that is gone in the end. */
  readonly folder: string
  /** Runs the work with both servers, each on its own copy of this many records. */
  withPair<T>(rows: number, work: (pair: Pair) => Promise<T>): Promise<T>
  /** Runs the work with a copy of prepared data that nobody serves yet; `by`: the program that makes them. */
  withData<T>(rows: number, work: (data: Prepared) => Promise<T>, by?: string): Promise<T>
  /** A CSV file of the seed's customers, made once. */
  csv(from: number, to: number): Promise<string>
}

export interface Pair {
  readonly ours: Ours
  readonly floor: Server
  readonly rows: number
}

export interface Prepared {
  /** Directory of an installation whose table 1 holds the records. */
  readonly data: string
  readonly token: string
  readonly floor: string
}

export async function withBench<T>(options: Options, work: (bench: Bench) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'kartoteka-bench-'))
  const kept = options.keep ?? join(folder, 'prepared')
  const loader = startLoader()
  let copies = 0
  const bench: Bench = {
    ...options,
    loader,
    neighbours: neighbours(),
    folder,
    async csv(from, to) {
      const file = join(folder, `customers-${from}-${to}.csv`)
      if (!existsSync(file)) await writeCsv(file, from, to)
      return file
    },
    async withData(rows, use, by = program) {
      const from = await prepare(bench, join(kept, by === program ? String(rows) : `${basename(dirname(dirname(by)))}-${rows}`), rows, by)
      const to = join(folder, `copy-${++copies}`)
      cpSync(from, to, { recursive: true, mode: constants.COPYFILE_FICLONE })
      // The server would remark on it at each start.
      chmodSync(join(to, 'data'), 0o700)
      try {
        return await use(inside(to))
      } finally {
        rmSync(to, { recursive: true, force: true })
      }
    },
    withPair: (rows, use) =>
      bench.withData(rows, async ({ data, token, floor }) => {
        const servers: Server[] = []
        try {
          const ours = await startOurs(data, token)
          servers.push(ours)
          const its = await startFloor(floor)
          servers.push(its)
          return await use({ ours, floor: its, rows })
        } finally {
          for (const one of servers) await stop(one)
        }
      }),
  }
  try {
    return await work(bench)
  } finally {
    loader.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Imports the seed into an installation and into a database of the floor, unless that was done before. */
async function prepare(bench: Bench, place: string, rows: number, by: string): Promise<string> {
  if (existsSync(join(place, 'token'))) return place
  rmSync(place, { recursive: true, force: true })
  mkdirSync(place, { recursive: true })
  console.error(`preparing ${rows} records`)
  const file = await bench.csv(1, rows)
  const data = join(place, 'data')
  await commandOf(by, {}, data, ...importArguments('customers', file))
  await loadFloor(join(place, 'floor.sqlite'), file)
  const { said } = await commandOf(by, {}, data, 'token', 'create', '--login', 'admin')
  writeFileSync(join(place, 'token'), said.trim())
  rmSync(file)
  return place
}

const inside = (folder: string): Prepared => ({
  data: join(folder, 'data'),
  token: readFileSync(join(folder, 'token'), 'utf8'),
  floor: join(folder, 'floor.sqlite'),
})

/** The indexes that the table of records carries, and tables beside it that serve as such, as the file has them. */
export function indexesOf(ours: Ours): string[] {
  const db = new Database(join(ours.data, 'kartoteka.sqlite'), { readonly: true })
  try {
    const rows = db
      .prepare(
        `SELECT type, name, sql FROM sqlite_schema WHERE (type = 'index' AND tbl_name = 'data1') OR sql LIKE 'CREATE VIRTUAL TABLE%'`,
      )
      .all()
    return (rows as { type: string; name: string; sql: string | null }[]).map(({ name, sql }) => {
      // Of a virtual table, what follows its columns are settings.
      const columns = sql === null ? 'unique' : (/USING fts5\(([^,]*)/.exec(sql) ?? /\(([^]*)\)/.exec(sql))?.[1]
      return `${name} (${columns})`
    })
  } finally {
    db.close()
  }
}
