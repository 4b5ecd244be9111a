import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { operator } from '../../src/store/catalogue/administrator.ts'
import { deleteRecord, updateRecord } from '../../src/store/records/write-records.ts'
import { updateField } from '../../src/store/structure/fields.ts'
import type { Store } from '../../src/store/ground/store.ts'
import { scratchStore } from '../support/scratch-store.ts'
import { indexedTable, type IndexedTable } from '../support/indexed-table.ts'

/* A second key that decides nothing more, the id, has the same page found by stepping over what comes before. */

const RECORDS = 3_000
const KEYS = ['title', 'mail', 'phone', 'amount', 'count', 'flag', 'due', 'seen', 'stage', 'owner', 'add_time', 'update_time']
const SORTS = KEYS.flatMap((key) => [key, `-${key}`])
const OFFSETS = [0, 1, 300, 1_499, 2_980, 2_999, 3_000, 9_999]

describe('pages of a whole table sorted by one field', () => {
  let store: Store
  let clock: { now: number }
  let remove: () => Promise<void>
  let table: IndexedTable

  before(async () => {
    ;({ store, clock, remove } = await scratchStore({ listedFrom: 1_000_000 }))
    table = await indexedTable(store, RECORDS)
    for (const sort of SORTS) await table.list(undefined, sort)
    await store.indexes.idle()
  })
  after(() => remove())

  async function mustBeRight(sorts: readonly string[]): Promise<void> {
    for (const sort of sorts) {
      for (const offset of OFFSETS)
        assert.deepEqual(
          await table.list(undefined, sort, offset),
          await table.list(undefined, `${sort},${sort === '-id' ? 'status' : 'id'}`, offset),
          `${sort} ${offset}`,
        )
    }
  }

  it('are the same as by stepping over what comes before, at every offset', async () => {
    const kinds = await table.ready()
    assert.ok(kinds.filter((one) => / order/.test(one)).length >= SORTS.length - 2, kinds.join(', '))
    await mustBeRight(SORTS)
  })

  it('come by id from either end', async () => {
    const up = await Promise.all(OFFSETS.map((offset) => table.list(undefined, 'id', offset)))
    assert.deepEqual(up, await Promise.all(OFFSETS.map((offset) => table.list(undefined, '', offset))))
    await mustBeRight(['-id'])
    assert.deepEqual((await table.list(undefined, '-id')).ids[0], RECORDS)
  })

  it('stay right after records change and go', async () => {
    for (let id = 1; id < 400; id += 3) {
      clock.now += 1_000
      await updateRecord(
        store,
        table.may('update'),
        id,
        new Map([
          [table.named('stage'), 'Lost'],
          [table.named('amount'), '-5'],
        ]),
      )
    }
    for (let id = 2; id < 400; id += 7) await deleteRecord(store, table.may('delete'), id)
    await mustBeRight(['stage', '-stage', 'amount', '-amount', 'title', '-id', 'update_time', '-update_time'])
  })

  it('follow the labels of a list when they are renamed', async () => {
    const field = Number(table.named('stage').slice(1))
    const { options } = table.may('read').table.fields.find(({ id }) => id === field)!.settings
    const renamed = options!.map(({ id, label }) => ({ id, label: label === 'Open' ? 'zzz' : label }))
    await updateField(store, operator, field, { options: renamed })
    await mustBeRight(['stage', '-stage'])
    await table.list(undefined, '-stage')
    await store.indexes.idle()
    await mustBeRight(['stage', '-stage'])
  })

  it('follow the times of records that a conversion changes', async () => {
    await mustBeRight(['update_time', '-update_time'])
    clock.now += 60_000
    await updateField(store, operator, Number(table.named('count').slice(1)), { typeName: 'text' })
    const day = new Date(clock.now).toISOString().slice(0, 19).replace('T', ' ')
    assert.ok((await table.list(`eq(update_time,'${day}')`)).total > 1_000)
    await mustBeRight(['update_time', '-update_time'])
    await updateRecord(store, table.may('update'), 1, new Map([[table.named('amount'), '7']]))
    await mustBeRight(['update_time', '-update_time'])
  })
})
