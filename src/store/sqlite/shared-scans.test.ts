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
import { Abandoned, type Asker } from '../model/asker.ts'
import { rendered, statements } from './connection.ts'
import { keepTime } from './time-limit.ts'
import { scanOf, setsWith } from './piece-scan.ts'
import type { Question, ReadingAnswer } from './reading-thread.ts'
import { readingThreads } from './reading-threads.ts'
import { sharedScans } from './shared-scans.ts'

const LIMIT = 10_000
const empty = packed(new Uint32Array(0))
const about = (piece: string) => scanOf({ table: 'texts', text: sql`text`, piece })

/** A user whose client can go. */
function user(userId: number): Asker & { leave(): void } {
  const calls = new Set<() => void>()
  const client = {
    isGone: false,
    whenGone(call: () => void) {
      calls.add(call)
      return () => void calls.delete(call)
    },
  }
  return {
    userId,
    client,
    leave() {
      client.isGone = true
      for (const call of calls) call()
    },
  }
}

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
    const all = [read(user(1), 'a'), read(user(1), 'b'), read(user(1), 'c'), read(user(2), 'd')]
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

  it('are so many of a pass as end in half of the time limit', async () => {
    const { begun, read, of, names } = held()
    const all = Array.from({ length: 8 }, (_, i) => read(user(i), String(i)))
    // A pass of three takes half as long again.
    begun[0]!.end(of(LIMIT / 2 / 1.5))
    await turn()
    assert.deepEqual(names(), ['0', '1 2 3'])
    for (let i = 1; i < begun.length; i++) {
      begun[i]!.end({ sets: begun[i]!.pieces.map(() => empty), milliseconds: 1 })
      await turn()
    }
    assert.deepEqual(names(), ['0', '1 2 3', '4 5 6', '7'])
    begun[3]!.end(of(1))
    await Promise.all(all)
  })

  it('read one by one where a pass of several would take too long', async () => {
    const { begun, read, of, names } = held()
    const all = ['a', 'b', 'c'].map((piece) => read(user(1), piece))
    for (let i = 0; i < 3; i++) {
      begun[i]!.end(of(LIMIT * 0.9))
      await turn()
    }
    await Promise.all(all)
    assert.deepEqual(names(), ['a', 'b', 'c'])
  })

  it('leave when their client has gone; a pass goes on until nobody waits for it', async () => {
    const { begun, read, of, names } = held()
    const [gone, left, right] = [user(2), user(3), user(4)]
    const first = read(user(1), 'a')
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

  it('fail together where a pass fails, and those after it are read', async () => {
    const { begun, read, of, names } = held()
    const all = ['a', 'b', 'c'].map((piece) => read(user(1), piece))
    begun[0]!.end({ failed: 'timeout' })
    await turn()
    begun[1]!.end({ failed: 'timeout' })
    assert.deepEqual(
      await Promise.all(all),
      Array.from({ length: 3 }, () => ({ failed: 'timeout' })),
    )
    const next = read(user(1), 'd')
    assert.deepEqual(names(), ['a', 'b c', 'd'])
    begun[2]!.end(of(1))
    assert.deepEqual(await next, of(1))
  })

  it('fail when the database is closed, and no pass begins any more', async () => {
    const { begun, read, of, names, scans } = held()
    const [first, second] = [read(user(1), 'a'), read(user(1), 'b')]
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
  const threads = readingThreads(file, 1, 60_000, { moment: 0, undisturbed: 0 })
  try {
    const pieces = Array.from({ length: 30 }, (_, i) => (i + 7).toString(7))
    const read = (piece: string) =>
      threads.readSet(
        user(1),
        rendered(
          sql`SELECT CAST(group_concat(id) AS BLOB) FROM (SELECT id FROM texts WHERE (id & 63 <> 0 OR in_time(0)) AND instr(text, ${piece}) > 0) AS found`,
        ),
        about(piece),
      )
    const sets = await Promise.all(pieces.map(read))
    for (const [i, piece] of pieces.entries()) {
      const set = new IdSet(sets[i]!)
      const expected = Array.from({ length: 70_000 }, (_, n) => n + 1).filter((id) => `text of ${(id - 1).toString(7)}`.includes(piece))
      assert.deepEqual(set.page(0, set.size), expected, piece)
    }
  } finally {
    await threads.close()
    rmSync(directory, { recursive: true })
  }
})
