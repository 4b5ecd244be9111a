import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { check } from '../../../src/filter/check.ts'
import { compile } from '../../../src/filter/compile.ts'
import { parse } from '../../../src/filter/parse.ts'
import { name, sql } from '../../../src/sql/sql.ts'
import { operator } from '../../../src/store/catalogue/administrator.ts'
import type { Store } from '../../../src/store/ground/store.ts'
import { recordsOf } from '../../../src/store/model/catalogue.ts'
import { createRecord, deleteRecord, updateRecord } from '../../../src/store/records/write-records.ts'
import { createField, deleteField, updateField } from '../../../src/store/structure/fields.ts'
import { erase, restore } from '../../../src/store/structure/trash.ts'
import { checkIntegrity } from '../../../src/store/upkeep/check-integrity.ts'
import { indexedTable, type IndexedTable } from '../../support/indexed-table.ts'
import { scratchStore } from '../../support/scratch-store.ts'

/* An index of words finds what a scan finds. */

const searches = ['anna', 'an 17', 'ёлка person', 'person7', 'example7 com', '900', '+7 900 101', '79001', '2015 06', '11', 'won', 'on hold line', 'deferred', "o'hara",
  'ете', 'e\u0301t', '😀 anna', 'naïv', '0', 'anna open 3', '10111', '101-11', '1011 anna', 'nothing', 'x 7', '12.50', 'hara d arc and'] // prettier-ignore

describe('an index of words', () => {
  let store: Store
  let table: IndexedTable
  let remove: () => Promise<void>

  before(async () => {
    ;({ store, remove } = await scratchStore())
    table = await indexedTable(store, 1_050)
    await table.list("search('anna')")
    await store.indexes.idle()
  })
  after(() => remove())

  /** What a search finds by the index, if that is there, compared with a scan. Without the attributes `hidden`. */
  async function found(words: string, hidden: readonly string[] = []): Promise<{ ids: number[]; byIndex: boolean }> {
    const { table: one } = table.may('read')
    const attributes = new Map([...one.attributes].filter(([key]) => !hidden.includes(key)))
    const condition = check(parse(`search('${words.replaceAll("'", "''")}')`), { attributes, context: store.context })
    assert.ok(condition.is === 'search')
    const find = await store.indexes.pieces(one, condition)
    const query = find?.words?.(condition)
    const idsOf = async (which: ReturnType<typeof compile>) =>
      (await store.db.read(sql`SELECT id FROM ${name(recordsOf(table.id))} WHERE ${which} ORDER BY id`))[0]!.map(([id]) => Number(id))
    const scanned = await idsOf(compile(condition, store.db.dialect))
    if (query) assert.deepEqual(await idsOf(sql`id IN (${query})`), scanned, words)
    return { ids: scanned, byIndex: query !== undefined }
  }

  /** Every search gives by the index what a scan gives, in lists too; and the index fits the records. */
  async function fits(byIndex: boolean, some = searches.filter((_, i) => i % 4 === 1)): Promise<void> {
    for (const words of some) {
      const { ids, byIndex: used } = await found(words)
      assert.equal(used, byIndex)
      const page = await table.list(`search('${words.replaceAll("'", "''")}')`)
      assert.deepEqual([page.ids, page.total], [ids.slice(0, 20), ids.length], words)
    }
  }

  const findings = async () => {
    const all: string[] = []
    for await (const finding of checkIntegrity(store)) all.push(finding)
    return all
  }

  it('is made by the first search of a large table, over all attributes', async () => {
    assert.deepEqual(await table.ready(), [' words'])
    await fits(true, searches)
    assert.ok((await found('anna')).ids.length > 100)
    for (const end of ['10111', '101-11']) assert.ok((await found(end)).ids.length > 0, end)
  })

  it('goes with other terms, with sort and with not', async () => {
    for (const filter of ["and(search('anna'),gt(count,600))", "not(search('anna'))", "or(search('anna 17'),search('person7'))"]) {
      const scope = { attributes: table.may('read').table.attributes, context: store.context }
      const condition = compile(check(parse(table.named(filter)), scope), store.db.dialect)
      const [rows] = await store.db.read(sql`SELECT count(*) FROM ${name(recordsOf(table.id))} WHERE ${condition}`)
      assert.equal((await table.list(filter)).total, Number(rows![0]![0]), filter)
    }
    const sorted = await table.list("search('anna')", '-count')
    assert.equal(sorted.total, (await found('anna')).ids.length)
  })

  it('is not asked about attributes that the caller may not see', async () => {
    const hidden = ['title', 'mail', 'stage', 'phone'].map((one) => table.named(one))
    for (const words of searches) assert.ok((await found(words, hidden)).byIndex)
    assert.deepEqual((await found('person7', [table.named('mail')])).ids, [])
  })

  it('has records that were created, changed, deleted and restored since, before and after it is brought up to date', async () => {
    const [create, update, gone] = [table.may('create'), table.may('update', 'read'), table.may('delete')]
    const title = table.named('title')
    const id = Number((await createRecord(store, create, new Map([[title, 'Quintessence anna']]))).id)
    for (const [one, text] of [
      [1, 'Quintessence'],
      [2, ''],
      [3, 'anna anna won'],
    ] as const)
      await updateRecord(store, update, one, new Map([[title, text]]))
    await updateRecord(
      store,
      update,
      4,
      new Map([
        [table.named('stage'), 'Lost'],
        [table.named('count'), '17'],
      ]),
    )
    await updateRecord(store, update, 7, new Map([[table.named('phone'), '8 (495) 987-65-43']]))
    await deleteRecord(store, gone, 5)
    await deleteRecord(store, gone, 6)
    const [rows] = await store.db.read(sql`SELECT id FROM trash WHERE kind = 'record' AND item_id = 6`)
    await restore(store, operator, Number(rows![0]![0]))
    assert.deepEqual((await found('quintess')).ids, [1, id])
    for (const [words, ids] of [
      ['84959', [7]],
      ['6543', [7]],
      ['87-65-43', [7]],
      ['9876', []],
    ] as const)
      assert.deepEqual((await found(words)).ids, ids, words)
    await fits(true)
    assert.deepEqual(await findings(), [])
    await fits(true)
    await updateRecord(store, update, 1, new Map([[title, 'x']]))
    await deleteRecord(store, gone, id)
    assert.deepEqual((await found('quintess')).ids, [])
    if (store.db.dialect.indexes.texts.upkeep) await table.fill(1_010)
    await fits(true)
    await store.indexes.idle()
    await fits(true)
    assert.deepEqual(await findings(), [])
  })

  it('is made again when fields are added, deleted, converted and erased; searches are right meanwhile', async () => {
    const field = await createField(store, operator, { tableId: table.id, title: 'New', typeName: 'text' })
    await updateRecord(store, table.may('update', 'read'), 9, new Map([[`f${field}`, 'newcomer']]))
    assert.deepEqual((await found('newcom')).ids, [9])
    await store.indexes.idle()
    assert.deepEqual(await found('newcom'), { ids: [9], byIndex: true })
    // Where the engine updates the index with each write, that would be no other case, and take long.
    if (store.db.dialect.indexes.texts.upkeep) {
      await updateField(store, operator, Number(table.named('count').slice(1)), { typeName: 'text' })
      assert.deepEqual((await found('newcom')).ids, [9])
      await store.indexes.idle()
      await fits(true)
    }
    await deleteField(store, operator, field)
    assert.deepEqual((await found('newcom')).ids, [])
    const [rows] = await store.db.read(sql`SELECT id FROM trash WHERE kind = 'field' AND item_id = ${field}`)
    await erase(store, operator, Number(rows![0]![0]))
    assert.deepEqual((await found('newcom')).ids, [])
    await updateRecord(store, table.may('update', 'read'), 10, new Map([[table.named('title'), 'after erasing']]))
    await store.indexes.idle()
    assert.deepEqual(await found('after erasing'), { ids: [10], byIndex: true })
    assert.deepEqual(await findings(), [])
  })

  it('has records with more and longer words than an index takes', async () => {
    const [update, notes] = [table.may('update', 'read'), table.named('notes')]
    await updateRecord(store, update, 7, new Map([[notes, `${'w'.repeat(5_000)} zyx`]]))
    await updateRecord(
      store,
      update,
      8,
      new Map([[notes, `${Array.from({ length: 40_000 }, (_, i) => `w${i.toString(36)}`).join(' ')} zyx 𝐀𝐁`]]),
    )
    assert.deepEqual(await findings(), [])
    for (const words of ['zyx', `${'w'.repeat(64)}`, 'wabc zyx', '𝐀']) assert.ok((await found(words)).byIndex)
    assert.deepEqual((await found('zyx')).ids, [7, 8])
    assert.deepEqual((await found('w'.repeat(64))).ids, [7])
  })
})
