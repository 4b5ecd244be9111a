import { stat } from 'node:fs/promises'
import { constant, sql } from '../../sql/sql.ts'
import { memo } from '../../memory/memo.ts'
import type { Store } from '../ground/store.ts'

export interface Figures {
  /** With its version. */
  readonly engine: string
  readonly databaseBytes: number
  /** Of those, the bytes that new data will take; null: the engine does not tell. */
  readonly unusedBytes: number | null
  /** Of the write-ahead log beside the database file; null: there is none that this process knows. */
  readonly logBytes: number | null
  /** The files of records and of the trash, as they were uploaded: as far as they are counted. */
  readonly files: { readonly count: number; readonly bytes: number; readonly areAll: boolean }
  /** Bytes that the storage of files has left; null: it does not tell. */
  readonly freeBytes: number | null
}

/** Milliseconds for which figures are used again: measuring a database looks at all of its files. */
const KEPT = 1_000
/** So many files are counted: reading more would keep other requests waiting. */
const MOST_FILES = 10_000

const ofFiles = sql`SELECT count(*), coalesce(sum(size), 0),
    (SELECT count(*) FROM (SELECT id FROM files LIMIT 1 OFFSET ${constant(MOST_FILES)}) AS further)
  FROM (SELECT size FROM files LIMIT ${constant(MOST_FILES)}) AS counted`

type Used = Pick<Store, 'db' | 'readApart' | 'files' | 'environment'>

/** How large the installation is. One measurement at most at a time, and one in a second. */
export const figures = memo((store: Used): (() => Promise<Figures>) => {
  let last: { readonly at: number; readonly found: Promise<Figures> } | undefined
  let isRunning = false
  return () => {
    const at = store.environment.now()
    // The clock may have been set back.
    if (last && (isRunning || Math.abs(at - last.at) < KEPT)) return last.found
    isRunning = true
    const found = measure(store).finally(() => (isRunning = false))
    last = { at, found }
    return found
  }
})

async function measure({ db, readApart, files }: Used): Promise<Figures> {
  const [rows, counted, free] = await Promise.all([readApart(db.dialect.measure), db.read(ofFiles), files.room()])
  const [engine, bytes, unused, file] = rows[0]!
  const [count, ofThem, further] = counted[0]![0]!.map(Number)
  return {
    engine: String(engine),
    databaseBytes: Number(bytes),
    unusedBytes: unused === null ? null : Number(unused),
    logBytes: file === null ? null : await sizeOf(`${String(file)}-wal`),
    files: { count: count!, bytes: ofThem!, areAll: further === 0 },
    freeBytes: Number.isFinite(free) ? free : null,
  }
}

/** 0: there is no such file. */
const sizeOf = (path: string): Promise<number> =>
  stat(path).then(
    ({ size }) => size,
    () => 0,
  )
