import { availableParallelism } from 'node:os'
import type { Worker } from 'node:worker_threads'
import { fail } from '../../errors.ts'
import { limits } from '../../limits.ts'
import { Abandoned, type Asker } from '../model/asker.ts'
import type { Busy, ReadSet, Row } from '../ground/db.ts'
import { fairQueue, type FairQueue } from '../scheduling/fair-queue.ts'
import { slowStatements } from '../scheduling/slow-statements.ts'
import type { ReadingAnswer, Question, ThreadData } from './reading-thread.ts'
import type { Rendered } from './connection.ts'
import { GO_ON, GONE, OTHERS_WAIT } from './reading-signal.ts'
import type { PackedColumn } from '../../sets/number-column.ts'
import type { PackedOrder } from '../../sets/order-parts.ts'
import { Stale } from '../model/stale.ts'
import { startThread } from '../scheduling/thread.ts'
import { sharedScans } from './shared-scans.ts'
import type { Scan } from './piece-scan.ts'

/*
 * Reads that may take long run in other threads. Each read first runs in the quick pool, for 25 ms at most if others wait, else for 250. If it
 * needs more, it begins again in the slow pool, so that short reads never wait for long ones. Idle threads of the slow pool help the quick
 * pool. Both pools have a fair queue: users take turns, however many reads each has.
 */

/**
 * Milliseconds that a read may take in the quick pool, while others wait and while nobody does; and after which a scan goes on although its client has
 * gone. Whoever types gives up each list sooner than that.
 */
const usual = { moment: 25, undisturbed: 250, goesOnAfter: 500 }
/** Milliseconds between two looks at which idle threads end. Whoever comes back waits for a new one: 50 ms. */
const IDLE = 600_000

export interface ReadingThreads {
  /** The ids that the query gives, as one text, as a set or an order. `scan`: another way to the same set, which slow reads share. Errors as `read`. */
  readSet(by: Asker, queries: readonly Rendered[], scan?: Scan): Promise<ReadSet>
  readOrder(by: Asker, query: Rendered): Promise<PackedOrder | undefined>
  readColumn(by: Asker, query: Rendered): Promise<PackedColumn | undefined>
  /** @throws `server.query_timeout`, `server.busy`, Stale, Abandoned */
  read(by: Asker, queries: readonly Rendered[]): Promise<Row[][]>
  load(): { readonly quick: Busy; readonly slow: Busy }
  /** Starts a thread of each pool, for the first who asks; resolves when they are ready. They are started once, however often it is called. */
  startAhead(): Promise<void>
  close(): Promise<void>
}

type Answered = Exclude<ReadingAnswer, { readonly failed: unknown }>

interface Job {
  readonly by: Asker
  readonly question: Question
  /**
   * Milliseconds after which it goes on although its client has gone, as long as no other read waits for the thread. Scans of the same text wait until it has
   * ended (shared-scans.ts).
   */
  readonly goesOnAfter: number
  /** It has run for so long. */
  goesOn: boolean
  /** Its client has gone. */
  left?: 'ends' | 'goes on'
  resolve(answer: ReadingAnswer): void
  reject(error: unknown): void
}

interface Pool {
  /** `goesOnAfter`: as that of a job; by default it never goes on. */
  ask(by: Asker, question: Question, goesOnAfter?: number): Promise<ReadingAnswer>
  /** Starts waiting reads of this pool, then of the pool that it helps, while threads are free. */
  next(): void
  /** Starts a thread that no read waits for yet; resolves when it is ready. */
  startAhead(): Promise<unknown>
  /** Removes and returns the next waiting read, for another pool. */
  give(): Job | undefined
  /** Whether a part of another question than this read waits. */
  othersWait(job: Job): boolean
  /** Tells reads that have a moment only where others wait. */
  hurry(): void
  load(): Busy
  close(): Promise<void>
}

/** `patience`: other figures for tests. */
export function readingThreads(file: string, workers: number, queryTimeout: number, patience = usual): ReadingThreads {
  const { moment, goesOnAfter } = patience
  const undisturbed = Math.min(patience.undisturbed, queryTimeout)
  const quick = pool(file, 1, fairQueue(limits.quickReads.most, limits.quickReadsOfUser.most))
  const slowQueue = fairQueue<Job>(limits.slowReads.most, limits.slowReadsOfUser.most)
  const slowThreads = workers > 0 ? workers : Math.max(1, availableParallelism() - 1)
  const slow = pool(file, slowThreads, slowQueue, quick)
  // Whoever asks again, perhaps for other pieces, would begin a scan again and again, and never have its end.
  const shared = sharedScans((by, question) => slow.ask(by, question, goesOnAfter), slowThreads, queryTimeout)
  const knownSlow = slowStatements()
  let ahead: Promise<void> | undefined

  async function ask(by: Asker, queries: readonly Rendered[], as?: Question['as'], scan?: Scan): Promise<Answered> {
    const answer = await attempts(by, { queries, ...(as && { as }) }, scan)
    if (!('failed' in answer)) return answer
    if (answer.failed === 'stale') throw new Stale()
    if (answer.failed === 'full') throw fail('server.disk_full')
    if (answer.failed === 'damaged') throw fail('database.damaged')
    if (answer.failed === 'timeout') throw fail('server.query_timeout', { seconds: queryTimeout / 1000 })
    throw answer.failed
  }

  async function attempts(by: Asker, question: Omit<Question, 'limit'>, scan?: Scan): Promise<ReadingAnswer> {
    const { queries } = question
    const statement = queries.map(({ text }) => text).join('\n')
    // An order or a column is of the whole table.
    if (question.as !== 'order' && question.as !== 'column' && !knownSlow.has(statement)) {
      const asked = quick.ask(by, { ...question, limit: undisturbed, moment })
      slow.next()
      for (const one of [quick, slow]) one.hurry()
      const answer = await asked
      if (!('failed' in answer) || answer.failed !== 'timeout') return answer
      knownSlow.add(statement)
    }
    const alone = () => slow.ask(by, { ...question, limit: queryTimeout }, scan && goesOnAfter)
    const asked = scan ? shared.read(by, scan, alone) : alone()
    slow.hurry()
    const answer = await asked
    // Other values of the same statement may be quick again.
    if (!('failed' in answer) && answer.milliseconds < moment / 2) knownSlow.delete(statement)
    return answer
  }

  return {
    read: async (by, queries) => ((await ask(by, queries)) as { readonly rows: Row[][] }).rows,
    readSet: async (by, queries, scan) => (await ask(by, queries, 'set', scan)) as ReadSet,
    readOrder: async (by, query) => ((await ask(by, [query], 'order')) as { order: PackedOrder | undefined }).order,
    readColumn: async (by, query) => ((await ask(by, [query], 'column')) as { column: PackedColumn | undefined }).column,
    load() {
      const { waiting, running } = slow.load()
      return { quick: quick.load(), slow: { waiting: waiting + shared.waiting(), running } }
    },
    startAhead: () => (ahead ??= Promise.all([quick, slow].map((one) => one.startAhead())).then(() => undefined)),
    async close() {
      knownSlow.close()
      shared.close()
      await Promise.all([quick.close(), slow.close()])
    },
  }
}

/** MiB of the young generation of a thread. V8 would take dozens, but most of what a thread allocates is soon garbage. */
const SMALL = { maxYoungGenerationSizeMb: 6 }

interface Thread {
  readonly worker: Worker
  /** One of reading-signal.ts. */
  readonly signal: Int32Array
  /** When it has loaded its program, or failed to. A thread that is ended while it loads SQLite takes the whole process with it. */
  readonly ready: Promise<unknown>
}

function startReader(file: string): Thread {
  const signal = new Int32Array(new SharedArrayBuffer(4))
  const workerData: ThreadData = { file, signal }
  const worker = startThread(new URL('./reading-thread.ts', import.meta.url), { workerData, resourceLimits: SMALL })
  worker.unref()
  const ready = new Promise((done) => {
    for (const event of ['message', 'error', 'exit']) worker.once(event, done)
  })
  return { worker, signal, ready }
}

function run({ worker, signal }: Thread, job: Job, told: number): void {
  if (job.goesOnAfter < Infinity) setTimeout(() => (job.goesOn = true), job.goesOnAfter).unref()
  Atomics.store(signal, 0, told)
  worker.postMessage(job.question)
}

/** Takes a job out of the queue, or ends it if it is running, unless that has taken so long that it goes on. */
function leave(job: Job, queue: FairQueue<Job>, busy: ReadonlyMap<Thread, Job>): void {
  if (queue.remove(job.by.userId, job)) job.reject(new Abandoned())
  job.left = job.goesOn ? 'goes on' : 'ends'
  endLeft(queue, busy)
}

/** Ends running jobs whose clients have gone; of those that go on, one at a time where others wait. */
function endLeft(queue: FairQueue<Job>, busy: ReadonlyMap<Thread, Job>): void {
  let isWanted = queue.waiting() > 0
  for (const [{ signal }, { left }] of busy) {
    if (left !== 'ends' && !(left === 'goes on' && isWanted)) continue
    if (left === 'goes on') isWanted = false
    Atomics.store(signal, 0, GONE)
  }
}

/** Waits in the queue, and for the answer. @throws Abandoned */
async function answerOf(
  { by, question, goesOnAfter }: Pick<Job, 'by' | 'question' | 'goesOnAfter'>,
  queue: FairQueue<Job>,
  busy: ReadonlyMap<Thread, Job>,
  next: () => void,
): Promise<ReadingAnswer> {
  if (by.client?.isGone) throw new Abandoned()
  let job: Job | undefined
  const stop = by.client?.whenGone(() => job && leave(job, queue, busy))
  const answer = await new Promise<ReadingAnswer>((resolve, reject) => {
    queue.add(by.userId, (job = { by, question, goesOnAfter, goesOn: goesOnAfter === 0, resolve, reject }), by.client)
    next()
  }).finally(stop)
  const isKept = goesOnAfter < Infinity && !('failed' in answer)
  if (by.client?.isGone && !isKept) throw new Abandoned()
  return answer
}

/** Not before it has loaded. */
const end = ({ worker, ready }: Thread): Promise<unknown> => ready.then(() => worker.terminate())

/** Threads that share one queue and help another pool. Each is started when it is first needed. */
function pool(file: string, threads: number, queue: FairQueue<Job>, helped?: Pool): Pool {
  const free: Thread[] = []
  const busy = new Map<Thread, Job>()
  const idle = setInterval(() => free.splice(0).forEach(end), IDLE).unref()
  // If there are several threads, no user gets all of them.
  const share = Math.max(1, threads - 1)
  const hasRoom = (userId: number) => [...busy.values()].filter(({ by }) => by.userId === userId).length < share

  const othersWait = ({ by }: Job): boolean => queue.othersWait(by.client)
  /** What has a moment only is of the quick pool, also where this one helps it. */
  const isHurried = (job: Job): boolean => job.question.moment !== undefined && (othersWait(job) || helped?.othersWait(job) === true)

  function next(): void {
    while (free.length > 0 || busy.size < threads) {
      const job = queue.take(hasRoom) ?? helped?.give()
      if (!job) break
      const thread = free.pop() ?? start()
      busy.set(thread, job)
      run(thread, job, isHurried(job) ? OTHERS_WAIT : GO_ON)
    }
    endLeft(queue, busy)
  }

  function start(): Thread {
    const thread = startReader(file)
    const ended = (answer: (job: Job) => void) => {
      const job = busy.get(thread)
      busy.delete(thread)
      if (job) answer(job)
      next()
    }
    thread.worker.on('message', (answer: ReadingAnswer | 'ready') => {
      if (answer === 'ready') return
      free.push(thread)
      ended((job) => job.resolve(answer))
    })
    thread.worker.on('error', (error) => {
      if (free.includes(thread)) free.splice(free.indexOf(thread), 1)
      ended((job) => job.reject(error))
    })
    return thread
  }

  return {
    ask: (by, question, goesOnAfter = Infinity) => answerOf({ by, question, goesOnAfter }, queue, busy, next),
    next,
    startAhead() {
      const thread = start()
      free.push(thread)
      return thread.ready
    },
    give: () => queue.take(),
    othersWait,
    hurry() {
      for (const [{ signal }, job] of busy) if (isHurried(job)) Atomics.compareExchange(signal, 0, GO_ON, OTHERS_WAIT)
    },
    load: () => ({ waiting: queue.waiting(), running: busy.size }),
    async close() {
      clearInterval(idle)
      const ending = [...free.splice(0), ...busy.keys()]
      await Promise.all(ending.map(end))
      for (const job of [...busy.values(), ...queue.clear()]) job.reject(new Error('The database is closed.'))
    },
  }
}
