import { limits } from '../../limits.ts'
import { sql } from '../../sql/sql.ts'
import { reportTo } from '../ground/fault.ts'
import { readRow } from '../ground/relation.ts'
import type { Uses } from '../ground/store.ts'
import { horizonOf } from './follow-changes.ts'
import { upToBytes, wholeChanges, type Change } from './list-changes.ts'

/*
 * Reads the end of the log once for all listeners of this process. It reads after each commit of this process and, for those of others,
 * every `POLL` milliseconds.
 */

/** Milliseconds between two looks at the log. */
const POLL = 200
/** The same where changes are committed that an older transaction still keeps back. */
export const SOON = 15
/** Changes read at once, at most. */
const ROWS = 200

/** Changes in their order, the log up to `to`. */
export interface LogPart {
  readonly rows: readonly Change[]
  readonly to: number
}

export interface Tail {
  /** All up to here was passed on. */
  readonly position: number
  stop(): void
}

interface Follower {
  /** The next part comes when it has resolved, and after a pause as long as that took: at most half of the time goes there. */
  take(part: LogPart): Promise<void>
  /** Called before each look. */
  everyLook(): Promise<void>
}

type Used = Uses<'db' | 'onCommit' | 'onFault' | 'environment'>

/** Passes on what comes after a position, part by part. */
export function tailLog(store: Used, from: number, follower: Follower): Tail {
  let position = from
  let [isEnded, isWoken, isLooking, isFaulty] = [false, false, false, false]
  let timer: NodeJS.Timeout | undefined
  /** Unix milliseconds. */
  let rested = 0
  const report = reportTo(store.onFault, 'the log of changes could not be followed')
  const lookIn = (milliseconds: number) => (timer = setTimeout(() => void look(), milliseconds))

  async function look(): Promise<void> {
    isLooking = true
    isWoken = false
    let wait = POLL
    try {
      const done = await lookOnce(store, position, follower)
      position = done.position
      rested = store.environment.now() + done.pause
      wait = isWoken ? Math.min(done.wait, done.pause) : done.wait
      isFaulty = false
    } catch (error) {
      // Once: the database may be away for long. An orderly stop is no fault.
      if (!isFaulty && !isEnded) report(error)
      isFaulty = true
    }
    isLooking = false
    if (!isEnded) lookIn(wait)
  }

  function wake(): void {
    isWoken = true
    if (isLooking || isEnded) return
    clearTimeout(timer)
    lookIn(Math.min(POLL, Math.max(0, rested - store.environment.now())))
  }

  const stopHearing = store.onCommit(wake)
  lookIn(0)
  return {
    get position() {
      return position
    },
    stop() {
      isEnded = true
      stopHearing()
      clearTimeout(timer)
    },
  }
}

/** `wait`: milliseconds until the next look, `pause` if something was committed meanwhile. */
async function lookOnce(
  store: Used,
  position: number,
  { take, everyLook }: Follower,
): Promise<{ readonly position: number; readonly wait: number; readonly pause: number }> {
  await everyLook()
  const { part, isMore, isHeld } = await readPart(store, position)
  if (!part) return { position, wait: isHeld ? SOON : POLL, pause: 0 }
  const began = store.environment.now()
  await take(part)
  const pause = Math.min(POLL, Math.max(0, store.environment.now() - began))
  return { position: part.to, wait: isMore ? pause : isHeld ? Math.max(SOON, pause) : POLL, pause }
}

/** The next changes; `isHeld`: there are some that cannot be read yet. */
async function readPart(
  store: Uses<'db'>,
  after: number,
): Promise<{ readonly part: LogPart | undefined; readonly isMore: boolean; readonly isHeld: boolean }> {
  const { db } = store
  const horizon = horizonOf(store)
  const [state] = await db.read(sql`SELECT (SELECT max(id) FROM changes WHERE id < ${horizon}), max(id) FROM changes`)
  const [end, newest] = state![0]!.map(Number) as [number, number]
  const isHeld = newest > Math.max(end, after)
  if (end <= after) return { part: undefined, isMore: false, isHeld }
  const page = sql`WHERE id > ${after} AND id <= ${end} ORDER BY id LIMIT ${ROWS}`
  const [rows, counted] = await db.read(
    upToBytes(store, limits.changesInPage.most, page),
    sql`SELECT count(*) FROM (SELECT id FROM changes ${page}) AS page`,
  )
  const read = rows!.map((row) => readRow(wholeChanges, row))
  const isMore = read.length === ROWS || read.length < Number(counted![0]![0])
  return { part: { rows: read, to: isMore ? read.at(-1)!.id : end }, isMore, isHeld }
}
