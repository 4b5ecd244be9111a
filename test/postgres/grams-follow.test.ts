import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import pg from 'pg'
import { citus } from '../../src/sql/citus.ts'
import { postgres } from '../../src/sql/postgres.ts'
import { dropGrams, idsWithGrams, makeGrams, misfitsOf } from '../../src/sql/postgres-grams.ts'
import { name, render, sql, type Sql } from '../../src/sql/sql.ts'
import { operator } from '../../src/store/catalogue/administrator.ts'
import { deleteField } from '../../src/store/structure/fields.ts'
import { deleteTable } from '../../src/store/structure/tables.ts'
import { erase } from '../../src/store/structure/trash.ts'
import type { Db } from '../../src/store/ground/db.ts'
import type { Store } from '../../src/store/ground/store.ts'
import { openPostgres, withTrigrams } from '../../src/store/postgres/database.ts'
import { indexedTable, type IndexedTable } from '../support/indexed-table.ts'
import { randomOf } from '../support/random.ts'
import { scratchDatabase } from '../support/scratch-database.ts'
import { scratchStore } from '../support/scratch-store.ts'
import { seed } from '../support/seed.ts'
import { until } from '../support/until.ts'

const textOf = (statement: Sql): string => render(statement, postgres.placeholder).text

const RECORDS = 6_000
const WRITERS = 3
const words = ['anna', 'bob', 'carl', 'dora', 'emil']

describe('an index of grams in PostgreSQL', () => {
  let drop: () => Promise<void>
  let url: string
  let clients: pg.Client[]
  const index = { index: 't_grams', table: 't', column: 'f', covered: sql`0` }
  const run = async (statement: Sql, client = clients[0]!): Promise<readonly pg.QueryResultRow[]> => {
    const { text, params } = render(statement, postgres.placeholder)
    return (await client.query<pg.QueryResultRow>(text, [...params])).rows
  }
  const misfits = async () => Number((await run(misfitsOf(index)))[0]!['count'])

  before(async () => {
    const database = await scratchDatabase()
    drop = database.drop
    url = database.url
    clients = Array.from({ length: 1 + WRITERS }, () => new pg.Client(database.url))
    for (const client of clients) await client.connect()
    await run(sql`CREATE TABLE t (id bigint PRIMARY KEY, f text NOT NULL, n bigint NOT NULL DEFAULT 0)`)
    await run(sql`INSERT INTO t (id, f) SELECT n * 10, 'anna ' || n FROM generate_series(1, ${RECORDS}::integer) AS n`)
  })
  after(async () => {
    for (const client of clients) await client.end()
    await drop()
  })

  it('has what others write while it is made, and afterwards', async () => {
    let isMaking = true
    let written = 0
    const next = randomOf(seed)
    const pick = (most: number) => next.bytes(4).readUInt32BE() % most
    const write = async (client: pg.Client, lane: number): Promise<void> => {
      const id = (1 + pick(RECORDS)) * 10
      const text = `${words[pick(words.length)]} ${words[pick(words.length)]} ${pick(100)}`
      // Each writer has new ids of its own; a transaction that is open for long would make the making wait for it.
      const fresh = id + 1 + lane
      await client.query('BEGIN')
      const writes = [
        sql`INSERT INTO t (id, f) VALUES (${fresh}, ${text}), (${fresh + WRITERS}, ${text}) ON CONFLICT (id) DO UPDATE SET f = excluded.f`,
        sql`UPDATE t SET f = ${text} WHERE id BETWEEN ${id} AND ${id + 15}`,
        sql`UPDATE t SET n = n + 1 WHERE id = ${id}`,
        sql`DELETE FROM t WHERE id BETWEEN ${id} AND ${id + 5}`,
      ]
      await run(writes[pick(writes.length)]!, client)
      if (pick(8) === 0) await client.query('SELECT pg_sleep(0.02)')
      await client.query(pick(5) === 0 ? 'ROLLBACK' : 'COMMIT')
      written++
    }
    const writers = clients.slice(1).map(async (client, lane) => {
      while (isMaking) {
        await write(client, lane).catch(async (error: unknown) => {
          // Two writers that each wait for the other: one of them is told to begin again.
          if ((error as { code?: string }).code !== '40P01') throw error
          await client.query('ROLLBACK')
        })
      }
    })
    try {
      for (const statement of makeGrams(index)) await run(statement)
      const made = written
      await until('writes to the index that is made', async () => written > made + 50)
    } finally {
      isMaking = false
      await Promise.all(writers)
    }
    assert.ok(written > 100, `${written}`)
    assert.equal(await misfits(), 0)
    for (const piece of ['anna', 'bob d', 'emil emil 7', '999'])
      assert.deepEqual(
        (await run(sql`SELECT id FROM (${idsWithGrams(index, piece)!}) AS found ORDER BY id`)).map(({ id }) => Number(id)),
        (await run(sql`SELECT id FROM t WHERE strpos(f, ${piece}) > 0 ORDER BY id`)).map(({ id }) => Number(id)),
        piece,
      )
  })

  it('is not written to where its text stays as it was', async () => {
    const places = async () => (await run(sql`SELECT string_agg(ctid::text, ' ' ORDER BY id) AS them FROM t_grams_rows`))[0]!['them']
    const before = await places()
    await run(sql`UPDATE t SET n = n + 1`)
    await run(sql`UPDATE t SET f = f`)
    assert.equal(await places(), before)
  })

  it('is made anew where the process that made it was killed, and has nothing of what PostgreSQL went on with', async () => {
    for (const statement of dropGrams(index.index)) await run(statement)
    await run(sql`INSERT INTO t (id, f) SELECT n + 1000000, 'carl ' || n FROM generate_series(1, 120000) AS n`)
    const killed = new pg.Client(url)
    killed.on('error', () => undefined)
    await killed.connect()
    const statements = makeGrams(index)
    const copying = statements.findIndex((one) => textOf(one).includes('some_records'))
    for (const statement of statements.slice(0, copying)) await run(statement, killed)
    const pid = Number((await run(sql`SELECT pg_backend_pid() AS pid`, killed))[0]!['pid'])
    run(statements[copying]!, killed).catch(() => undefined)
    const copied = async () => Number((await run(sql`SELECT count(*) AS n FROM t_grams_rows`))[0]!['n'])
    await until('the copying', async () => (await copied()) > 1_000)
    ;(killed as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy()
    assert.equal((await run(sql`SELECT 1 FROM pg_stat_activity WHERE pid = ${pid} AND state = 'active'`)).length, 1)
    // In one transaction: else it may find no table for a moment, and end for that.
    for (const statement of [sql`BEGIN`, ...dropGrams(index.index), ...statements.slice(0, copying - 1), sql`COMMIT`]) await run(statement)
    // It goes on, but into no table that is not followed yet.
    await until(
      'the end of the copying',
      async () => (await run(sql`SELECT 1 FROM pg_stat_activity WHERE pid = ${pid} AND state = 'active'`)).length === 0,
    )
    assert.equal(await copied(), 0)
    await run(sql`UPDATE t SET f = 'dora' WHERE id % 7 = 0`)
    for (const statement of statements.slice(copying - 1)) await run(statement)
    assert.equal(await misfits(), 0)
  })

  it('leaves nothing when it is dropped', async () => {
    for (const statement of dropGrams(index.index)) await run(statement)
    assert.deepEqual(await run(sql`SELECT relname FROM pg_class WHERE relname LIKE 't\\_grams%'`), [])
    assert.deepEqual(await run(sql`SELECT proname FROM pg_proc WHERE proname LIKE 't\\_grams%'`), [])
    await run(sql`INSERT INTO t (id, f) VALUES (1, 'anna')`)
  })
})

it('an index over texts that does not fit the records is told by check; with its field it is dropped', async () => {
  const { store, remove } = await scratchStore()
  try {
    const table = await indexedTable(store, 1_200)
    const filter = "or(contains(mail,'son1'),contains(title,'anna'))"
    await table.list(filter)
    await until('the text indexes', async () => {
      await store.indexes.idle()
      return (await table.ready()).filter((one) => one.endsWith(' text')).length === 2
    })
    const faults = async () => {
      const told: string[] = []
      for await (const one of store.indexes.check()) told.push(one)
      return told
    }
    assert.deepEqual(await faults(), [])
    const rows = `data${table.id}_${table.named('mail')}_text_rows`
    await store.db.write((tx) => tx.run(sql`DELETE FROM ${name(rows)} WHERE id = 7`))
    assert.deepEqual(await faults(), [
      `Table ${table.id}, ${table.named('mail')}: the index over its texts does not fit them; forbid and allow it to have it made anew.`,
    ])
    await deleteField(store, operator, Number(table.named('mail').slice(1)))
    store.indexes.recheck()
    await store.indexes.idle()
    const left = async () =>
      (await store.db.read(sql`SELECT relname FROM pg_class WHERE relname LIKE ${`data${table.id}\\_%\\_rows`}`))[0]!.map(([one]) =>
        String(one),
      )
    assert.deepEqual(await left(), [`data${table.id}_${table.named('title')}_text_rows`])
    await deleteTable(store, operator, table.id)
    const [entries] = await store.db.read(sql`SELECT id FROM trash WHERE kind = 'table'`)
    await erase(store, operator, Number(entries![0]![0]))
    assert.deepEqual(await left(), [])
  } finally {
    await remove()
  }
})

describe('an index over texts that another process drops', () => {
  let store: Store
  let table: IndexedTable
  let remove: () => Promise<void>
  const row = () => sql`table_id = ${table.id} AND attribute = ${table.named('title')} AND kind = 'text'`
  const state = async () => String((await store.db.read(sql`SELECT state FROM indexes WHERE ${row()}`))[0]![0]?.[0])
  const rows = () => name(`data${table.id}_${table.named('title')}_text_rows`)
  const left = async () => (await store.db.read(sql`SELECT 1 FROM pg_class WHERE relname LIKE ${`data${table.id}\\_%\\_rows`}`))[0]!.length

  before(async () => {
    ;({ store, remove } = await scratchStore())
    table = await indexedTable(store, 1_200)
    await table.list("contains(title,'anna')")
    await until('the text index', async () => {
      await store.indexes.idle()
      return (await state()) === 'ready'
    })
  })
  after(() => remove())

  it('is not asked any more', async () => {
    const isAsked = async () =>
      (await table.statementsOf("contains(title,'o')"))
        .concat(await table.statementsOf("contains(title,'nna')"))
        .some((one) => textOf(one).includes('_text_rows'))
    assert.equal(await isAsked(), true)
    await store.db.write((tx) => tx.run(sql`UPDATE indexes SET state = 'waiting' WHERE ${row()}`))
    assert.equal(await isAsked(), false)
    await store.db.write((tx) => tx.run(sql`UPDATE indexes SET state = 'ready' WHERE ${row()}`))
    store.indexes.recheck()
    await store.indexes.idle()
    assert.equal(await isAsked(), true)
  })

  it('is said not to be there before it is dropped', async () => {
    let dropping: Promise<void> | undefined
    await store.db.write(async (tx) => {
      await tx.all(sql`SELECT count(*) FROM ${rows()}`)
      await store.db.write((other) => other.run(sql`UPDATE indexes SET wish = 'forbidden' WHERE ${row()}`))
      store.indexes.recheck()
      dropping = store.indexes.idle()
      await until('the state', async () => (await state()) === 'waiting')
      assert.equal(await left(), 1)
    })
    await dropping
    assert.deepEqual([await state(), await left()], ['none', 0])
  })

  it('leaves nothing where its making was ended in the middle', async () => {
    const text = {
      index: `data${table.id}_${table.named('title')}_text`,
      table: `data${table.id}`,
      column: `${table.named('title')}k`,
      covered: sql`0`,
    }
    for (const statement of makeGrams(text).slice(0, 4)) await store.writeAside(async () => [statement])
    assert.equal(await left(), 1)
    await store.db.write((tx) => tx.run(sql`UPDATE indexes SET state = 'waiting' WHERE ${row()}`))
    store.indexes.recheck()
    await store.indexes.idle()
    assert.deepEqual([await state(), await left()], ['none', 0])
  })
})

it('searches of PostgreSQL have memory for all that an index finds, and are not compiled; who has given them more keeps it', async () => {
  const { url, drop } = await scratchDatabase()
  const owner = new pg.Client(url)
  await owner.connect()
  const settings = async () => {
    const db = openPostgres(url)
    try {
      const asked = sql`SELECT current_setting('work_mem'), current_setting('jit')`
      return [(await db.readAside({ userId: 1 }, asked))[0]![0], (await db.read(asked))[0]![0]![0]]
    } finally {
      await db.close()
    }
  }
  try {
    assert.deepEqual(await settings(), [['64MB', 'off'], '4MB'])
    await owner.query(`ALTER DATABASE ${new URL(url).pathname.slice(1)} SET work_mem = '128MB'`)
    assert.deepEqual(await settings(), [['128MB', 'off'], '128MB'])
  } finally {
    await owner.end()
    await drop()
  }
})

it('Citus without pg_trgm, where the role may not create it, is told of in one warning that says what to do', async () => {
  const told: string[] = []
  const refused = Object.assign(new Error('permission denied'), { code: '42501' })
  const db = { dialect: citus, read: async () => [[]], write: () => Promise.reject(refused) } as unknown as Db
  assert.equal(
    await withTrigrams(
      db,
      (what) => told.push(`fault: ${what}`),
      (what) => told.push(what),
    ),
    db,
  )
  assert.equal(told.length, 1)
  assert.match(told[0]!, /^no indexes over texts: .*CREATE EXTENSION pg_trgm/)
})
