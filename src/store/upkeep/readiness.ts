import { sql } from '../../sql/sql.ts'
import { memo } from '../../memory/memo.ts'
import type { Store } from '../ground/store.ts'
import { migrations } from '../schema/migrations/index.ts'
import { MARK, MOVED } from '../schema/standing.ts'

/** What keeps a store from being used. */
export type Hindrance = 'database' | 'migrations' | 'moved' | 'disk' | 'files'

/** Milliseconds for which an answer is used again: strangers may ask, and must not make work. */
const KEPT = 1_000
/** Milliseconds after which what has not answered counts as away. */
const PATIENCE = 2_000
/** Bytes that must be free: a transaction of the largest request, its files and the log of the database. */
export const ROOM = 33_554_432

const state = sql`SELECT (SELECT max(number) FROM migrations), (SELECT count(*) FROM meta WHERE name IN (${MARK}, ${MOVED}))`

type Used = Pick<Store, 'readApart' | 'files' | 'environment'>

/** Whether a store can be used: undefined, or what hinders it. One statement at most at a time, and one in a second. Never throws. */
export const readiness = memo((store: Used): (() => Promise<Hindrance | undefined>) => {
  let last: { readonly at: number; readonly found: Promise<Hindrance | undefined> } | undefined
  let isRunning = false
  return () => {
    const at = store.environment.now()
    // The clock may have been set back.
    if (last && (isRunning || Math.abs(at - last.at) < KEPT)) return last.found
    isRunning = true
    const found = look(store).finally(() => (isRunning = false))
    last = { at, found }
    return found
  }
})

async function look({ readApart, files }: Used): Promise<Hindrance | undefined> {
  const reach = () => files.reach().then(() => true)
  const [rows, free, isReached] = await Promise.all([answerOf(() => readApart(state)), answerOf(() => files.room()), answerOf(reach)])
  const [number, marks] = rows?.[0] ?? []
  if (number === undefined) return 'database'
  if (Number(number) !== migrations.length) return 'migrations'
  if (Number(marks) > 0) return 'moved'
  if (free === undefined || free < ROOM) return 'disk'
  return isReached ? undefined : 'files'
}

/** What the work answers; undefined where it fails, or takes too long. */
function answerOf<T>(work: () => Promise<T>): Promise<T | undefined> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(undefined), PATIENCE)
    // Why it fails is in the log of requests, which fail for the same reason.
    const end = (answer: T | undefined) => {
      clearTimeout(timer)
      resolve(answer)
    }
    work().then(end, () => end(undefined))
  })
}
