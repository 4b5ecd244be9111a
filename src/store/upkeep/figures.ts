import { memo } from '../../memory/memo.ts'
import type { Store } from '../ground/store.ts'

export interface Figures {
  /** With its version. */
  readonly engine: string
  readonly databaseBytes: number
  /** Bytes that the storage of files has left; null: it does not tell. */
  readonly freeBytes: number | null
}

/** Milliseconds for which figures are used again: measuring a database looks at all of its files. */
const KEPT = 1_000

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
  const [rows, free] = await Promise.all([readApart(db.dialect.measure), files.room()])
  const [engine, bytes] = rows[0]!
  return { engine: String(engine), databaseBytes: Number(bytes), freeBytes: Number.isFinite(free) ? free : null }
}
