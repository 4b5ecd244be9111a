import { memo } from '../../memory/memo.ts'
import { constant, sql, type Sql } from '../../sql/sql.ts'
import type { Row } from '../ground/db.ts'
import { reportTo } from '../ground/fault.ts'
import { allRows, committed } from '../ground/relation.ts'
import type { Store, Uses } from '../ground/store.ts'
import type { Caller } from '../model/access.ts'
import { callersNow } from '../people/authenticate.ts'
import { jobs, seesJob, whenJobsChange, type Job } from './jobs.ts'

/*
 * Tells listeners how jobs go. The rows are read every second, so what another process or thread wrote is seen too; after a change of state by this
 * process, at once. How far a job is is told once a second. States that a job has left again before the next look are not told.
 */

/** Milliseconds between two looks that tell how far jobs are. */
const POLL = 1_000
/** Milliseconds in which changes of state by this process are gathered. */
const MOMENT = 50
/** Jobs without an end that are looked at: the newest ones, drafts last. */
const WATCHED = 5_000
/** New jobs that one look reads. */
const NEW = 1_000
/** Jobs that are read whole at a time. */
const WHOLE = 50
/** Looks, and ids before the first one, in which a job may still be committed that has a lower id than others. */
const LATE = 30

type Used = Pick<Store, 'db' | 'environment' | 'settings' | 'catalogue' | 'onFault' | 'catchUp'>

/** Who is told of the jobs that they see. */
export interface JobListener {
  /** The token by which they listen: its rights of the moment count. */
  readonly tokenId: number
  tell(job: Job, caller: Caller): void
}

/** The jobs as they were told last. */
interface Watch {
  /** Resolves when it is known how all jobs are. */
  readonly ready: Promise<void>
  stop(): void
}

const followersOf = memo((_: Used) => ({ listeners: new Set<JobListener>(), watch: undefined as Watch | undefined }))

/** Tells how jobs go from the moment on in which it resolves. Returns how to end that. */
export async function followJobs(store: Used, listener: JobListener): Promise<() => void> {
  const followers = followersOf(store)
  const { listeners } = followers
  const leave = () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    followers.watch?.stop()
    followers.watch = undefined
  }
  listeners.add(listener)
  followers.watch ??= watchJobs(store, (changed) => tellOf(store, listeners, changed))
  try {
    await followers.watch.ready
  } catch (error) {
    leave()
    throw error
  }
  return leave
}

/** Reads the jobs that somebody sees, and passes them on. */
async function tellOf(store: Used, listeners: ReadonlySet<JobListener>, changed: readonly Seen[]): Promise<void> {
  await store.catchUp?.()
  const callers = await callersNow(
    store,
    Array.from(listeners, ({ tokenId }) => tokenId),
  )
  const seen = changed.filter((job) => [...callers.values()].some((caller) => seesJob(caller, job)))
  for (let at = 0; at < seen.length; at += WHOLE) {
    const ids = seen.slice(at, at + WHOLE).map(({ id }) => id)
    const read = await allRows(committed(store), jobs, store.db.dialect.oneOf(sql`id`, ids))
    const now = await callersNow(store, callers.keys())
    for (const listener of listeners) {
      const caller = now.get(listener.tokenId)
      for (const job of caller ? read.filter((one) => seesJob(caller, one)) : []) listener.tell(job, caller!)
    }
  }
}

/** What a look sees of a job. */
interface Seen {
  readonly id: number
  readonly userId: number
  readonly tableId: number
  readonly isDraft: boolean
  readonly hasEnded: boolean
  /** Told when it changes. */
  readonly state: string
  /** The same, once a second. */
  readonly progress: string
}

const parts = sql`id, user_id, table_id, state, cancel_asked, done, total`

function seenOf([id, userId, tableId, state, cancel, done, total]: Row): Seen {
  const isDraft = state === 'draft'
  const hasEnded = !isDraft && state !== 'queued' && state !== 'running'
  const numbers = { id: Number(id), userId: Number(userId), tableId: Number(tableId) }
  return { ...numbers, isDraft, hasEnded, state: `${state} ${cancel}`, progress: `${done} ${total}` }
}

/** What was seen of the jobs: compares it with what is there now. */
class Known {
  readonly #store: Uses<'db'>
  readonly #seen = new Map<number, Seen>()
  /** The highest id at each of the last looks of every second: no job comes below the first of them. */
  #highest: number[] = []

  constructor(store: Uses<'db'>) {
    this.#store = store
  }

  async begin(): Promise<void> {
    const states = sql`${constant('draft')}, ${constant('queued')}, ${constant('running')}`
    const drafts = sql`CASE WHEN state = ${constant('draft')} THEN 1 ELSE 0 END`
    const [newest] = await this.#store.db.read(sql`SELECT coalesce(max(id), 0) FROM jobs`)
    const lowest = Number(newest![0]![0]) - LATE
    this.#highest = [lowest]
    const watched = await this.#read(sql`state IN (${states}) ORDER BY ${drafts}, id DESC LIMIT ${WATCHED}`)
    for (const job of [...watched, ...(await this.#read(sql`id > ${lowest} ORDER BY id LIMIT ${NEW}`))]) this.#seen.set(job.id, job)
  }

  /** What has changed since it was seen last, to be settled when it was told. `isWhole`: also how far jobs are. */
  async changes(isWhole: boolean): Promise<{ readonly changed: readonly Seen[]; settle(): void }> {
    const open = [...this.#seen.values()].filter(({ hasEnded }) => !hasEnded).map(({ id }) => id)
    const [lowest = 0] = this.#highest
    const watched = open.length === 0 ? [] : await this.#read(this.#store.db.dialect.oneOf(sql`id`, open))
    const fresh = await this.#read(sql`id > ${lowest} ORDER BY id LIMIT ${NEW}`)
    const found = new Map([...watched, ...fresh].map((job) => [job.id, job]))
    const moved = [...found.values()].filter(({ id, state, progress }) => {
      const last = this.#seen.get(id)
      return last?.state !== state || (isWhole && last.progress !== progress)
    })
    return {
      changed: moved.filter(({ isDraft }) => !isDraft).toSorted((one, other) => one.id - other.id),
      settle: () => {
        for (const job of moved) this.#seen.set(job.id, job)
        if (isWhole) this.#highest = [...this.#highest, Math.max(...this.#highest, ...fresh.map(({ id }) => id))].slice(-LATE)
        this.#forget(found)
      },
    }
  }

  async #read(which: Sql): Promise<Seen[]> {
    const [rows] = await this.#store.db.read(sql`SELECT ${parts} FROM jobs WHERE ${which}`)
    return rows!.map(seenOf)
  }

  /** What has ended is known as long as it is read among the new ones. */
  #forget(found: ReadonlyMap<number, Seen>): void {
    const [lowest = 0] = this.#highest
    for (const [id, { hasEnded }] of this.#seen) if (!found.has(id) || (hasEnded && id <= lowest)) this.#seen.delete(id)
    const beyond = this.#seen.size - WATCHED - NEW
    if (beyond <= 0) return
    const first = [...this.#seen.values()].toSorted((one, other) => Number(other.isDraft) - Number(one.isDraft) || one.id - other.id)
    for (const { id } of first.slice(0, beyond)) this.#seen.delete(id)
  }
}

function watchJobs(store: Used, tell: (changed: readonly Seen[]) => Promise<void>): Watch {
  const known = new Known(store)
  const report = reportTo(store.onFault, 'it could not be read how jobs go')
  let [isEnded, isLooking, isWoken, isFaulty] = [false, false, false, false]
  let timer: NodeJS.Timeout | undefined
  let moment: NodeJS.Timeout | undefined

  function lookInASecond(): void {
    if (!isEnded) timer = setTimeout(() => void look(true).finally(lookInASecond), POLL).unref()
  }

  function wake(): void {
    isWoken = true
    if (isEnded || isLooking || moment) return
    moment = setTimeout(() => {
      moment = undefined
      void look(false)
    }, MOMENT).unref()
  }

  async function look(isWhole: boolean): Promise<void> {
    if (isLooking || isEnded) return
    isLooking = true
    isWoken = false
    try {
      const { changed, settle } = await known.changes(isWhole)
      if (changed.length > 0 && !isEnded) await tell(changed)
      settle()
      isFaulty = false
    } catch (error) {
      // Once: the database may be away for long. An orderly stop is no fault.
      if (!isFaulty && !isEnded) report(error)
      isFaulty = true
    }
    isLooking = false
    if (isWoken) wake()
  }

  // What changes while it begins is looked at afterwards.
  isLooking = true
  const unlisten = whenJobsChange(store.db, wake)
  const ready = known.begin().then(() => {
    isLooking = false
    lookInASecond()
    if (isWoken) wake()
  })
  return {
    ready,
    stop() {
      isEnded = true
      unlisten()
      clearTimeout(timer)
      clearTimeout(moment)
    },
  }
}
