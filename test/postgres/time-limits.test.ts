import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { name, sql } from '../../src/sql/sql.ts'
import { recordsOf } from '../../src/store/model/catalogue.ts'
import { openPostgres } from '../../src/store/postgres/database.ts'
import { scratchDatabase } from '../support/scratch-database.ts'
import { errorsOf, startService, type Service } from '../support/service.ts'

describe('while another session has a table locked', () => {
  let service: Service
  let locked: number
  let open: number
  let release: () => void
  let holding: Promise<void>

  before(async () => {
    service = await startService({ queryTimeout: 1_200 })
    const { id, fields } = await service.table('Locked', { name: 'text' })
    locked = id
    ;({ id: open } = await service.table('Open', { name: 'text' }))
    for (const table of [locked, open]) await service.make(`data${table}`, table === locked ? { [fields['name']!]: 'Anna' } : {})
    const holds = Promise.withResolvers<void>()
    const released = Promise.withResolvers<void>()
    release = released.resolve
    holding = service.store.db.write(async (tx) => {
      await tx.run(sql`LOCK TABLE ${name(recordsOf(locked))} IN ACCESS EXCLUSIVE MODE`)
      holds.resolve()
      await released.promise
    })
    await holds.promise
  })
  after(async () => {
    release()
    await holding
    await service?.close()
  })

  it('whatever reads it ends with 503 after the time limit, and others are served meanwhile', async () => {
    const waiting = Promise.all(
      ['', '?page[offset]=1', '/1'].map(async (rest) => {
        const answer = await service.get(`data${locked}${rest}`)
        return [errorsOf(answer)[0], answer.headers.get('Retry-After')]
      }),
    )
    for (let i = 0; i < 20; i++) assert.equal((await service.get(`data${open}?sort=${i % 2 ? '-id' : 'id'}`)).status, 200)
    assert.deepEqual(
      await waiting,
      Array.from({ length: 3 }, () => ['503 server.query_timeout', '5']),
    )
    release()
    await holding
    assert.equal((await service.get(`data${locked}`)).json.meta.total, 1)
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
      return [Number(read![0]![0]), slept, Number(write[0]![0])]
    } finally {
      await db.close()
      await drop()
    }
  }

  it('of a server has a time limit, that of a change of structure excepted', async () => {
    assert.deepEqual(await seconds(true, false), [1_000, 'server.query_timeout', 60_000])
    assert.deepEqual(await seconds(true, true), [1_000, 'server.query_timeout', 0])
  })

  it('of a command has none', async () => {
    assert.deepEqual(await seconds(false, false), [0, 'done', 0])
  })
})
