import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import Database from 'better-sqlite3'
import * as fc from '../../../test/support/fast-check.ts'
import { IdSet } from '../../sets/id-set.ts'
import { packed } from '../../sets/packed-set.ts'
import { sql } from '../../sql/sql.ts'
import { limits } from '../../limits.ts'
import { leavingUser } from '../../../test/support/leaving-user.ts'
import { Abandoned, nobody, type Asker } from '../model/asker.ts'
import { rendered, statements } from './connection.ts'
import { keepTime } from './time-limit.ts'
import { scanOf, setsWith } from './piece-scan.ts'
import type { Question, ReadingAnswer } from './reading-thread.ts'
import { readingThreads } from './reading-threads.ts'
import { sharedScans } from './shared-scans.ts'

const LIMIT = 10_000
const empty = packed(new Uint32Array(0))
const about = (piece: string) => scanOf({ table: 'texts', text: sql`text`, piece })

/** Scans whose passes end when the test says so. */
function held(atOnce = 1) {
  const begun: { readonly pieces: readonly string[]; readonly by: Asker; end(answer: ReadingAnswer): void; fail(error: Error): void }[] = []
  const begin = (by: Asker, pieces: readonly string[]) =>
    new Promise<ReadingAnswer>((end, fail) => void begun.push({ by, pieces, end, fail }))
  const scans = sharedScans((by: Asker, { pieces }: Question) => begin(by, pieces!), atOnce, LIMIT)
  const read = (by: Asker, piece: string) => scans.read(by, about(piece), () => begin(by, [piece]))
  const of = (milliseconds: number): ReadingAnswer => ({ set: empty, milliseconds })
  return { begun, scans, read, of, names: () => begun.map(({ pieces }) => pieces.join(' ')) }
}

const turn = () => new Promise(setImmediate)

describe('slow reads of pieces of the same text', () => {
  it('wait for the one that reads, and are one pass then, in which users take turns', async () => {
    const { begun, read, of, names, scans } = held()
    const all = [read(leavingUser(1), 'a'), read(leavingUser(1), 'b'), read(leavingUser(1), 'c'), read(leavingUser(2), 'd')]
    await turn()
    assert.deepEqual(names(), ['a'])
    assert.equal(scans.waiting(), 3)
    begun[0]!.end(of(100))
    await turn()
    assert.deepEqual(names(), ['a', 'b d c'])
    const sets = ['b', 'd', 'c'].map((_, i) => packed(Uint32Array.of(i + 1)))
    begun[1]!.end({ sets, milliseconds: 200 })
    const answers = (await Promise.all(all)) as { readonly set: typeof empty }[]
    assert.deepEqual(
      answers.map(({ set }) => new IdSet(set).page(0, 9)),
      [[], [1], [3], [2]],
    )
    assert.equal(scans.waiting(), 0)
  })

  it('are so many of a pass as end in time, by what was read before', async () => {
    const { begun, read, of, names } = held()
    const all = Array.from({ length: 12 }, (_, i) => read(leavingUser(i), String(i)))
    // Three pieces together take two and a quarter times as long as one alone.
    begun[0]!.end(of((LIMIT * 0.75) / 2.25))
    await turn()
    assert.deepEqual(names(), ['0', '1 2 3'])
    // It took twice as long as that: of two pieces it would take too long, too.
    begun[1]!.end({ sets: [empty, empty, empty], milliseconds: 2 * LIMIT * 0.75 })
    await turn()
    begun[2]!.end(of((LIMIT * 0.75) / 2.5))
    await turn()
    begun[3]!.end({ sets: [empty, empty, empty, empty], milliseconds: 1 })
    await turn()
    assert.deepEqual(names(), ['0', '1 2 3', '4', '5 6 7 8', '9 10 11'])
    begun[4]!.end({ sets: [empty, empty, empty], milliseconds: 1 })
    await Promise.all(all)
  })

  it('read one by one where a pass of several would take too long', async () => {
    const { begun, read, of, names } = held()
    const all = ['a', 'b', 'c'].map((piece) => read(leavingUser(1), piece))
    for (let i = 0; i < 3; i++) {
      begun[i]!.end(of(LIMIT * 0.9))
      await turn()
    }
    await Promise.all(all)
    assert.deepEqual(names(), ['a', 'b', 'c'])
  })

  it('leave when their client has gone; a pass goes on until nobody waits for it', async () => {
    const { begun, read, of, names } = held()
    const [gone, left, right] = [leavingUser(2), leavingUser(3), leavingUser(4)]
    const first = read(leavingUser(1), 'a')
    const others = [read(gone, 'b'), read(left, 'c'), read(right, 'd')]
    gone.leave()
    await assert.rejects(others[0]!, Abandoned)
    begun[0]!.end(of(1))
    await first
    await turn()
    assert.deepEqual(names(), ['a', 'c d'])
    const { client } = begun[1]!.by
    let stopped = 0
    client!.whenGone(() => stopped++)
    left.leave()
    assert.deepEqual([client!.isGone, stopped], [false, 0])
    right.leave()
    assert.deepEqual([client!.isGone, stopped], [true, 1])
    begun[1]!.fail(new Abandoned())
    for (const one of others.slice(1)) await assert.rejects(one, Abandoned)
    await assert.rejects(read(gone, 'e'), Abandoned)
  })

  it('read alone until it is known how long that takes, and after a pass that took too long', async () => {
    const { begun, read, of, names } = held()
    const ended = Promise.allSettled(['a', 'b', 'c', 'd', 'e', 'f'].map((piece) => read(leavingUser(1), piece)))
    begun[0]!.fail(new Abandoned())
    await turn()
    begun[1]!.end({ failed: 'timeout' })
    await turn()
    const two = of((LIMIT * 0.75) / 2)
    begun[2]!.end(two)
    await turn()
    begun[3]!.end({ failed: 'timeout' })
    await turn()
    begun[4]!.end(of(1))
    assert.deepEqual(names(), ['a', 'b', 'c', 'd e', 'f'])
    const answers = (await ended).map((one) => (one.status === 'fulfilled' ? one.value : one.reason instanceof Abandoned))
    assert.deepEqual(answers, [true, { failed: 'timeout' }, two, { failed: 'timeout' }, { failed: 'timeout' }, of(1)])
  })

  it('are so many of one user, whatever texts they are about', async () => {
    const { scans } = held()
    const most = limits.slowReadsOfUser.most
    let begun = 0
    const never = () => {
      begun++
      return new Promise<ReadingAnswer>(() => undefined)
    }
    const read = (userId: number, n: number) =>
      scans.read(leavingUser(userId), scanOf({ table: `t${n % 2}`, text: sql`text`, piece: String(n) }), never)
    for (let i = 0; i < most + 2; i++) void read(1, i).catch(() => undefined)
    assert.deepEqual([begun, scans.waiting()], [2, most])
    await assert.rejects(read(1, 0), ({ code }: { code?: string }) => code === 'server.busy')
    void read(2, 1).catch(() => undefined)
    assert.equal(scans.waiting(), most + 1)
    scans.close()
    assert.equal(scans.waiting(), 0)
  })

  it('take the place of nobody in the queue of slow reads once they are a pass', async () => {
    const { begun, read, of } = held()
    const all = Promise.allSettled([read(leavingUser(7), 'a'), read(leavingUser(7), 'b'), read(leavingUser(8), 'c')])
    begun[0]!.end(of(1))
    await turn()
    assert.equal(begun[1]!.by.userId, nobody.userId)
    begun[1]!.fail(new Error('It ends.'))
    await all
  })

  it('fail when the database is closed, and no pass begins any more', async () => {
    const { begun, read, of, names, scans } = held()
    const [first, second] = [read(leavingUser(1), 'a'), read(leavingUser(1), 'b')]
    scans.close()
    await assert.rejects(second, /closed/)
    begun[0]!.end(of(1))
    await first
    await turn()
    assert.deepEqual(names(), ['a'])
  })
})

const alphabet = ['a', 'b', 'ß', 'ж', '😀', ' ', '%']
const word = (most: number) => fc.array(fc.constantFrom(...alphabet), { maxLength: most }).map((signs) => signs.join(''))
/** Some are so long that they are read one by one. */
const text = fc.oneof(
  { weight: 5, arbitrary: word(12) },
  { weight: 1, arbitrary: fc.tuple(word(4), fc.integer({ min: 4_080, max: 4_110 }), word(4)).map(([a, n, b]) => a + 'x'.repeat(n) + b) },
)

describe('a pass through the texts of all records', () => {
  it('finds for each piece what SQL finds', () =>
    fc.assert(
      fc.property(
        fc.array(fc.tuple(text, fc.integer({ min: 1, max: 40_000 })), { maxLength: 40 }),
        fc.array(word(3), { minLength: 1, maxLength: 20 }),
        fc.integer({ min: 0, max: 2_500 }),
        (texts, pieces, more) => {
          const db = new Database(':memory:')
          keepTime(db)
          db.exec('CREATE TABLE texts (id INTEGER PRIMARY KEY, text TEXT NOT NULL)')
          const insert = db.prepare('INSERT INTO texts VALUES (?, ?)')
          let id = 0
          for (const [content, step] of texts) insert.run((id += step), content)
          db.exec(
            `INSERT INTO texts SELECT value + ${id}, char(97 + value % 3) FROM (WITH RECURSIVE n (value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n WHERE value < ${more}) SELECT value FROM n WHERE ${more} > 0)`,
          )
          const { records, text: one } = about('')
          const found = setsWith(statements(db), [records, one], pieces)
          const ids = db.prepare('SELECT id FROM texts WHERE instr(text, ?) > 0 ORDER BY id').pluck()
          for (const [i, piece] of pieces.entries()) {
            const set = new IdSet(found[i]!)
            assert.deepEqual(set.page(0, set.size), ids.all(piece), JSON.stringify(piece))
          }
          db.close()
        },
      ),
      { numRuns: 60 },
    ))
})

it('the threads give each slow read its own set, whether it was alone or in a pass', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'kartoteka-scans-'))
  const file = join(directory, 'test.sqlite')
  const db = new Database(file)
  db.exec('PRAGMA journal_mode = WAL; CREATE TABLE texts (id INTEGER PRIMARY KEY, text TEXT NOT NULL)')
  const insert = db.prepare('INSERT INTO texts (text) VALUES (?)')
  db.transaction(() => {
    for (let i = 0; i < 70_000; i++) insert.run(`text of ${i.toString(7)}`)
  })()
  db.close()
  // No read is so quick: each is a slow one.
  const threads = readingThreads(file, 1, 60_000, { moment: 0, undisturbed: 0, goesOnAfter: 0 })
  try {
    const pieces = Array.from({ length: 30 }, (_, i) => (i + 7).toString(7))
    const read = (piece: string) =>
      threads.readSet(
        leavingUser(1),
        [
          rendered(
            sql`SELECT CAST(group_concat(id) AS BLOB) FROM (SELECT id FROM texts WHERE (id & 63 <> 0 OR in_time(0)) AND instr(text, ${piece}) > 0) AS found`,
          ),
        ],
        about(piece),
      )
    const sets = await Promise.all(pieces.map(read))
    for (const [i, piece] of pieces.entries()) {
      const set = new IdSet(sets[i]!.set)
      const expected = Array.from({ length: 70_000 }, (_, n) => n + 1).filter((id) => `text of ${(id - 1).toString(7)}`.includes(piece))
      assert.deepEqual(set.page(0, set.size), expected, piece)
    }
  } finally {
    await threads.close()
    rmSync(directory, { recursive: true })
  }
})
