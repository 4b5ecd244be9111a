import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { parseSort } from '../../src/filter/sort.ts'
import { name, sql } from '../../src/sql/sql.ts'
import { grant } from '../../src/store/model/access.ts'
import { operator } from '../../src/store/catalogue/administrator.ts'
import { recordsOf } from '../../src/store/model/catalogue.ts'
import type { Right } from '../../src/store/model/rights.ts'
import { deleteRecord, updateRecord } from '../../src/store/records/write-records.ts'
import { insertRecords } from '../../src/store/records/insert-records.ts'
import type { Store } from '../../src/store/ground/store.ts'
import { createTable } from '../../src/store/structure/tables.ts'
import { restore } from '../../src/store/structure/trash.ts'
import { scratchInstallation } from '../support/scratch-store.ts'
import { indexedTable } from '../support/indexed-table.ts'
import * as fc from '../support/fast-check.ts'

/* Pages of all records by id, where what one process knows of places is what another has changed. */

const LIMIT = 7

describe('pages of a table that several processes write', () => {
  let stores: Store[]
  let remove: () => Promise<unknown>
  let table: number
  before(async () => {
    const installation = await scratchInstallation()
    stores = [await installation.open(), await installation.open()]
    remove = async () => {
      await Promise.all(stores.map((store) => store.close()))
      await installation.remove()
    }
    table = await createTable(stores[0]!, operator, { title: 'T' })
    await stores[1]!.catchUp!()
  })
  after(() => remove?.())

  const may = <R extends Right>(store: Store, ...rights: R[]) => grant(rights, table, operator, store.catalogue())
  const add = (store: Store, count: number) =>
    insertRecords(
      store,
      may(store, 'create', 'bulk'),
      Array.from({ length: count }, () => new Map()),
    ) as Promise<number[]>
  async function page(store: Store, sort: string, offset: number): Promise<{ ids: number[]; total: number }> {
    const granted = may(store, 'read')
    const { records, total } = await store.pages.page(granted, { sort: parseSort(sort, granted.attributes), offset, limit: LIMIT })
    return { ids: records.map(({ id }) => id), total }
  }
  /** The ids from an offset on, as the database alone finds them. */
  async function found(store: Store, offset: number): Promise<number[]> {
    const { prelude, id, skip } = store.positions.locate(table, offset)!
    const [rows] = await store.db.read(
      sql`${prelude}SELECT id FROM ${name(recordsOf(table))} WHERE id >= ${id} ORDER BY id LIMIT ${LIMIT} OFFSET ${skip}`,
    )
    return rows!.map(([one]) => Number(one))
  }

  /** A page that finds much to add up has it folded in, at most once a second and without waiting for it. */
  async function foldedIn(): Promise<void> {
    const until = Date.now() + 30_000
    for (;;) {
      await page(stores[0]!, '', 0)
      const [rows] = await stores[0]!.db.read(sql`SELECT count(*) FROM block_counts WHERE table_id = ${table}`)
      if (Number(rows![0]![0]) > 100) return
      assert.ok(Date.now() < until, 'What was counted is not folded in.')
      await setTimeout(100)
    }
  }

  const who = fc.nat(1)
  const step = fc.oneof(
    fc.record({ kind: fc.constant('add' as const), who, count: fc.integer({ min: 1, max: 500 }) }),
    fc.record({ kind: fc.constant('delete' as const), who, from: fc.double({ min: 0, max: 1, noNaN: true }), count: fc.nat(200) }),
    fc.record({ kind: fc.constant('restore' as const), who }),
  )

  it('are where counting would find them, whoever wrote and whoever asks', async () => {
    const alive: number[] = []
    let added = 0
    async function apply(one: typeof step extends fc.Arbitrary<infer T> ? T : never): Promise<void> {
      const store = stores[one.who]!
      if (one.kind === 'add') {
        alive.push(...(await add(store, one.count)))
        added += one.count
      } else if (one.kind === 'delete') {
        const gone = alive.splice(Math.floor(one.from * alive.length), one.count)
        await Promise.all(gone.map((id) => deleteRecord(store, may(store, 'delete'), id)))
      } else {
        const [rows] = await store.db.read(sql`SELECT id, item_id FROM trash ORDER BY id DESC LIMIT 20`)
        for (const [id, record] of rows!) {
          await restore(store, operator, Number(id))
          alive.push(Number(record))
        }
        alive.sort((a, b) => a - b)
      }
    }
    async function mustBeRight(offset: number, asked: number): Promise<void> {
      const store = stores[asked]!
      const ids = alive.slice(offset, offset + LIMIT)
      assert.deepEqual(await page(store, '', offset), { ids, total: alive.length }, `at ${offset}`)
      const end = Math.max(0, alive.length - offset)
      const last = alive.slice(Math.max(0, end - LIMIT), end).toReversed()
      assert.deepEqual(await page(store, '-id', offset), { ids: last, total: alive.length }, `at ${offset} from the end`)
      if (offset > 0) assert.deepEqual(await found(store, offset), ids, `found at ${offset}`)
    }
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 1, maxLength: 6 }),
        fc.array(fc.nat(1500), { maxLength: 12 }),
        who,
        async (steps, offsets, asked) => {
          for (const one of steps) await apply(one)
          const all = [...offsets, 0, 1, 255, 256, 257, alive.length - 1, alive.length, alive.length + 1]
          for (const offset of all.filter((at) => at >= 0)) await mustBeRight(offset, asked)
        },
      ),
      { numRuns: 12 },
    )
    // More than a region.
    for (let i = 0; added < 70_000; i++) await apply({ kind: 'add', who: i % 2, count: 2_000 })
    for (const offset of [0, 65_536, 66_000, alive.length - 3, 300])
      for (const asked of [0, 1]) {
        await mustBeRight(offset, asked)
        await apply({ kind: 'delete', who: 1 - asked, from: 0.5, count: 3 })
        await mustBeRight(offset, asked)
      }
    await foldedIn()
    for (const offset of [0, 65_536, 66_000, alive.length - 3, 300]) for (const asked of [0, 1]) await mustBeRight(offset, asked)
  })

  it('fit their total while others write', async () => {
    const [here, there] = stores as [Store, Store]
    let isOver = false
    const writing = (async () => {
      for (let i = 0; !isOver; i++) {
        const ids = await add(there, 40)
        await Promise.all(ids.slice(i % 7).map((id) => deleteRecord(there, may(there, 'delete'), id)))
        const { ids: early } = await page(there, '', 1_000)
        await deleteRecord(there, may(there, 'delete'), early[0]!)
      }
    })()
    try {
      for (let i = 0; i < 150; i++) {
        const { total: last } = await page(here, '', 0)
        const offset = [500, 5_000, 40_000, last - 3, last - 100][i % 5]!
        const { ids, total } = await page(here, i % 2 ? '-id' : '', offset)
        assert.equal(ids.length, Math.max(0, Math.min(LIMIT, total - offset)))
        const order = i % 2 ? ids.toReversed() : ids
        assert.deepEqual(
          order,
          [...new Set(order)].sort((a, b) => a - b),
        )
      }
    } finally {
      isOver = true
      await writing
    }
  })

  it('sorted by a field are the same as by stepping over what comes before, whoever wrote and whoever asks', async () => {
    const [here, there] = stores as [Store, Store]
    const large = await indexedTable(here, 4_000)
    await there.catchUp!()
    const sorts = ['title', '-amount', 'stage', 'flag', '-seen']
    for (const sort of sorts) await large.list(undefined, sort)
    await here.indexes.idle()
    const offsets = [0, 1, 20, 1_100, 1_120, 2_500, 3_979, 3_999, 4_000, 9_999]
    async function mustBeRight(): Promise<void> {
      for (const sort of sorts)
        for (const store of [here, there])
          for (const offset of offsets) {
            const stepped = await large.list(undefined, `${sort},id`, offset, store)
            assert.deepEqual(await large.list(undefined, sort, offset, store), stepped, `${sort} at ${offset}`)
          }
    }
    await mustBeRight()
    await Promise.all(stores.map((store) => store.pages.idle()))
    await mustBeRight()
    const granted = grant('update', large.id, operator, there.catalogue())
    for (let id = 1; id < 60; id++) await updateRecord(there, granted, id, new Map([[large.named('amount'), String(id)]]))
    for (let id = 100; id < 130; id += 3) await deleteRecord(there, grant('delete', large.id, operator, there.catalogue()), id)
    await mustBeRight()
    await Promise.all(stores.map((store) => store.pages.idle()))
    await mustBeRight()
    // What is asked first after a change is far down, where what is known of places is that of before.
    for (const [i, offset] of offsets.entries()) {
      await updateRecord(there, granted, 200 + i, new Map([[large.named('amount'), i % 2 ? '-1' : '99999']]))
      const page = await large.list(undefined, '-amount', offset)
      assert.deepEqual(page, await large.list(undefined, '-amount,id', offset), `after a change, at ${offset}`)
    }
  })

  it('sorted by a field fit their total and each other while others write', async () => {
    const [here, there] = stores as [Store, Store]
    const large = await indexedTable(here, 3_000)
    await there.catchUp!()
    await large.list(undefined, 'count')
    await here.indexes.idle()
    const count = large.named('count')
    let isOver = false
    const writing = (async () => {
      for (let id = 1; !isOver; id++) {
        const granted = grant('update', large.id, operator, there.catalogue())
        await updateRecord(there, granted, 1 + (id % 3_000), new Map([[count, String((id * 7919) % 700)]]))
        if (id % 10 === 0) await setTimeout(20)
      }
    })()
    try {
      const granted = grant('read', large.id, operator, here.catalogue())
      for (let i = 0; i < 150; i++) {
        const offset = [0, 700, 1_400, 2_990, 2_000][i % 5]!
        const { records, total } = await here.pages.page(granted, { sort: parseSort(count, granted.attributes), offset, limit: 20 })
        assert.deepEqual([records.length, total], [Math.min(20, 3_000 - offset), 3_000])
        const keys = records.map(({ attributes, id }) => Number(attributes[count]) * 10_000 + id)
        assert.deepEqual(
          keys,
          [...keys].sort((a, b) => a - b),
        )
      }
    } finally {
      isOver = true
      await writing
    }
  })
})
