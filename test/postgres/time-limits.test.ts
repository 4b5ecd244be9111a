import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import type { Failure } from '../../src/errors.ts'
import { limits } from '../../src/limits.ts'
import { sql } from '../../src/sql/sql.ts'
import type { Row } from '../../src/store/ground/db.ts'
import type { Store } from '../../src/store/ground/store.ts'
import { openPostgres } from '../../src/store/postgres/database.ts'
import { cluster, scratchDatabase } from '../support/scratch-database.ts'
import { errorsOf, startService } from '../support/service.ts'

/** A session of somebody else that has a table locked, as VACUUM FULL has. */
async function lockedElsewhere(store: Store, tableId: number): Promise<{ release(): Promise<void> }> {
  const [[[database] = []]] = (await store.db.read(sql`SELECT current_database()::text`)) as [Row[]]
  const session = new pg.Client(cluster!.replace('/postgres?', `/${String(database)}?`))
  await session.connect()
  await session.query(`BEGIN; LOCK TABLE data${tableId} IN ACCESS EXCLUSIVE MODE`)
  return { release: () => session.end() }
}

/** A service with two tables of one record, of which another session has the first locked. */
async function withLockedTable(queryTimeout: number) {
  const service = await startService({ queryTimeout })
  const { id: locked, fields } = await service.table('Locked', { name: 'text' })
  const { id: open } = await service.table('Open', { name: 'text' })
  for (const table of [locked, open]) await service.make(`data${table}`, table === locked ? { [fields['name']!]: 'Anna' } : {})
  const { release } = await lockedElsewhere(service.store, locked)
  return { service, locked, open, name: fields['name']!, release }
}

describe('while another session has a table locked', () => {
  it('whatever reads it ends with 503 after the time limit', async () => {
    const { service, locked, release } = await withLockedTable(1_200)
    try {
      const answers = await Promise.all(
        ['', '?page[offset]=1', '/1', '?sort=-id'].map(async (rest) => {
          const answer = await service.get(`data${locked}${rest}`)
          return [errorsOf(answer)[0], answer.headers.get('Retry-After')]
        }),
      )
      assert.deepEqual(
        answers,
        Array.from({ length: 4 }, () => ['503 server.query_timeout', '5']),
      )
      await release()
      assert.equal((await service.get(`data${locked}`)).json.meta.total, 1)
    } finally {
      await release()
      await service.close()
    }
  })

  it(
    'others are served meanwhile, however many wait for it, and what waits is answered when it is free',
    { timeout: 120_000 },
    async () => {
      const { service, locked, open, name, release } = await withLockedTable(60_000)
      try {
        let answered = 0
        const ways = ['', '?page[offset]=1', '/1', `?sort=${name}`, `?filter=eq(${name},'Anna')`, `?filter=contains(${name},'nn')&sort=-id`]
        const waiting = Array.from({ length: 48 }, async (_, i) => {
          const { status } = await service.get(`data${locked}${ways[i % ways.length]}`)
          answered++
          return status
        })
        const filtered = `data${open}?filter=eq(status,0)&sort=-id`
        for (let i = 0; i < 10; i++)
          for (const path of [`data${open}`, `data${open}/1`, filtered]) assert.equal((await service.get(path)).status, 200)
        assert.equal((await service.add(`data${open}`, {})).status, 201)
        assert.equal(answered, 0)
        await release()
        assert.deepEqual([...new Set(await Promise.all(waiting))], [200])
      } finally {
        await release()
        await service.close()
      }
    },
  )

  it('what writes other tables is done meanwhile, and what waits is done when it is free', { timeout: 120_000 }, async () => {
    const { service, locked, open, name, release } = await withLockedTable(60_000)
    try {
      let answered = 0
      const waiting = Array.from({ length: 6 }, async (_, i) => {
        const { status } = await (i % 2 === 0 ? service.add(`data${locked}`, {}) : service.change(`data${locked}`, '1', { [name]: `${i}` }))
        answered++
        return status
      })
      for (let i = 0; i < 10; i++) assert.equal((await service.add(`data${open}`, {})).status, 201)
      assert.equal(answered, 0)
      await release()
      assert.deepEqual([...(await Promise.all(waiting))].sort(), [200, 200, 200, 201, 201, 201])
      assert.equal((await service.get(`data${locked}`)).json.meta.total, 4)
    } finally {
      await release()
      await service.close()
    }
  })
})

describe('a write', () => {
  it('of a locked table is tried for its time in all, and is 503 then', { timeout: 120_000 }, async () => {
    const { url, drop } = await scratchDatabase()
    const writeTime = 3_000
    assert.ok(writeTime <= limits.writeTime.most)
    const db = openPostgres(url, { serves: true, writeTime })
    const session = new pg.Client(url)
    try {
      await session.connect()
      await session.query('CREATE TABLE locked (id integer)')
      await session.query('BEGIN; LOCK TABLE locked IN ACCESS EXCLUSIVE MODE')
      const insert = (alone: boolean) =>
        db
          .write((tx) => tx.run(sql`INSERT INTO locked (id) VALUES (1)`), { alone })
          .catch((error: Failure) => [error.code, error.retryAfter])
      // Of those that share a connection, each has its time from the beginning.
      const writes = Promise.all([insert(false), insert(false), insert(false), insert(true)])
      const early = await Promise.race([writes, setTimeout(writeTime / 2, 'waiting')])
      assert.equal(early, 'waiting')
      assert.deepEqual(
        await writes,
        Array.from({ length: 4 }, () => ['server.unavailable', 2]),
      )
    } finally {
      await session.end()
      await db.close()
      await drop()
    }
  })
})

describe('a statement', () => {
  const seconds = async (serves: boolean, alone: boolean) => {
    const { url, drop } = await scratchDatabase()
    const db = openPostgres(url, { queryTimeout: 1_000, serves })
    try {
      const [read] = await db.read(sql`SELECT setting::integer FROM pg_settings WHERE name = 'statement_timeout'`)
      const slept = await db.read(sql`SELECT pg_sleep(1.5)`).then(
        () => 'done',
        (error: { code?: string }) => error.code,
      )
      const write = await db.write((tx) => tx.all(sql`SELECT setting::integer FROM pg_settings WHERE name = 'statement_timeout'`), {
        alone,
      })
      // Less what the write has waited for its turn.
      const ofWrite = Number(write[0]![0])
      return [Number(read![0]![0]), slept, ofWrite === 0 ? 'none' : ofWrite <= limits.writeTime.most ? 'that of a write' : ofWrite]
    } finally {
      await db.close()
      await drop()
    }
  }

  it('of a server has a time limit, that of a change of structure excepted', async () => {
    assert.deepEqual(await seconds(true, false), [1_000, 'server.query_timeout', 'that of a write'])
    assert.deepEqual(await seconds(true, true), [1_000, 'server.query_timeout', 'none'])
  })

  it('of a command has none', async () => {
    assert.deepEqual(await seconds(false, false), [0, 'done', 'none'])
  })
})
