import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { name, raw, sql } from '../../src/sql/sql.ts'
import { grant } from '../../src/store/model/access.ts'
import { operator } from '../../src/store/catalogue/administrator.ts'
import { recordsOf } from '../../src/store/model/catalogue.ts'
import type { Right } from '../../src/store/model/rights.ts'
import { allRows, committed } from '../../src/store/ground/relation.ts'
import type { Order } from '../../src/store/lists/order.ts'
import { pageFrom } from '../../src/store/lists/ranks.ts'
import { deleteRecord, updateRecord } from '../../src/store/records/write-records.ts'
import { insertRecords } from '../../src/store/records/insert-records.ts'
import type { Store } from '../../src/store/ground/store.ts'
import { createTable } from '../../src/store/structure/tables.ts'
import { createField, deleteField } from '../../src/store/structure/fields.ts'
import { trashItems } from '../../src/store/structure/trash-entries.ts'
import { erase, restore } from '../../src/store/structure/trash.ts'
import { scratchStore } from '../support/scratch-store.ts'
import { local } from '../support/local.ts'
import * as fc from '../support/fast-check.ts'

/* Places found by rank against stepping over everything that comes before. */

const orderOf = (tableId: number, column: string, isNumber: boolean, descending: boolean): Order => ({
  tableId,
  column,
  key: name(column),
  keyText: column,
  isNumber,
  descending,
})

const WORDS = ['', 'a', 'ab', 'B', 'Ё', 'е', '\u{1F600}', '\uFF5E', 'ß', 'zz']
const LIMIT = 7

describe('ranks', () => {
  let store: Store
  let remove: () => Promise<void>
  let table: number
  let text: string
  let amount: string
  const may = <R extends Right>(...rights: R[]) => grant(rights, table, operator, store.catalogue())

  before(async () => {
    ;({ store, remove } = await scratchStore())
    table = await createTable(store, operator, { title: 'T' })
    text = `f${await createField(store, operator, { tableId: table, title: 'text', typeName: 'text' })}`
    amount = `f${await createField(store, operator, { tableId: table, title: 'amount', typeName: 'decimal' })}`
    await add(2_000)
  })
  after(() => remove())

  async function add(count: number, from = 0): Promise<void> {
    const rows = Array.from({ length: count }, (_, i) => {
      const n = from + i
      return new Map([
        [text, WORDS[(n * 7) % WORDS.length]!],
        [amount, n % 11 === 0 ? '123456789012345.67' : `${(n * 37) % 1000}.5`],
      ])
    })
    await insertRecords(store, may('create', 'bulk'), rows)
  }

  const orders = (): Order[] =>
    [true, false].flatMap((descending) => [orderOf(table, `${text}k`, false, descending), orderOf(table, amount, true, descending)])

  async function mustBeRight(order: Order, offset: number): Promise<void> {
    const page = await local(store).ranks.at(order, offset, (place) =>
      place
        ? local(store)
            .db.readNow(...pageFrom(order, place, sql`id`, LIMIT))
            .flat()
        : [],
    )
    const direction = order.descending ? raw(' DESC') : raw('')
    const all = sql`SELECT id FROM ${name(recordsOf(table))} ORDER BY ${name(order.column)}${direction}, id LIMIT ${LIMIT} OFFSET ${offset}`
    assert.deepEqual(page, local(store).db.readNow(all)[0], `${order.column} ${order.descending} ${offset}`)
  }

  const action = fc.oneof(
    fc.record({ does: fc.constant('add' as const), count: fc.integer({ min: 1, max: 40 }), from: fc.nat(5000) }),
    fc.record({ does: fc.constant('change' as const), id: fc.nat(2500), word: fc.constantFrom(...WORDS), amount: fc.integer() }),
    fc.record({ does: fc.constant('delete' as const), id: fc.nat(2500) }),
    fc.record({ does: fc.constant('restore' as const) }),
    fc.record({ does: fc.constant('fail' as const), from: fc.nat(5000) }),
  )

  async function perform(one: typeof action extends fc.Arbitrary<infer T> ? T : never): Promise<void> {
    if (one.does === 'add') return add(one.count, one.from)
    if (one.does === 'restore') {
      const [entry] = await allRows(committed(store), trashItems)
      return entry && void (await restore(store, operator, entry.id))
    }
    if (one.does === 'fail') {
      const undone = store.db.write(async (tx) => {
        await tx.run(sql`UPDATE ${name(recordsOf(table))} SET ${name(`${text}k`)} = 'undone' WHERE id < ${one.from}`)
        throw new Error('undone')
      })
      return assert.rejects(undone, /undone/)
    }
    const changes =
      one.does === 'change' &&
      new Map([
        [text, one.word],
        [amount, String(one.amount)],
      ])
    const done = changes ? updateRecord(store, may('update'), one.id, changes) : deleteRecord(store, may('delete'), one.id)
    await Promise.resolve(done).catch((error: { code?: string }) => assert.equal(error.code, 'record.not_found'))
  }

  it('are right at every offset', async () => {
    for (const order of orders()) for (const offset of [0, 1, 255, 256, 257, 999, 1990, 1999, 2000, 5000]) await mustBeRight(order, offset)
  })

  it('stay right whatever comes, goes, changes or is undone, also while they are made', async () => {
    const runs = fc.array(fc.tuple(action, fc.nat(2600)), { minLength: 1, maxLength: 12 })
    await fc.assert(
      fc.asyncProperty(runs, async (steps) => {
        for (const [one, offset] of steps) {
          await Promise.all([perform(one), ...orders().map((order) => mustBeRight(order, offset))])
          for (const order of orders()) await mustBeRight(order, offset)
        }
      }),
      { numRuns: 40 },
    )
  })

  it('stay near where many records come to one place', async () => {
    const order = orders()[0]!
    await mustBeRight(order, 0)
    for (let i = 0; i < 4; i++)
      await insertRecords(
        store,
        may('create', 'bulk'),
        Array.from({ length: 1_000 }, () => new Map([[text, 'zz']])),
      )
    const skips = await Promise.all([100, 4_000, 5_000].map((offset) => local(store).ranks.at(order, offset, (place) => place!.skip)))
    assert.ok(Math.max(...skips) <= 1_024, skips.join(' '))
    for (const offset of [3_000, 4_000, 5_000, 5_900]) await mustBeRight(order, offset)
  })

  it('let go of a field that is erased', async () => {
    const [order] = orders()
    await mustBeRight(order!, 10)
    await deleteField(store, operator, Number(text.slice(1)))
    const entry = (await allRows(committed(store), trashItems)).find(({ kind }) => kind === 'field')!
    await erase(store, operator, entry.id)
    assert.equal(may('read').table.fields.length, 1)
  })
})
