import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { parse } from '../../src/filter/parse.ts'
import { parseSort } from '../../src/filter/sort.ts'
import { grant } from '../../src/store/model/access.ts'
import { operator } from '../../src/store/catalogue/administrator.ts'
import type { Right } from '../../src/store/model/rights.ts'
import { createField } from '../../src/store/structure/fields.ts'
import { createRecord, deleteRecord, updateRecord } from '../../src/store/records/write-records.ts'
import { insertRecords } from '../../src/store/records/insert-records.ts'
import type { Store } from '../../src/store/ground/store.ts'
import { createTable } from '../../src/store/structure/tables.ts'
import { scratchStore } from '../support/scratch-store.ts'
import * as fc from '../support/fast-check.ts'

/* Pages are found in three ways (a remembered neighbour, the nearer end, stepping over): all must say the same. */

let store: Store
let remove: () => Promise<void>
let table: number
const fields: Record<string, string> = {}
const may = <R extends Right>(...rights: R[]) => grant(rights, table, operator, store.catalogue())

before(async () => {
  ;({ store, remove } = await scratchStore())
  table = await createTable(store, operator, { title: 'T' })
  const make = async (title: string, typeName: string, more = {}) => {
    fields[title] = `f${await createField(store, operator, { tableId: table, title, typeName, ...more })}`
  }
  await make('text', 'text')
  await make('amount', 'decimal')
  await make('day', 'date')
  await make('choice', 'list', { options: [{ label: 'b' }, { label: 'A' }, { label: 'c' }] })
  const rows = Array.from(
    { length: 300 },
    (_, i) =>
      new Map(
        Object.entries({
          [fields['text']!]: ['a', 'Ё', 'е', 'B', ''][i % 5]!,
          [fields['amount']!]: ['0', '1.50', '-3', '123456789012345.67'][i % 4]!,
          [fields['day']!]: i % 3 === 0 ? '' : `2024-01-0${1 + (i % 7)}`,
          [fields['choice']!]: ['A', 'b', 'c', ''][(i * 7) % 4]!,
        }),
      ),
  )
  await insertRecords(store, may('create', 'bulk'), rows)
})
after(() => remove())

const key = fc.constantFrom('text', 'amount', 'day', 'choice')
const sorts = fc
  .uniqueArray(key, { maxLength: 3 })
  .chain((keys) => fc.tuple(...keys.map((one) => fc.boolean().map((down) => `${down ? '-' : ''}${one}`))))
const filters = fc.constantFrom(
  undefined,
  "ne(text,'a')",
  'gt(amount,0)',
  "or(eq(choice,'A'),is_empty(day))",
  "contains(text,'е')",
  'lt(id,0)',
)
const named = (text: string) => text.replace(/text|amount|day|choice/g, (one) => fields[one]!)

it('walking, jumping and going backwards through a list meet the same records in the same order', () =>
  fc.assert(
    fc.asyncProperty(
      sorts,
      filters,
      fc.integer({ min: 1, max: 60 }),
      fc.array(fc.nat(320), { maxLength: 5 }),
      fc.boolean(),
      async (sort, filter, limit, jumps, change) => {
        const list = async (offset: number, most: number) => {
          const granted = may('read')
          const page = await store.pages.page(granted, {
            filter: filter && parse(named(filter)),
            sort: parseSort(named(sort.join(',')), granted.attributes),
            offset,
            limit: most,
          })
          return { ids: page.records.map(({ id }) => id), total: page.total }
        }
        if (change) {
          const { id } = await createRecord(store, may('create'), new Map([[fields['text']!, 'е']]))
          await updateRecord(store, may('update'), 1 + (id % 250), new Map([[fields['amount']!, String(id % 9)]]))
          if (id % 3 === 0) await deleteRecord(store, may('delete'), id)
        }
        const all = await list(0, 1000)
        assert.equal(all.ids.length, all.total)
        assert.equal(new Set(all.ids).size, all.total)
        const walked: number[] = []
        for (let offset = 0; offset < all.total; offset += limit) walked.push(...(await list(offset, limit)).ids)
        assert.deepEqual(walked, all.ids)
        for (const offset of jumps)
          assert.deepEqual(await list(offset, limit), { ids: all.ids.slice(offset, offset + limit), total: all.total })
      },
    ),
    { numRuns: 150 },
  ))

it('a page that another list answers than the one it was planned for leaves nothing behind', async () => {
  const list = async (offset: number, limit: number) => {
    const granted = may('read')
    const filter = parse(named("starts_with(text,'jump')"))
    const page = await store.pages.page(granted, { filter, sort: parseSort(named('amount'), granted.attributes), offset, limit })
    return { ids: page.records.map(({ id }) => id), total: page.total }
  }
  const add = async (amount: number) =>
    (await createRecord(store, may('create'), new Map([fieldOf('text', 'jump'), fieldOf('amount', String(amount))]))).id
  const fieldOf = (title: string, value: string) => [fields[title]!, value] as const
  const ids: number[] = []
  for (let amount = 1; amount <= 60; amount++) ids.push(await add(amount))
  // After the page before it, and back from the end: the first read after a change.
  for (const [before, limit] of [
    [10, 50],
    [15, 20],
  ] as const) {
    const known = ids.length
    await list(0, known - 10)
    await list(known - 10, 50)
    ids.unshift(await add(-known))
    const jump = known - before
    assert.deepEqual(await list(jump, limit), { ids: ids.slice(jump, jump + limit), total: ids.length })
    assert.deepEqual(await list(known, 10), { ids: ids.slice(known), total: ids.length })
  }
})

it('a total is never stale: whatever is written counts in the next list', async () => {
  const count = async () =>
    (await store.pages.page(may('read'), { filter: parse(named("eq(text,'stale')")), sort: [], offset: 0, limit: 1 })).total
  for (let i = 0; i < 5; i++) {
    const before = await count()
    const { id } = await createRecord(store, may('create'), new Map([[fields['text']!, 'STALE']]))
    assert.equal(await count(), before + 1)
    await updateRecord(store, may('update'), id, new Map([[fields['text']!, 'other']]))
    assert.equal(await count(), before)
    await updateRecord(store, may('update'), id, new Map([[fields['text']!, 'stale']]))
    await deleteRecord(store, may('delete'), id)
    assert.equal(await count(), before)
  }
})

it('what is remembered of one list is told apart from another one, whatever the values in their filters look like', async () => {
  const total = async (...values: string[]) => {
    const filter = parse(named(values.map((value) => `ne(text,'${value}')`).reduce((one, other) => `and(${one},${other})`)))
    return (await store.pages.page(may('read'), { filter, sort: [], offset: 0, limit: 1 })).total
  }
  const all = await total('x', 'y')
  await createRecord(store, may('create'), new Map([[fields['text']!, 'z']]))
  assert.equal(await total('x\nstring y', 'z'), all)
  assert.equal(await total('x', 'y\nstring z'), all + 1)
})
