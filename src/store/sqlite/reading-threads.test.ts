import assert from 'node:assert/strict'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import Database from 'better-sqlite3'
import { leavingUser } from '../../../test/support/leaving-user.ts'
import { until } from '../../../test/support/until.ts'
import { IdSet } from '../../sets/id-set.ts'
import { Abandoned, type Asker } from '../model/asker.ts'
import { readingThreads, type ReadingThreads } from './reading-threads.ts'

/** Counts so far, and looks at the clock every thousand steps. */
const counting = (steps: number) => ({
  text: `WITH RECURSIVE step (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM step WHERE n < ${steps} AND (n % 1000 <> 0 OR in_time(0)))
    SELECT CAST(max(n) AS BLOB) FROM step`,
  params: [],
})
const LONG = 4_000_000
const MEDIUM = 400_000

/** Each is another question. */
const user = (userId: number): Asker => ({ userId, client: { isGone: false, whenGone: () => () => undefined } })

describe('the quick pool of reading threads, while the slow one is busy', () => {
  let directory: string
  let threads: ReadingThreads
  before(() => {
    directory = mkdtempSync(join(tmpdir(), 'kartoteka-threads-'))
    const file = join(directory, 'test.sqlite')
    new Database(file).exec('PRAGMA journal_mode = WAL; CREATE TABLE t (id INTEGER)').close()
    // No read is so quick as a moment, and none takes as long as the other limits.
    threads = readingThreads(file, 1, 600_000, { moment: 0, undisturbed: 600_000, goesOnAfter: 0 })
  })
  after(async () => {
    await threads.close()
    rmSync(directory, { recursive: true })
  })

  /** Asks in this order. Returns the names in the order of the answers. */
  async function ends(...asked: readonly (readonly [name: string, by: Asker, steps: number])[]): Promise<string[]> {
    const ended: string[] = []
    const long = threads.readOrder(user(9), counting(LONG)).then(() => ended.push('long'))
    const others = asked.map(([name, by, steps]) => threads.read(by, [counting(steps)]).then(() => ended.push(name)))
    await Promise.all([long, ...others])
    return ended
  }

  it('has a thread of each pool once it got ready for the first who asks, however often it was told to', async () => {
    let begun = 0
    const count = () => void begun++
    subscribe('worker_threads', count)
    await Promise.all([threads.startAhead(), threads.startAhead()])
    await threads.startAhead()
    await Promise.all([threads.read(user(1), [counting(10)]), threads.readOrder(user(2), counting(10))])
    unsubscribe('worker_threads', count)
    assert.equal(begun, 2)
  })

  it('goes on with a read that takes more than a moment where nobody waits', async () => {
    assert.deepEqual(await ends(['medium', user(1), MEDIUM]), ['medium', 'long'])
  })

  it('ends it where another question waits, and begins it again in the slow pool', async () => {
    assert.deepEqual(await ends(['medium', user(1), MEDIUM + 1], ['short', user(2), 10]), ['short', 'long', 'medium'])
  })

  it('does so for one that begins while another waits', async () => {
    const one = user(1)
    const ended = await ends(['first', one, MEDIUM + 2], ['second', user(2), MEDIUM + 3], ['short', user(3), 10])
    assert.deepEqual(ended, ['short', 'long', 'first', 'second'])
  })

  it('ends one that a slow thread helps with where a slow read waits', async () => {
    const ended: string[] = []
    const noted = (name: string) => () => ended.push(name)
    await Promise.all([
      threads.read(user(1), [counting(MEDIUM + 5)]).then(noted('quick')),
      threads.read(user(2), [counting(MEDIUM + 6)]).then(noted('helped')),
      threads.readOrder(user(3), counting(10)).then(noted('order')),
    ])
    assert.ok(ended.indexOf('order') < ended.indexOf('helped'), ended.join())
  })

  it('does not so for another part of the same question', async () => {
    const one = user(1)
    assert.deepEqual(await ends(['first', one, MEDIUM + 4], ['second', one, 10]), ['first', 'second', 'long'])
  })
})

describe('a scan whose client has gone', () => {
  let directory: string
  let threads: ReadingThreads
  let impatient: ReadingThreads
  let file: string
  before(() => {
    directory = mkdtempSync(join(tmpdir(), 'kartoteka-threads-'))
    file = join(directory, 'test.sqlite')
    new Database(file).exec('PRAGMA journal_mode = WAL; CREATE TABLE t (id INTEGER)').close()
    threads = readingThreads(file, 1, 600_000, { moment: 0, undisturbed: 1, goesOnAfter: 0 })
    impatient = readingThreads(file, 1, 600_000, { moment: 0, undisturbed: 1, goesOnAfter: 60_000 })
  })
  after(async () => {
    await Promise.all([threads.close(), impatient.close()])
    rmSync(directory, { recursive: true })
  })

  const scan = { records: { text: '', params: [] }, text: { text: '', params: [] }, piece: '' }

  /** Begins such a read; resolves when the slow pool runs it. */
  async function begun(by: Asker, steps: number, isScan: boolean, on = threads): Promise<{ readonly answer: Promise<number> }> {
    const answer = on.readSet(by, [counting(steps)], isScan ? scan : undefined).then(({ set }) => new IdSet(set).size)
    answer.catch(() => undefined)
    await until('the read runs', () => on.load().slow.running === 1)
    return { answer }
  }

  it('goes on to its end, so that it is known for whoever asks again', async () => {
    const by = leavingUser(1)
    const { answer } = await begun(by, LONG, true)
    by.leave()
    assert.equal(await answer, 1)
  })

  it('ends where another read waits for the thread, also one that came before', async () => {
    for (const first of [true, false]) {
      const by = leavingUser(1)
      const { answer } = await begun(by, 1_000 * LONG + Number(first), true)
      if (first) by.leave()
      const order = threads.readOrder(user(2), counting(10))
      if (!first) by.leave()
      await assert.rejects(answer, Abandoned)
      assert.ok(await order)
    }
  })

  it('ends where its user asks for something else, also where another thread is free', async () => {
    const both = readingThreads(file, 2, 600_000, { moment: 0, undisturbed: 1, goesOnAfter: 0 })
    try {
      const by = leavingUser(1)
      const { answer } = await begun(by, 1_000 * LONG + 3, true, both)
      by.leave()
      assert.ok(await both.readOrder(user(1), counting(10)))
      await assert.rejects(answer, Abandoned)
    } finally {
      await both.close()
    }
  })

  it('ends at once where it is no scan, or has just begun', async () => {
    for (const [on, isScan] of [
      [threads, false],
      [impatient, true],
    ] as const) {
      const by = leavingUser(1)
      // Without being told, it would go on for a quarter of an hour.
      const { answer } = await begun(by, 1_000 * LONG + 2, isScan, on)
      by.leave()
      await assert.rejects(answer, Abandoned)
    }
  })
})
