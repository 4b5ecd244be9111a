import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { operator } from '../../../src/store/catalogue/administrator.ts'
import { periods } from '../../../src/filter/aggregate.ts'
import { parse } from '../../../src/filter/parse.ts'
import { parseSort } from '../../../src/filter/sort.ts'
import { name, sql } from '../../../src/sql/sql.ts'
import type { Store } from '../../../src/store/ground/store.ts'
import { filterFunctions, type FilterFunction } from '../../../src/filter/functions.ts'
import { limits } from '../../../src/limits.ts'
import { NumberColumn } from '../../../src/sets/number-column.ts'
import { setMemory } from '../../../src/store/sets/set-memory.ts'
import { pages } from '../../../src/store/lists/pages.ts'
import type { Granted } from '../../../src/store/model/access.ts'
import { Stale } from '../../../src/store/model/stale.ts'
import { createRecord, deleteRecord, updateRecord } from '../../../src/store/records/write-records.ts'
import { updateField } from '../../../src/store/structure/fields.ts'
import { deleteTable } from '../../../src/store/structure/tables.ts'
import { erase, restore } from '../../../src/store/structure/trash.ts'
import { indexedTable, type IndexedTable } from '../../support/indexed-table.ts'
import { partsOf, setPartsOf } from '../../support/list-parts.ts'
import { cluster } from '../../support/scratch-database.ts'
import { scratchStore } from '../../support/scratch-store.ts'
import * as fc from '../../support/fast-check.ts'

/*
 * Lists from sets are those of SQL, whatever is written before and meanwhile. SET_LISTS_RUNS: rounds (default 150), of about 12 lists and 6
 * writes each.
 */

const runs = Number(process.env['SET_LISTS_RUNS'] ?? (process.env['KARTOTEKA_TEST_QUICK'] || cluster !== undefined ? 40 : 150))
const RECORDS = 1_500

interface Asked {
  readonly filter: string | undefined
  readonly sort: string
  readonly offset: number
  readonly limit: number
  /** What the group of the reader sees; '': all. */
  readonly readFilter: string
}

const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`
const needle = fc.constantFrom('a', 'ёл', 'anna', '1', '22', '"', '%', '😀', 'line', '', 'x')
const number = fc.integer({ min: -5, max: 720 })
const leaf: fc.Arbitrary<string> = fc.oneof(
  fc
    .tuple(
      fc.constantFrom('contains', 'ends_with', 'starts_with'),
      fc.constantFrom('title', 'notes', 'mail', 'tags', 'stage', 'amount', 'due'),
      needle,
    )
    .map(([fn, field, part]) => `${fn}(${field},${quoted(part)})`),
  fc
    .tuple(fc.constantFrom('eq', 'ne', 'gt', 'gte', 'lt', 'lte'), fc.constantFrom('count', 'amount', 'id'), number)
    .map(([fn, field, value]) => `${fn}(${field},${value})`),
  fc
    .tuple(fc.constantFrom('eq', 'ne', 'gt', 'lte'), fc.constantFrom('title', 'mail', 'notes'), needle)
    .map(([fn, field, value]) => `${fn}(${field},${quoted(value)})`),
  fc.constantFrom(
    "eq(stage,'won')",
    "ne(stage,'open')",
    "in(stage,'won','lost')",
    "nin(stage,'won')",
    "gt(stage,'Lost')",
    'is_empty(due)',
    'eq(flag,1)',
    "has(tags,'Won')",
  ),
  fc.tuple(number, fc.nat(60)).map(([low, span]) => `between(count,${low},${low + span})`),
  fc.array(number, { minLength: 1, maxLength: 12 }).map((values) => `nin(count,${values.join(',')})`),
  fc.constantFrom('anna', '1', 'line 4', 'example', 'won').map((words) => `search('${words}')`),
  fc.constantFrom("contains(phone,'900 1')", "starts_with(phone,'+7')", "eq(phone,'+7 900 101-11')"),
  fc.constantFrom("lt(due,'2015-05-05')", "gte(seen,'2024-03-11 10:00:00')", 'eq(user_id,0)', "gt(add_time,'2020-01-01 00:00:00')"),
)
const wordsSearched = (text: string): number =>
  Array.from(text.matchAll(/search\('([^']*)'\)/g), ([, words]) => words!.split(' ').length).reduce((sum, count) => sum + count, 0)
const filter: fc.Arbitrary<string> = fc
  .letrec<{ tree: string; leaf: string }>((tie) => ({
    leaf,
    tree: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      { weight: 3, arbitrary: tie('leaf') },
      { weight: 1, arbitrary: tie('tree').map((one) => `not(${one})`) },
      {
        weight: 3,
        arbitrary: fc
          .tuple(fc.constantFrom('and', 'or'), fc.array(tie('tree'), { minLength: 1, maxLength: 4 }))
          .map(([fn, terms]) => (terms.length === 1 ? terms[0]! : `${fn}(${terms.join(',')})`)),
      },
    ),
  }))
  .tree.filter((text) => wordsSearched(text) <= limits.searchWords.most)
const keys = ['title', 'notes', 'mail', 'phone', 'amount', 'count', 'flag', 'due', 'stage', 'tags', 'id', 'update_time']
const sort = fc
  .uniqueArray(fc.constantFrom(...keys), { maxLength: 3 })
  .chain((some) => fc.tuple(...some.map((key) => fc.boolean().map((down) => `${down ? '-' : ''}${key}`))))
  .map((some) => some.join(','))
const asked: fc.Arbitrary<Asked> = fc.record({
  filter: fc.option(filter, { nil: undefined }),
  sort,
  offset: fc.oneof(fc.nat(40), fc.nat(RECORDS + 50)),
  limit: fc.integer({ min: 1, max: 50 }),
  readFilter: fc.oneof({ weight: 2, arbitrary: fc.constant('') }, { weight: 1, arbitrary: filter }),
})

interface Act {
  readonly does: 'create' | 'update' | 'delete' | 'restore' | 'many' | 'option' | 'convert'
  readonly id: number
  readonly field: string
  readonly text: string
}
const act: fc.Arbitrary<Act> = fc.record({
  does: fc.oneof(
    { weight: 12, arbitrary: fc.constantFrom<Act['does']>('create', 'update', 'update', 'update', 'delete', 'restore') },
    { weight: 1, arbitrary: fc.constantFrom<Act['does']>('many', 'option', 'convert') },
  ),
  id: fc.integer({ min: 1, max: RECORDS }),
  field: fc.constantFrom('title', 'notes', 'mail', 'amount', 'count', 'flag', 'due', 'stage'),
  text: fc.constantFrom('', 'anna', 'ёлка 1', '22', '😀', 'a"b'),
})

type Period = keyof typeof periods
const asGrouped: fc.Arbitrary<readonly [title: string, period: Period | undefined] | undefined> = fc.oneof(
  fc.constantFrom('stage', 'stage', 'flag', 'count', 'owner', 'user_id').map((title) => [title, undefined] as const),
  fc.tuple(fc.constantFrom('due', 'seen', 'add_time'), fc.constantFrom(...(Object.keys(periods) as Period[]))),
  fc.constant(undefined),
)
const asMeasured: fc.Arbitrary<[fn: 'sum' | 'avg' | 'min' | 'max', title: string][]> = fc.uniqueArray(
  fc.oneof(
    fc.tuple(fc.constantFrom('sum' as const, 'avg' as const, 'min' as const, 'max' as const), fc.constantFrom('amount', 'count')),
    fc.tuple(fc.constantFrom('min' as const, 'max' as const), fc.constantFrom('due', 'seen')),
  ),
  { maxLength: 3, selector: String },
)

const values: Readonly<Record<string, (text: string, id: number) => string>> = {
  mail: (_, id) => `p${id}@example.com`,
  amount: (_, id) => `${id % 300}.5`,
  count: (_, id) => String(id % 700),
  flag: (_, id) => String(id % 2),
  due: (_, id) => (id % 4 === 0 ? '' : `2015-0${1 + (id % 9)}-03`),
  stage: (_, id) => ['Won', 'Open', '', 'Lost'][id % 4]!,
}

describe('lists from sets', () => {
  let store: Store
  let table: IndexedTable
  let remove: () => Promise<void>
  let faults: string[]

  before(async () => {
    ;({ store, remove, faults } = await scratchStore())
    table = await indexedTable(store, RECORDS)
    const { table: model, allAttributes } = table.may('read')
    // Over SQLite the beginning of these orders is known before the order is.
    for (const key of ['amount', '-amount', 'title', '-due', 'stage'])
      store.indexes.wanted(model, undefined, parseSort(table.named(key), allAttributes), 'by SQL')
    await store.indexes.idle()
  })
  after(() => remove())

  const grantedTo = (readFilter: string): Granted<'read'> => ({ ...table.may('read'), readFilter: table.named(readFilter) })

  async function list(by: Store['pages'], { filter, sort, offset, limit, readFilter }: Asked) {
    const granted = grantedTo(readFilter)
    const wanted = {
      filter: filter === undefined ? undefined : parse(table.named(filter)),
      sort: parseSort(table.named(sort), granted.allAttributes),
    }
    // As each request is: an index of texts may be made anew while a thread begins to read it.
    const { records, total } = await unlessStale(() => by.page(granted, { ...wanted, offset, limit }))
    return { ids: records.map(({ id }) => id), total }
  }
  /** The same list by SQL alone. */
  const bySql = () => pages(store, setPartsOf(store).bySql)

  async function perform({ does, id, field, text }: Act): Promise<void> {
    const value = values[field]?.(text, id) ?? text
    const sent = new Map([[table.named(field), value]])
    const gone = (error: { code?: string }) => {
      if (error.code !== 'record.not_found') throw error
    }
    if (does === 'create') await createRecord(store, table.may('create'), sent)
    else if (does === 'update') await updateRecord(store, table.may('update'), id, sent).catch(gone)
    else if (does === 'delete') await deleteRecord(store, table.may('delete'), id).catch(gone)
    else if (does === 'many') await table.fill(300)
    else if (does === 'restore') {
      const [[entry] = []] = await store.db.read(sql`SELECT id FROM trash WHERE kind = 'record' ORDER BY id LIMIT 1`)
      if (entry) await restore(store, operator, Number(entry[0]))
    } else await changeStructure(does, id)
  }

  async function changeStructure(does: 'option' | 'convert', id: number): Promise<void> {
    if (does === 'convert')
      return void (await updateField(store, operator, fieldId('count'), { typeName: id % 2 === 0 ? 'integer' : 'decimal' }))
    const { options } = table.may('read').table.fields.find((one) => one.id === fieldId('stage'))!.settings
    const labels = ['Open', 'Won', 'Lost', 'Ёж', 'on hold', 'Deferred']
    const turned = id % 2 === 0 ? labels : labels.toReversed()
    await updateField(store, operator, fieldId('stage'), { options: options!.map((one, i) => ({ id: one.id, label: turned[i]! })) })
  }
  const fieldId = (title: string): number => Number(table.named(title).slice(1))

  it('are those of SQL after each write', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(asked, { minLength: 3, maxLength: 6 }),
        fc.array(act, { maxLength: 6 }),
        fc.boolean(),
        async (lists, acts, anew) => {
          // Then no set and no order is known.
          if (anew) setPartsOf(store).sets.forget(table.id)
          for (const one of lists) assert.deepEqual(await list(store.pages, one), await list(bySql(), one), JSON.stringify(one))
          for (const one of acts) {
            await perform(one)
            const again = lists[one.id % lists.length]!
            assert.deepEqual(await list(store.pages, again), await list(bySql(), again), JSON.stringify([one, again]))
          }
          for (const one of lists) assert.deepEqual(await list(store.pages, one), await list(bySql(), one), JSON.stringify(one))
          assert.deepEqual(faults, [])
        },
      ),
      { numRuns: runs },
    ))

  it('are counted and summed as SQL does', () =>
    fc.assert(
      fc.asyncProperty(
        asked,
        act,
        asGrouped,
        asMeasured,
        fc.boolean(),
        async ({ filter, readFilter }, change, grouped, measured, whole) => {
          if (change.does !== 'convert') await perform(change)
          const query = (of: string | undefined) => {
            const granted = grantedTo(readFilter)
            const attributeOf = (title: string) => granted.attributes.get(table.named(title))!
            const figures = measured.map(([fn, title]) => ({ fn, attribute: attributeOf(title) }))
            const grouping = grouped && { attribute: attributeOf(grouped[0]), period: grouped[1] }
            return [granted, { counts: true, figures, grouping, filter: of === undefined ? undefined : parse(table.named(of)) }] as const
          }
          const compare = async (of: string | undefined) =>
            assert.deepEqual(
              await store.pages.aggregate(...query(of)),
              await bySql().aggregate(...query(of)),
              JSON.stringify([of, readFilter, grouped, measured]),
            )
          // Afterwards the columns are known, so few records are not left to SQL.
          if (whole) await compare(undefined)
          for (let round = 0; round < 2; round++) await compare(filter)
          assert.deepEqual(faults, [])
        },
      ),
      { numRuns: 2 * runs },
    ))

  it('are of one state of the table while others write', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(asked, { minLength: 4, maxLength: 8 }),
        fc.array(act, { minLength: 4, maxLength: 12 }),
        async (lists, acts) => {
          const data = acts.filter(({ does }) => does !== 'option' && does !== 'convert')
          const writing = (async () => {
            for (const one of data) await perform(one)
          })()
          const found = await Promise.all(lists.map(async (one) => ({ one, page: await list(store.pages, one) })))
          await writing
          for (const { one, page } of found) {
            assert.equal(page.ids.length, Math.max(0, Math.min(one.limit, page.total - one.offset)), JSON.stringify(one))
            assert.equal(new Set(page.ids).size, page.ids.length)
          }
          for (const one of lists) assert.deepEqual(await list(store.pages, one), await list(bySql(), one), JSON.stringify(one))
          assert.deepEqual(faults, [])
        },
      ),
      { numRuns: Math.ceil(runs / 2) },
    ))

  it('walk by cursors through the same records', () =>
    fc.assert(
      fc.asyncProperty(asked, act, async ({ limit, ...one }, change) => {
        await perform(change)
        const granted = grantedTo(one.readFilter)
        const wanted = {
          filter: one.filter === undefined ? undefined : parse(table.named(one.filter)),
          sort: parseSort(table.named(one.sort), granted.allAttributes),
        }
        const all = (await list(bySql(), { ...one, offset: 0, limit: 100_000 })).ids
        const forwards: number[] = []
        const size = Math.max(limit, Math.ceil(all.length / 8))
        for (let at: Awaited<ReturnType<Store['pages']['around']>>['positions'][number] | undefined; ;) {
          const page = await store.pages.around(grantedTo(one.readFilter), wanted, { size, ...(at && { after: at }) })
          forwards.push(...page.records.map(({ id }) => id))
          at = page.positions.at(-1)
          if (!page.more || !at) break
        }
        assert.deepEqual(forwards, all, JSON.stringify(one))
        const last = await store.pages.around(grantedTo(one.readFilter), wanted, { size, before: 'end' })
        assert.deepEqual(
          last.records.map(({ id }) => id),
          all.slice(-size),
          JSON.stringify(one),
        )
        const [begin, end] = [last.positions[1], last.positions.at(-1)]
        if (!begin || !end) return
        const between = await store.pages.around(grantedTo(one.readFilter), wanted, { size, after: begin, before: end })
        assert.deepEqual(
          between.records.map(({ id }) => id),
          all.slice(-size).slice(2, -1),
          JSON.stringify(one),
        )
      }),
      { numRuns: runs },
    ))

  it('are the same with hardly any memory', async () => {
    const tight = await scratchStore({ listMemory: 1 })
    try {
      const other = await indexedTable(tight.store, 20_000)
      assert.equal(partsOf(tight.store).db, tight.store.db)
      for (const [filter, sort, offset] of [
        ["eq(stage,'won')", 'title', 900],
        ["or(contains(title,'an'),contains(mail,'77'))", '-amount', 40],
        ["not(contains(notes,'line 1'))", 'due,title', 3_000],
        ['gt(count,50)', '-mail', 12_000],
      ] as const)
        for (let round = 0; round < 2; round++)
          assert.deepEqual(
            await other.list(filter, sort, offset),
            await other.list(filter, sort, offset, { ...tight.store, pages: pages(tight.store, setPartsOf(tight.store).bySql) }),
          )
      assert.deepEqual(tight.faults, [])
    } finally {
      await tight.remove()
    }
  })
})

async function unlessStale<T>(ask: () => Promise<T>, tries = 3): Promise<T> {
  return ask().catch((error: unknown) => {
    if (!(error instanceof Stale) || tries === 0) throw error
    return unlessStale(ask, tries - 1)
  })
}

/** Filters by each function; what a record must hold so that a wrong answer of the function shows. */
const faulty: Readonly<Record<string, string>> = {
  eq: "eq(title,'anna')",
  ne: "ne(mail,'anna')",
  gt: 'gt(count,10)',
  gte: 'gte(count,10)',
  lt: 'lt(amount,10)',
  lte: 'lte(amount,10)',
  in: "in(title,'a','b')",
  nin: "nin(title,'a','b')",
  starts_with: "starts_with(title,'a')",
  ends_with: "ends_with(title,'a')",
  contains: "contains(title,'a')",
  between: 'between(count,1,20)',
  has: "has(tags,'Won')",
  is_empty: 'is_empty(due)',
}

describe('a test in memory that is not what SQL finds', () => {
  it('is known of each function', () => assert.deepEqual(Object.keys(faulty).sort(), Object.keys(filterFunctions).sort()))

  for (const [name, filter] of Object.entries(faulty))
    it(`is noticed by the comparison with the database, and what it made is made anew: ${name}`, async () => {
      const { store, remove, faults } = await scratchStore()
      // Of two functions that are each other's opposite, one is tested.
      const fn = filterFunctions[{ ne: 'eq', nin: 'in' }[name] ?? name] as { test: FilterFunction['test'] }
      const right = fn.test
      try {
        const table = await indexedTable(store, 50)
        const total = async () => (await table.list(filter)).total
        fn.test = (given) => (operand) => !right(given)(operand)
        const before = await total()
        await store.pages.verify()
        assert.deepEqual(faults, [])
        // So that it is tested again, and holds what it held.
        await deleteRecord(store, table.may('delete'), 7)
        const [[entry] = []] = await store.db.read(sql`SELECT id FROM trash WHERE kind = 'record'`)
        await restore(store, operator, Number(entry![0]))
        const wrong = await total()
        assert.notEqual(wrong, before)
        fn.test = right
        for (let i = 0; i < 4 && faults.length === 0; i++) await store.pages.verify()
        assert.equal(faults.length, 1)
        assert.match(faults[0]!, /sets of a table/)
        assert.equal(await total(), before)
        for (let i = 0; i < 4; i++) await store.pages.verify()
        assert.equal(faults.length, 1)
        assert.equal(store.pages.figures()!.wrong, 1)
      } finally {
        fn.test = right
        await remove()
      }
    })
})

describe('rows of first pages', () => {
  it('are compared with the database, and read anew where one is wrong', async () => {
    const { store, remove, faults } = await scratchStore()
    try {
      const table = await indexedTable(store, 50)
      const field = table.named('count')
      const count = async () => {
        const granted = table.may('read')
        const query = { filter: parse(table.named('gte(count,0)')), sort: [], offset: 0, limit: 20 }
        const { records } = await store.pages.page(granted, query)
        return records.find(({ id }) => id === 7)!.attributes[field]
      }
      const change = (to: string) => updateRecord(store, table.may('update'), 7, new Map([[field, to]]))
      await count()
      await change('1000')
      assert.equal(await count(), '1000')
      await store.pages.verify()
      assert.deepEqual(faults, [])
      // Behind the back of the ledgers.
      await store.db.write((tx) => tx.run(sql`UPDATE ${name(`data${table.id}`)} SET version = version + 1 WHERE id = 7`))
      for (let i = 0; i < 4 && faults.length === 0; i++) await store.pages.verify()
      assert.equal(faults.length, 1)
      assert.match(faults[0]!, /sets of a table/)
      for (let i = 0; i < 4; i++) await store.pages.verify()
      assert.equal(faults.length, 1)
    } finally {
      await remove()
    }
  })
})

describe('the comparison with the database', () => {
  it('goes on with other tables where one has gone, or has another structure', async () => {
    const { store, remove, faults } = await scratchStore()
    try {
      const tables = [await indexedTable(store, 50), await indexedTable(store, 50), await indexedTable(store, 50)] as const
      for (const table of tables) await table.list('gte(count,0)')
      await deleteTable(store, operator, tables[0].id)
      const [[[trashed]]] = (await store.db.read(sql`SELECT id FROM trash`)) as [[[number]]]
      await erase(store, operator, trashed)
      await updateField(store, operator, Number(tables[1].named('notes').slice(1)), { title: 'Other' })
      for (let i = 0; i < 3; i++) await store.pages.verify()
      assert.deepEqual(faults, [])
      if (!('readNow' in store.db)) return
      // Behind the back of the ledgers.
      await store.db.write((tx) => tx.run(sql`UPDATE ${name(`data${tables[2].id}`)} SET version = version + 1 WHERE id = 7`))
      await store.pages.verify()
      assert.equal(faults.length, 1)
    } finally {
      await remove()
    }
  })
})

/** The sum of the whole table, which is made of a column. */
async function sumOf(store: Store, table: IndexedTable): Promise<bigint> {
  const granted = table.may('read')
  const attribute = granted.attributes.get(table.named('count'))!
  const query = { counts: true, figures: [{ fn: 'sum' as const, attribute }], grouping: undefined, filter: undefined }
  return BigInt((await store.pages.aggregate(granted, query)).all['sum']![attribute.name]!)
}

describe('columns of numbers', () => {
  it('are compared with the database, and made anew where one is wrong', async () => {
    const { store, remove, faults } = await scratchStore()
    const right = NumberColumn.prototype.assign
    try {
      const table = await indexedTable(store, 50)
      const sum = () => sumOf(store, table)
      const change = (count: string) => updateRecord(store, table.may('update'), 7, new Map([[table.named('count'), count]]))
      await sum()
      NumberColumn.prototype.assign = function (id, value) {
        right.call(this, id, value === undefined ? value : value + 1)
      }
      await change('1000')
      const wrong = await sum()
      NumberColumn.prototype.assign = right
      for (let i = 0; i < 4 && faults.length === 0; i++) await store.pages.verify()
      assert.equal(faults.length, 1)
      assert.match(faults[0]!, /sets of a table/)
      assert.notEqual(await sum(), wrong)
    } finally {
      NumberColumn.prototype.assign = right
      await remove()
    }
  })

  it('are not made of numbers that are too wide to be added exactly: SQL sums them', async () => {
    const { store, remove } = await scratchStore()
    try {
      const table = await indexedTable(store, 50)
      const sum = () => sumOf(store, table)
      const change = (id: number, count: bigint) =>
        updateRecord(store, table.may('update'), id, new Map([[table.named('count'), String(count)]]))
      for (const id of [7, 8, 9]) await change(id, 0n)
      const before = await sum()
      const widest = 999_999_999_999_999_999n
      for (const id of [7, 8]) await change(id, widest)
      assert.equal(await sum(), before + 2n * widest)
      await change(9, 1n)
      assert.equal(await sum(), before + 1n + 2n * widest)
    } finally {
      await remove()
    }
  })
})

describe('the memory of sets', () => {
  const kept = (bytes: number) => {
    const one = { bytes, gone: false, drop: () => void (one.gone = true) }
    return one
  }

  it('has counts go before filters, terms and orders, and of each kind those used longest ago', () => {
    const memory = setMemory(100)
    const [order, term, filter, counts] = [kept(20), kept(20), kept(20), kept(20)]
    const forgotten: string[] = []
    memory.add('counts', counts, () => forgotten.push('counts'))
    memory.add('filter', filter, () => forgotten.push('filter'))
    memory.add('term', term, () => forgotten.push('term'))
    for (const question of [1, 2]) memory.use(term, question)
    memory.add('order', order, () => forgotten.push('order'))
    memory.add('term', kept(20), () => forgotten.push('new'))
    assert.deepEqual([...forgotten], [])
    memory.use(term)
    const more = kept(60)
    memory.add('term', more, () => forgotten.push('more'))
    assert.deepEqual([...forgotten], ['new', 'counts', 'filter'])
    assert.deepEqual([counts.gone, filter.gone, term.gone, order.gone, more.gone], [true, true, false, false, false])
    more.bytes = 90
    memory.use(more)
    assert.deepEqual(forgotten, ['new', 'counts', 'filter', 'term', 'more'])
    assert.equal(memory.figures().bytes, 20)
    memory.use(more)
    memory.remove(order)
    assert.deepEqual(memory.figures(), {
      most: 100,
      bytes: 0,
      kept: { rows: 0, counts: 0, filter: 0, column: 0, changed: 0, term: 0, order: 0 },
      dropped: 5,
    })
  })

  it('keeps few of the terms that one question used, however often, and leaves room for those that others use again', () => {
    const memory = setMemory(2_000)
    const forgotten: string[] = []
    const make = (name: string, bytes: number) => {
      const one = kept(bytes)
      memory.add('term', one, () => forgotten.push(name))
      return one
    }
    const again = make('again', 100)
    for (const question of [1, 1, 2]) memory.use(again, question)
    for (let i = 1; i <= 10; i++) {
      const one = make(`once ${i}`, 50)
      for (const question of [10 + i, 10 + i]) memory.use(one, question)
    }
    assert.deepEqual(
      forgotten,
      Array.from({ length: 8 }, (_, i) => `once ${i + 1}`),
    )
    assert.deepEqual(memory.figures(), {
      most: 2_000,
      bytes: 200,
      kept: { rows: 0, counts: 0, filter: 0, column: 0, changed: 0, term: 3, order: 0 },
      dropped: 8,
    })
    // Those that a scan has found have a larger share.
    const scanned = Array.from({ length: 3 }, (_, i) => {
      const one = kept(200)
      memory.add('term', one, () => forgotten.push(`scanned ${i}`), true)
      memory.use(one, 30 + i)
      return one
    })
    for (const question of [40, 41]) memory.use(make(`later ${question}`, 50), question)
    assert.deepEqual(forgotten.slice(8), ['scanned 0', 'once 9', 'once 10'])
    for (const one of scanned.slice(1)) memory.remove(one)
    // One alone may be larger than that.
    const large = make('large', 800)
    assert.deepEqual([large.gone, again.gone, memory.figures().bytes], [false, false, 900])
    assert.deepEqual(
      [1, 1, 2, 2, 3, 1].map((question) => memory.timesAsked('eq(f1,1)', question)),
      [1, 1, 2, 2, 3, 4],
    )
  })
})

describe('ids that are far apart', () => {
  it('are listed by SQL where an order of them would take too much memory', async () => {
    const { store, remove, faults } = await scratchStore()
    try {
      const table = await indexedTable(store, 20)
      assert.equal((await table.list("starts_with(title,'far')", 'count,title')).total, 0)
      assert.equal(store.pages.figures()!.kept.order, 1)
      const records = `data${table.id}`
      await store.db.write<unknown>((tx) =>
        store.db.dialect.shared
          ? tx.runReturning(sql`SELECT setval(pg_get_serial_sequence(${records}, 'id'), 99000000)`)
          : tx.run(sql`UPDATE sqlite_sequence SET seq = 99000000 WHERE name = ${records}`),
      )
      const { id } = await createRecord(store, table.may('create'), new Map([[table.named('title'), 'far away']]))
      assert.ok(id > 99_000_000)
      assert.equal((await table.list("starts_with(title,'far')", 'count,title')).ids[0], id)
      assert.equal((await table.list(undefined, '-id')).ids[0], id)
      assert.equal((await table.list('gte(id,5)', '-id')).ids[0], id)
      assert.equal(store.pages.figures()!.kept.order, 0, 'one that cannot follow is of no use')
      assert.ok(store.pages.figures()!.bytes < 200_000, `${store.pages.figures()!.bytes}`)
      assert.deepEqual(faults, [])
    } finally {
      await remove()
    }
  })
})
