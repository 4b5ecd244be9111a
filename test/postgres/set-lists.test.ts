import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { parse } from '../../src/filter/parse.ts'
import { parseSort } from '../../src/filter/sort.ts'
import { name, sql } from '../../src/sql/sql.ts'
import { operator } from '../../src/store/catalogue/administrator.ts'
import { TextColumn } from '../../src/sets/text-column.ts'
import type { Store } from '../../src/store/ground/store.ts'
import { pages } from '../../src/store/lists/pages.ts'
import { HORIZON, pruning } from '../../src/store/positions/record-changes.ts'
import { grant } from '../../src/store/model/access.ts'
import { recordsOf } from '../../src/store/model/catalogue.ts'
import type { Right } from '../../src/store/model/rights.ts'
import { insertRecords } from '../../src/store/records/insert-records.ts'
import { createRecord, deleteRecord, updateRecord } from '../../src/store/records/write-records.ts'
import { createField } from '../../src/store/structure/fields.ts'
import { createTable } from '../../src/store/structure/tables.ts'
import { indexedTable, type IndexedTable } from '../support/indexed-table.ts'
import { setPartsOf } from '../support/list-parts.ts'
import { scratchInstallation } from '../support/scratch-store.ts'
import * as fc from '../support/fast-check.ts'

/*
 * Lists of one process are those of SQL, whatever another process writes before and meanwhile. SET_LISTS_RUNS: rounds (default 40).
 */

const runs = Number(process.env['SET_LISTS_RUNS'] ?? 40)
const RECORDS = 1_500
const LARGER = 6_000
/** Milliseconds that the transactions of other tests may take. */
const WAIT = 60_000

const filters = [
  undefined,
  "eq(stage,'won')",
  "ne(stage,'won')",
  "or(contains(title,'anna'),contains(notes,'line 4'),contains(mail,'7'),contains(phone,'900'))",
  "and(gt(count,300),eq(stage,'open'))",
  'lt(amount,1200)',
  'between(count,100,420)',
  "not(contains(notes,'line 1'))",
  "starts_with(title,'ёл')",
]
const sorts = ['', '-id', 'title', '-amount', 'count,title', 'due,-count', '-update_time', 'stage,title', '-stage,-amount']

interface Act {
  readonly does: 'create' | 'update' | 'delete' | 'many'
  readonly id: number
  readonly field: 'title' | 'amount' | 'count' | 'stage' | 'notes' | 'due'
}
const act: fc.Arbitrary<Act> = fc.record({
  does: fc.oneof(
    { weight: 10, arbitrary: fc.constantFrom<Act['does']>('create', 'update', 'update', 'delete') },
    { weight: 1, arbitrary: fc.constant<Act['does']>('many') },
  ),
  id: fc.integer({ min: 1, max: RECORDS }),
  field: fc.constantFrom('title', 'amount', 'count', 'stage', 'notes', 'due'),
})
const asked = fc.record({
  filter: fc.constantFrom(...filters),
  sort: fc.constantFrom(...sorts),
  offset: fc.integer({ min: 0, max: RECORDS }),
  readFilter: fc.constantFrom<string>('', '', "eq(stage,'lost')"),
})
type Asked = typeof asked extends fc.Arbitrary<infer T> ? T : never

const texts = ['anna', 'Ёлка 5', 'line 4', 'other']
const written: Readonly<Record<Act['field'], (id: number) => string>> = {
  title: (id) => texts[id % texts.length]!,
  amount: (id) => `${(id * 11) % 3_000}.25`,
  count: (id) => `${(id * 3) % 700}`,
  stage: (id) => ['Won', 'Open', 'Lost', ''][id % 4]!,
  notes: (id) => `${texts[id % 3]} ${id}`,
  due: (id) => (id % 5 === 0 ? '' : `20${10 + (id % 20)}-0${1 + (id % 9)}-1${id % 10}`),
}

describe('lists of a table to which another process writes', () => {
  let reading: Store
  let writing: Store
  let table: IndexedTable
  let faults: string[]
  let remove: () => Promise<unknown>
  before(async () => {
    const installation = await scratchInstallation()
    ;[reading, writing] = [await installation.open(), await installation.open()]
    faults = installation.faults
    remove = async () => {
      await Promise.all([reading, writing].map((store) => store.close()))
      await installation.remove()
    }
    table = await indexedTable(writing, RECORDS)
    await reading.catchUp!()
  })
  after(() => remove?.())

  async function list(by: Store['pages'], { filter, sort, offset, readFilter }: Asked, of = table) {
    const granted = { ...of.may('read'), readFilter: of.named(readFilter) }
    const wanted = {
      filter: filter === undefined ? undefined : parse(of.named(filter)),
      sort: parseSort(of.named(sort), granted.allAttributes),
    }
    const { records, total } = await by.page(granted, { ...wanted, offset, limit: 20 })
    return { ids: records.map(({ id }) => id), total }
  }
  const bySql = () => pages(reading, setPartsOf(reading).bySql)

  async function perform({ does, id, field }: Act, of = table): Promise<void> {
    const sent = new Map([[of.named(field), written[field](id)]])
    const gone = (error: { code?: string }) => {
      if (error.code !== 'record.not_found') throw error
    }
    if (does === 'create') await createRecord(writing, of.may('create'), sent)
    else if (does === 'update') await updateRecord(writing, of.may('update'), id, sent).catch(gone)
    else if (does === 'delete') await deleteRecord(writing, of.may('delete'), id).catch(gone)
    else await of.fill(260)
  }

  it('are those of SQL after each write', () =>
    fc.assert(
      fc.asyncProperty(fc.array(asked, { minLength: 3, maxLength: 6 }), fc.array(act, { maxLength: 8 }), async (lists, acts) => {
        for (const one of acts) {
          await perform(one)
          const again = lists[one.id % lists.length]!
          assert.deepEqual(await list(reading.pages, again), await list(bySql(), again), JSON.stringify([one, again]))
        }
        for (const one of lists) assert.deepEqual(await list(reading.pages, one), await list(bySql(), one), JSON.stringify(one))
        assert.deepEqual(faults, [])
      }),
      { numRuns: runs },
    ))

  it('have a page and a total of one state, which is one that the table was in, while the other process writes', async () => {
    // Each write adds a record to the list or takes one from it, so the total says which state it was.
    const filter = "eq(title,'counted')"
    const sent = new Map([[table.named('title'), 'counted']])
    const { total: at } = await list(reading.pages, { filter, sort: '', offset: 0, readFilter: '' })
    assert.equal(at, 0)
    const states: number[][] = [[]]
    let isWriting = true
    const writer = (async () => {
      for (let i = 0; i < 150; i++) {
        const now = states.at(-1)!
        const goes = i % 3 === 2 ? now[(i * 7) % now.length] : undefined
        if (goes === undefined) {
          const { id } = await createRecord(writing, table.may('create'), sent)
          states.push([...now, id])
        } else {
          await deleteRecord(writing, table.may('delete'), goes)
          states.push(now.filter((id) => id !== goes))
        }
      }
      isWriting = false
    })()
    const seen: { ids: number[]; total: number; from: number }[] = []
    const reader = async (sort: string) => {
      while (isWriting) {
        const from = states.length - 1
        seen.push({ ...(await list(reading.pages, { filter, sort, offset: 0, readFilter: '' })), from })
      }
    }
    await Promise.all([writer, reader(''), reader('title'), reader('count,id'), reader('')])
    assert.ok(seen.length > 50, `${seen.length}`)
    for (const { ids, total, from } of seen) {
      // What was committed before the list was asked for is in it.
      const isState = states.some((state, i) => i >= from && state.length === total && state.slice(0, 20).join() === ids.join())
      assert.ok(isState, JSON.stringify({ ids, total, from }))
    }
  })

  it('hear which attributes of a record were changed: orders by others leave it where it is', async () => {
    const one = { filter: "eq(stage,'won')", sort: 'count', offset: 0, readFilter: '' }
    await list(reading.pages, one)
    const { log } = setPartsOf(reading).sets.of(table.may('read').table)!
    const { id } = await createRecord(writing, table.may('create'), new Map([[table.named('title'), 'new']]))
    await list(reading.pages, one)
    const changed = (from: number, field: string) => log.since(from, log.touchOf([table.named(field)]))!.has(id)
    let from = log.end
    await perform({ does: 'update', id, field: 'title' })
    await perform({ does: 'update', id, field: 'notes' })
    await list(reading.pages, one)
    assert.deepEqual(
      ['title', 'notes', 'count', 'update_time'].map((field) => changed(from, field)),
      [true, true, false, true],
    )
    // A process of an earlier version does not tell which.
    from = log.end
    await writing.db.write((tx) => tx.run(sql`INSERT INTO record_changes (table_id, record_id) VALUES (${table.id}, ${id})`))
    await list(reading.pages, one)
    assert.equal(changed(from, 'count'), true)
  })

  it('in orders take keys from columns after many were read, which follow the other process and are compared with the database', async () => {
    // Of fewer, the keys of all are soon known.
    const large = await indexedTable(writing, LARGER)
    await reading.catchUp!()
    const orders = ['title', '-amount', 'count,title', 'due,-count', '-update_time']
    const attributes = ['title', 'amount', 'count', 'due', 'update_time'].map(large.named)
    const columns = () => Array.from(setPartsOf(reading).sets.of(large.may('read').table)!.columns.values())
    const missing = () => attributes.filter((name) => !columns().some(({ attribute }) => attribute.name === name))
    const page = (sort: string, offset: number) => ({ filter: undefined, sort, offset: offset % LARGER, readFilter: '' })
    const fields = ['title', 'amount', 'count', 'due'] as const
    for (let i = 0; i < 400 && missing().length > 0; i++) {
      // What has moved gets its place by keys of others.
      for (const field of fields) await perform({ does: 'update', id: 1 + ((i * 97) % LARGER), field }, large)
      for (const sort of orders) await list(reading.pages, page(sort, i * 131), large)
    }
    assert.deepEqual(missing(), [])
    for (let i = 0; i < 60; i++) {
      const does = (['update', 'update', 'create', 'delete'] as const)[i % 4]!
      await perform({ does, id: 1 + ((i * 389) % LARGER), field: fields[i % fields.length]! }, large)
      const one = page(orders[i % orders.length]!, i * 173)
      assert.deepEqual(await list(reading.pages, one, large), await list(bySql(), one, large), JSON.stringify(one))
    }
    assert.deepEqual(faults, [])
    const titles = columns().find(({ values }) => values instanceof TextColumn)!.values as TextColumn
    titles.assign(1_001, 'of no record')
    for (let i = 0; i < 40 && faults.length === 0; i++) await reading.pages.verify()
    assert.match(faults.splice(0).join(), /sets of a table were not those of its records/)
  })

  it('are made anew where the log of changes does not reach back far enough', async () => {
    const one = { filter: "eq(stage,'won')", sort: 'title', offset: 0, readFilter: '' }
    await list(reading.pages, one)
    const { read } = reading.pages.figures()!
    const failed: unknown[] = []
    const prune = pruning(writing.db.write, (_, error) => failed.push(error))
    // A transaction of another test on the same server may keep the horizon back for some seconds.
    const end = Date.now() + WAIT
    for (let i = 0; Date.now() < end && reading.pages.figures()!.read.set === read.set; i++) {
      await perform({ does: 'update', id: 20 + (i % 2), field: 'stage' })
      prune(20_000)
      if (i % 10 === 9) assert.deepEqual(await list(reading.pages, one), await list(bySql(), one))
    }
    const [rows] = await writing.db.read(sql`SELECT xid::text FROM record_changes WHERE table_id = ${HORIZON}`)
    assert.ok(Number(rows![0]![0]) > 0)
    assert.ok(reading.pages.figures()!.read.set > read.set)
    assert.deepEqual(failed, [])
    assert.deepEqual(faults, [])
  })

  it('are right after a crash of the server, with which the log of changes is gone', async () => {
    const one = { filter: "eq(title,'after')", sort: '', offset: 0, readFilter: '' }
    assert.equal((await list(reading.pages, one)).total, 0)
    // What the recovery of PostgreSQL does with an unlogged table, also where one of its processes alone has crashed.
    await writing.db.write((tx) => tx.run(sql`DELETE FROM record_changes`))
    await createRecord(writing, table.may('create'), new Map([[table.named('title'), 'after']]))
    assert.equal((await list(reading.pages, one)).total, 1)
    await createRecord(writing, table.may('create'), new Map([[table.named('title'), 'after']]))
    assert.equal((await list(reading.pages, one)).total, 2)
    assert.deepEqual(faults, [])
  })

  it('find what they need from the database there, once the process got ready for the first of them', async () => {
    const own = await scratchInstallation()
    const store = await own.open()
    try {
      const told = sql`SELECT count(*) FROM record_changes WHERE table_id = ${HORIZON}`
      const count = async () => Number((await store.db.read(told))[0]![0]![0])
      assert.equal(await count(), 0)
      await store.pages.startAhead()
      assert.equal(await count(), 1)
      await store.pages.startAhead()
      assert.equal(await count(), 1)
    } finally {
      await store.close()
    }
    // What fails is left to whoever asks.
    await store.pages.startAhead()
    assert.deepEqual(own.faults, [])
    await own.remove()
  })

  it('are right where the log of changes came from another server, whose transactions had other ids', async () => {
    const own = await scratchInstallation()
    let store = await own.open()
    try {
      const other = await indexedTable(store, RECORDS)
      const won = await other.list("eq(stage,'won')", 'title')
      await store.db.write((tx) =>
        tx.run(
          sql`INSERT INTO record_changes (table_id, xid, record_id) SELECT t, '900000000000'::xid8, n FROM generate_series(1, 5000) AS n, (VALUES (0), (${other.id})) AS of (t)`,
        ),
      )
      await store.close()
      store = await own.open()
      assert.deepEqual(await other.list("eq(stage,'won')", 'title', 0, store), won)
      const { read } = store.pages.figures()!
      assert.deepEqual(await other.list("eq(stage,'won')", 'title', 0, store), won)
      assert.deepEqual(store.pages.figures()!.read, read)
      assert.deepEqual(own.faults, [])
    } finally {
      await store.close()
      await own.remove()
    }
  })

  it('are answered also where more attributes are compared than a function of PostgreSQL takes', async () => {
    const wide = await createTable(writing, operator, { title: 'Wide' })
    const names: string[] = []
    for (let i = 0; i < 110; i++)
      names.push(`f${await createField(writing, operator, { tableId: wide, title: `T${i}`, typeName: 'text' })}`)
    await reading.catchUp!()
    const may = <R extends Right>(store: Store, ...rights: R[]) => grant(rights, wide, operator, store.catalogue())
    const rows = Array.from({ length: 1_200 }, (_, i) => new Map([[names[i % 110]!, `v${i % 7}`]]))
    const ids = (await insertRecords(writing, may(writing, 'create', 'bulk'), rows)) as number[]
    const page = async (filter: string) => {
      const { records, total } = await reading.pages.page(may(reading, 'read'), { filter: parse(filter), sort: [], offset: 0, limit: 5 })
      return [records.map(({ id }) => id), total]
    }
    for (const filter of ["search('v3')", `eq(${names[0]},'v0')`]) await page(filter)
    await updateRecord(writing, may(writing, 'update'), ids[1]!, new Map([[names[0]!, 'v0']]))
    const [, total] = await page(`eq(${names[0]},'v0')`)
    const [found] = await writing.db.read(sql`SELECT count(*) FROM ${name(recordsOf(wide))} WHERE ${name(names[0]!)} = 'v0'`)
    assert.equal(total, Number(found![0]![0]))
    assert.deepEqual(faults, [])
  })
})
