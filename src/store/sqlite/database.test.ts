import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { sql } from '../../sql/sql.ts'
import type { Db } from '../ground/db.ts'
import { openSqlite } from './database.ts'
import { Stale } from '../model/stale.ts'

describe('the SQLite engine', () => {
  let directory: string
  let db: Db
  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'kartoteka-db-'))
    db = openSqlite(join(directory, 'test.sqlite'))
    await db.write((tx) => tx.run(sql`CREATE TABLE t (id INTEGER PRIMARY KEY, n INTEGER NOT NULL)`))
  })
  afterEach(async () => {
    await db.close()
    rmSync(directory, { recursive: true })
  })
  const insert = (n: number) => db.write((tx) => tx.run(sql`INSERT INTO t (n) VALUES (${n})`))
  const numbers = async () => (await db.read(sql`SELECT n FROM t ORDER BY id`))[0]!.map(([n]) => n)

  it('takes the mark of settled records for an outdated catalogue: nobody who knows the newest one reads that column', async () => {
    await insert(1)
    await db.write((tx) => tx.run(sql`UPDATE t SET n = CAST('-9223372036854775808' AS INTEGER)`))
    await assert.rejects(db.read(sql`SELECT abs(n) FROM t`), Stale)
  })

  it('writes what arrives together, each for itself', async () => {
    const results = await Promise.allSettled([
      insert(1),
      db.write(async (tx) => {
        await tx.run(sql`INSERT INTO t (n) VALUES (2)`)
        throw new Error('no')
      }),
      insert(3),
    ])
    assert.deepEqual(
      results.map((result) => result.status),
      ['fulfilled', 'rejected', 'fulfilled'],
    )
    assert.deepEqual(await numbers(), [1, 3])
  })

  it('shows nobody what is not committed', async () => {
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    let inserted = () => {}
    const halfWay = new Promise<void>((resolve) => {
      inserted = resolve
    })
    const write = db.write(async (tx) => {
      await tx.run(sql`INSERT INTO t (n) VALUES (7)`)
      inserted()
      await held
    })
    await halfWay
    assert.deepEqual(await numbers(), [])
    release()
    await write
    assert.deepEqual(await numbers(), [7])
  })

  it('runs a write that wants to be alone in a transaction of its own, and tells of its commit before the next begins', async () => {
    const events: string[] = []
    const step = (label: string, alone: boolean) =>
      db.write(
        async () => {
          events.push(label)
        },
        { alone, onCommit: () => events.push(`${label} committed`) },
      )
    await Promise.all([step('a', false), step('b', true), step('c', false)])
    assert.deepEqual(events, ['a', 'a committed', 'b', 'b committed', 'c', 'c committed'])
  })

  it('takes a table or column that is gone for a change of structure under the request', async () => {
    await assert.rejects(db.read(sql`SELECT gone FROM t`), Stale)
    await assert.rejects(
      db.write((tx) => tx.run(sql`INSERT INTO gone (n) VALUES (1)`)),
      Stale,
    )
  })

  it('answers several questions from one snapshot', async () => {
    await insert(1)
    const [first, second] = await db.read(sql`SELECT count(*) FROM t`, sql`SELECT n FROM t`)
    assert.deepEqual([first, second], [[[1]], [[1]]])
  })

  it('binds whole numbers as integers', async () => {
    assert.deepEqual(await db.read(sql`SELECT 7 / ${2}, typeof(${1})`), [[[3, 'integer']]])
  })

  it('keeps integers beyond 2^53 exact when they are bound as bigint and read as text', async () => {
    await db.write((tx) => tx.run(sql`INSERT INTO t (n) VALUES (${123456789012345678n})`))
    const [rows] = await db.read(sql`SELECT ${db.dialect.integerText(sql`n`)} FROM t`)
    assert.deepEqual(rows, [['123456789012345678']])
  })
})
