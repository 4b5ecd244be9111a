import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import { sql } from '../../src/sql/sql.ts'
import { grant } from '../../src/store/model/access.ts'
import { operator } from '../../src/store/catalogue/administrator.ts'
import type { Right } from '../../src/store/model/rights.ts'
import { openStore } from '../../src/store/open.ts'
import { createRecord, deleteRecord } from '../../src/store/records/write-records.ts'
import { insertRecords } from '../../src/store/records/insert-records.ts'
import { createTable } from '../../src/store/structure/tables.ts'
import { restore } from '../../src/store/structure/trash.ts'
import * as fc from '../support/fast-check.ts'

const open = (directory: string) =>
  openStore({
    directory,
    environment: { now: () => Date.UTC(2026, 0, 2), randomBytes: (count) => randomBytes(count) },
    settings: {
      timeZone: 'UTC',
      trashDays: 30,
      auditDays: 365,
      changeDays: 365,
      deliveryDays: 30,
      jobDays: 30,
      webhookHttp: 'no',
      webhookNetworks: [],
      tokenLifetime: 60,
      tokenLifetimeMax: 600,
      linkLifetimeMax: 600,
      workers: 1,
      queryTimeout: 20_000,
    },
  })

it('any offset of an unfiltered list is where counting would find it, whatever was created, deleted and restored', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'kartoteka-positions-'))
  let store = await open(directory)
  const table = await createTable(store, operator, { title: 'T' })
  const may = <R extends Right>(...rights: R[]) => grant(rights, table, operator, store.catalogue())
  const bulk = () => may('create', 'bulk')
  const alive: number[] = []
  const remember = (ids: readonly unknown[]) => {
    alive.push(...(ids as number[]))
    alive.sort((a, b) => a - b)
  }
  const step = fc.oneof(
    fc.record({ kind: fc.constant('add' as const), count: fc.integer({ min: 1, max: 400 }) }),
    fc.record({
      kind: fc.constant('delete' as const),
      from: fc.double({ min: 0, max: 1, noNaN: true }),
      count: fc.integer({ min: 1, max: 300 }),
    }),
    fc.record({ kind: fc.constant('restore' as const) }),
    fc.record({ kind: fc.constant('restart' as const) }),
  )
  const apply = async (one: typeof step extends fc.Arbitrary<infer T> ? T : never) => {
    if (one.kind === 'add')
      remember(
        await insertRecords(
          store,
          bulk(),
          Array.from({ length: one.count }, () => new Map()),
        ),
      )
    else if (one.kind === 'delete') {
      const gone = alive.splice(Math.floor(one.from * alive.length), one.count)
      await Promise.all(gone.map((id) => deleteRecord(store, may('delete'), id)))
    } else if (one.kind === 'restore') {
      const [rows] = await store.db.read(sql`SELECT id, item_id FROM trash ORDER BY id DESC LIMIT 20`)
      for (const [id, record] of rows!) {
        await restore(store, operator, Number(id))
        remember([Number(record)])
      }
    } else {
      await store.close()
      store = await open(directory)
    }
  }
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 6 }), fc.array(fc.nat(1200), { maxLength: 12 }), async (steps, offsets) => {
      for (const one of steps) await apply(one)
      for (const offset of [...offsets, 0, 1, 255, 256, 257, alive.length - 1, alive.length, alive.length + 1].filter((at) => at >= 0)) {
        const { records, total } = await store.pages.page(may('read'), { sort: [], offset, limit: 3 })
        assert.deepEqual([records.map(({ id }) => id), total], [alive.slice(offset, offset + 3), alive.length], `at offset ${offset}`)
      }
    }),
    { numRuns: 25 },
  )
  await createRecord(store, may('create'), new Map())
  await store.close()
  rmSync(directory, { recursive: true })
})
