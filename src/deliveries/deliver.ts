import { loggable } from '../http/connections/failures.ts'
import { activeHooks, newestChange, stopRestored, waitingOf, type Hook, type Waiting } from '../store/webhooks/queue.ts'
import { whenHooksChange } from '../store/webhooks/told-hooks.ts'
import { leaseOf, type Lease } from '../store/ground/lease.ts'
import { attempt, type AttemptState, type Delivering } from './attempt.ts'
import { begin, occupy, outgoing, renew, settle, toEnd, untilDue, type Outgoing } from './outbox.ts'
import { readNext } from './read-next.ts'

/*
 * Sends changes to webhooks, in one process at a time. It works in rounds: read which webhooks there are, put what is new in the log into
 * the queue of each, begin attempts. A round begins when something was committed, when an attempt is due and, where other processes write
 * too, every second. Without webhooks there are no rounds but one at the start, and one in some seconds where there are other processes.
 */

/** Milliseconds in which commits are gathered. */
const MOMENT = 20
/** Milliseconds until the next round where other processes write: while this one delivers, and while it does not. */
const POLL = 1_000
const LOOK = 3_000
/** Milliseconds after which a round reads no further webhook: the next one goes on there. */
const ROUND = 2_000
/** Milliseconds after which what failed here is tried again. */
const RETRY = 5_000
/** Milliseconds after which a webhook whose attempt goes on counts as slow. */
const SLOW = 2_000
/** The longest wait of a timer. */
const LONG = 3_600_000

/** Of the webhooks that this process delivers. */
export interface DeliveryLoad {
  readonly webhooks: number
  /** Deliveries that wait in memory. */
  readonly waiting: number
  /** Attempts that run. */
  readonly running: number
  /** Attempts since the start, by what came of them. */
  readonly made: Readonly<Record<AttemptState, number>>
}

export interface Deliverer {
  /** Called after each commit of records of this process. */
  committed(): void
  /** Looks at once what is to be done. */
  wake(): void
  load(): DeliveryLoad
  /** Ends attempts that run, which are made again later, and lets another process deliver. */
  close(): Promise<void>
}

export function deliverWebhooks(delivering: Delivering): Deliverer {
  const worker = new Worker(delivering)
  worker.wake()
  return worker
}

class Worker implements Deliverer {
  readonly #given: Delivering
  readonly #outgoing = new Map<number, Outgoing>()
  readonly #attempts = new Set<Promise<void>>()
  readonly #made: Record<AttemptState, number> = { delivered: 0, waiting: 0, parked: 0 }
  readonly #unlisten: () => void
  #timer: NodeJS.Timeout | undefined
  #round: Promise<void> | undefined
  /** Whether the next round is to begin as soon as may be. */
  #isSoon = false
  #isClosed = false
  /** Whether webhooks were changed since they were read. */
  #isStale = true
  /** Of the catalogue with which webhooks were read. */
  #version = -1
  #hasStarted = false
  readonly #lease: Lease

  constructor(given: Delivering) {
    this.#given = given
    this.#lease = leaseOf(given.store, { table: 'webhook_lease', id: 1 }, () => this.#dropAll())
    this.#unlisten = whenHooksChange(given.store.db, () => {
      this.#isStale = true
      this.wake()
    })
  }

  committed(): void {
    if (this.#outgoing.size > 0) this.wake()
  }

  wake(): void {
    if (this.#isSoon || this.#isClosed) return
    this.#isSoon = true
    if (!this.#round) this.#arm(MOMENT)
  }

  readonly load = (): DeliveryLoad => ({
    webhooks: this.#outgoing.size,
    waiting: Array.from(this.#outgoing.values(), ({ waiting }) => waiting.size).reduce((sum, size) => sum + size, 0),
    running: this.#attempts.size,
    made: { ...this.#made },
  })

  async close(): Promise<void> {
    this.#isClosed = true
    this.#unlisten()
    clearTimeout(this.#timer)
    this.#dropAll()
    await this.#round
    this.#dropAll()
    await Promise.all(this.#attempts)
    await this.#lease.end().catch(this.#failed)
  }

  #arm(milliseconds: number): void {
    if (this.#isClosed) return
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#run(), Math.max(1, Math.min(milliseconds, LONG))).unref()
  }

  #run(): void {
    this.#isSoon = false
    const { environment } = this.#given.store
    const began = environment.now()
    this.#round = this.#goRound()
      .catch((error: unknown) => {
        this.#failed(error)
        this.#isStale = true
        return RETRY
      })
      .then((wait) => {
        this.#round = undefined
        // Requests get at least half of the time; the clock may have been set meanwhile.
        this.#arm(this.#isSoon ? Math.min(Math.max(MOMENT, environment.now() - began), POLL) : wait)
      })
  }

  /** Returns the milliseconds until the next round, unless it is woken. */
  async #goRound(): Promise<number> {
    const { store, log } = this.#given
    if (!this.#hasStarted) {
      const stopped = await stopRestored(store)
      if (stopped > 0) log.warn({ webhooks: stopped }, 'webhooks of a restored backup are not active until someone activates them')
      this.#hasStarted = true
    }
    await store.catchUp?.()
    const { shared } = store.db.dialect
    const { version } = store.catalogue()
    if (shared || this.#isStale || version !== this.#version) {
      this.#isStale = false
      const hooks = await activeHooks(store)
      if (hooks.length > 0 && !(await this.#mayDeliver())) return LOOK
      await this.#take(hooks)
      this.#version = version
    }
    if (this.#outgoing.size === 0) return shared ? LOOK : LONG
    this.#begin()
    if (await this.#readAll(await newestChange(store))) this.#isSoon = true
    return untilDue(this.#outgoing.values(), store.environment.now(), shared ? POLL : LONG, MOMENT)
  }

  /** Reads what comes next for each webhook, as far as there is time. Returns whether there may be more now. */
  async #readAll(newest: number): Promise<boolean> {
    const { environment } = this.#given.store
    const began = environment.now()
    let hasMore = false
    for (const one of Array.from(this.#outgoing.values())) {
      if (this.#isClosed || environment.now() - began > ROUND) return !this.#isClosed
      if (this.#outgoing.get(one.hook.id) !== one) continue
      if (one.position < newest && one.quietUntil <= environment.now()) {
        // A round may take longer than the lease holds. Without it there are no webhooks here any more.
        if (!(await this.#mayDeliver())) return false
        hasMore = (await this.#read(one)) || hasMore
        // Where the time of a round is up, the next one goes on with those that were not read.
        toEnd(this.#outgoing, one)
      }
      this.#begin([one])
    }
    return hasMore
  }

  /** Whether this process is the one that delivers. */
  async #mayDeliver(): Promise<boolean> {
    const held = await this.#lease.hold()
    if (held === 'taken') this.#given.log.info({}, 'webhooks are delivered by this process')
    return held !== 'by another'
  }

  #dropAll(): void {
    for (const one of this.#outgoing.values()) one.ending.abort()
    this.#outgoing.clear()
  }

  /** Delivers these webhooks from now on, and no others. */
  async #take(hooks: readonly Hook[]): Promise<void> {
    const { store } = this.#given
    const ids = new Set(hooks.map(({ id }) => id))
    for (const [id, one] of this.#outgoing) {
      if (ids.has(id)) continue
      one.ending.abort()
      this.#outgoing.delete(id)
    }
    for (const hook of hooks) {
      const one = this.#outgoing.get(hook.id)
      const before = one?.hook
      if (!one) this.#outgoing.set(hook.id, outgoing(hook, await waitingOf(store, hook.id), store.environment.now()))
      else {
        one.hook = hook
        one.fault = hook.fault
        if (hook.cursor !== before?.cursor) one.position = hook.cursor
        if (hook.revision !== before?.revision) one.quietUntil = 0
        if (hook.revision !== before?.revision) await renew(one, () => waitingOf(store, hook.id))
      }
      if (this.#isClosed) return this.#dropAll()
    }
  }

  /** Reads what comes next for a webhook. Returns whether there may be more now. A fault of one does not hold up the others. */
  async #read(one: Outgoing): Promise<boolean> {
    try {
      const found = await readNext(this.#given, one)
      if (found !== 'moved by others') return found === 'more'
      this.#isStale = true
      one.ending.abort()
      this.#outgoing.delete(one.hook.id)
    } catch (error) {
      one.quietUntil = this.#given.store.environment.now() + RETRY
      this.#failed(error)
    }
    return false
  }

  /** Begins the attempts that may begin, of these webhooks. */
  #begin(some: Iterable<Outgoing> = [...this.#outgoing.values()]): void {
    if (this.#isClosed || this.#isStale) return
    begin(some, this.#outgoing, this.#given.store.environment.now(), (one, delivery) => this.#attempt(one, delivery))
  }

  #attempt(one: Outgoing, delivery: Waiting): void {
    const { store } = this.#given
    const leave = occupy(one, delivery)
    const slow = setTimeout(() => (one.isSlow = true), SLOW).unref()
    const running = attempt({ ...this.#given, isCurrent: () => this.#isCurrent(), noted: (state) => this.#made[state]++ }, one, delivery)
      .catch((error: unknown) => {
        this.#failed(error)
        settle(one, delivery.id, { ...delivery, next: store.environment.now() + RETRY })
      })
      .then(() => {
        clearTimeout(slow)
        leave()
        this.#attempts.delete(running)
        if (one.ending.signal.aborted && this.#outgoing.get(one.hook.id) === one) this.#outgoing.delete(one.hook.id)
        this.#begin()
        if (!this.#round && !this.#isSoon)
          this.#arm(untilDue(this.#outgoing.values(), store.environment.now(), store.db.dialect.shared ? POLL : LONG, MOMENT))
      })
    this.#attempts.add(running)
  }

  /** Whether users and rights are those with which webhooks were read. If not, a round comes first. */
  async #isCurrent(): Promise<boolean> {
    const { store } = this.#given
    await store.catchUp?.()
    if (store.catalogue().version === this.#version) return true
    this.#isStale = true
    this.wake()
    return false
  }

  readonly #failed = (error: unknown): void => {
    if (!this.#isClosed) this.#given.log.warn({ err: loggable(error) }, 'webhooks could not be delivered; it is tried again')
  }
}
