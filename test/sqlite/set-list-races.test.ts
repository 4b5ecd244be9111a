import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { fail } from '../../src/errors.ts'
import { operator } from '../../src/store/catalogue/administrator.ts'
import { parse } from '../../src/filter/parse.ts'
import { asTerm } from '../../src/filter/terms.ts'
import { ListSets } from '../../src/store/sets/list-sets.ts'
import { localSource } from '../../src/store/sets/local-source.ts'
import { pages } from '../../src/store/lists/pages.ts'
import { setListReader } from '../../src/store/lists/set-list-reader.ts'
import { setMemory } from '../../src/store/sets/set-memory.ts'
import type { LocalPositions } from '../../src/store/ground/positions.ts'
import type { LocalDb } from '../../src/store/ground/db.ts'
import type { Store } from '../../src/store/ground/store.ts'
import { nobody } from '../../src/store/model/asker.ts'
import { grant } from '../../src/store/model/access.ts'
import { conditionOf } from '../../src/store/records/read-records.ts'
import { createRecord, updateRecord } from '../../src/store/records/write-records.ts'
import { createField } from '../../src/store/structure/fields.ts'
import { createTable } from '../../src/store/structure/tables.ts'
import { indexedTable, type IndexedTable } from '../support/indexed-table.ts'
import { partsOf, setPartsOf, setsOver } from '../support/list-parts.ts'
import { scratchStore } from '../support/scratch-store.ts'

/* Lists from sets, where something happens between what a question reads and its answer. */

const RECORDS = 1_500

describe('a list from sets', () => {
  let store: Store
  let table: IndexedTable
  let remove: () => Promise<void>

  before(async () => {
    ;({ store, remove } = await scratchStore())
    table = await indexedTable(store, RECORDS)
  })
  after(() => remove())

  /** Lists from sets of which nothing is known yet, that are read so. */
  function over(readSetAside: LocalDb['readSetAside']): { readonly sets: ListSets; readonly on: Store } {
    const parts = setPartsOf(store)
    const db: LocalDb = { ...parts.db, readSetAside }
    const sets = setsOver(store, db)
    return { sets, on: { ...store, pages: pages(store, setListReader({ ...parts, db, sets })) } }
  }
  const bySql = (): Store => ({ ...store, pages: pages(store, setPartsOf(store).bySql) })
  const titled = (id: number, title: string) => updateRecord(store, table.may('update'), id, new Map([[table.named('title'), title]]))

  it('uses nothing that it read before the sets of its table were forgotten', async () => {
    let reads = 0
    let first: Promise<unknown> | undefined
    const { sets, on } = over(async (by, ids) => {
      const set = setPartsOf(store).db.readSetAside(by, ids)
      if (reads++ === 0) first = set
      if (reads !== 2) return set
      const found = await set
      await first
      await titled(3, 'forgotten meanwhile')
      sets.forget(table.id)
      return found
    })
    const filter = "or(contains(title,'forgotten'),eq(mail,'person7@example7.com'))"
    assert.deepEqual(await table.list(filter, '', 0, on), await table.list(filter, '', 0, bySql()))
    assert.ok(reads > 2)
  })

  it('has a record that changes in the moment in which few records are asked for the rest of its filter', async () => {
    const { sets } = over(setPartsOf(store).db.readSetAside)
    const granted = table.may('read')
    const condition = asTerm([(await conditionOf(store, granted, parse(table.named("eq(title,'rare')"))))!])
    const rest = asTerm([(await conditionOf(store, granted, parse(table.named("contains(notes,'line')"))))!])
    const both = asTerm([condition, rest])
    const ofTable = sets.of(granted.table)!
    const known = ofTable.resolve(condition)
    assert.ok('missing' in known)
    await sets.read(granted.table, ofTable, known.missing[0]!, nobody)
    const missing = ofTable.resolve(both)
    assert.ok('missing' in missing)
    assert.equal(missing.missing[0]!.among?.size, 0)
    await titled(9, 'rare')
    const reading = sets.read(granted.table, ofTable, missing.missing[0]!, nobody)
    sets.committed([{ tableId: table.id, recordId: 9, change: 0 }])
    await reading
    const found = ofTable.resolve(both)
    assert.ok('term' in found)
    assert.deepEqual(found.term.set.page(0, 10), [9])
  })

  it('is of one state, after a second read, where others move its records while its rows are read', async () => {
    const parts = setPartsOf(store)
    const { ids: last } = await table.list(undefined, '-title')
    const asked: number[] = []
    const sets = new ListSets(parts, setMemory(Infinity), ({ hold }) => ({
      ...localSource(parts.db, partsOf(store).positions as LocalPositions, hold, 1_000),
      async rows({ log }, { shown }, ids) {
        const [answer] = parts.db.readNow(shown!.query(ids))
        const seen = log.end
        // All records but this one come later by one.
        const recordId = last[asked.length]!
        await titled(recordId, `- ${asked.length}`)
        sets.committed([{ tableId: table.id, recordId, change: 0 }])
        asked.push(ids.length)
        return { answer: answer!, seen }
      },
    }))
    const on = { ...store, pages: pages(store, setListReader({ ...parts, sets, instead: new Map() })) }
    assert.deepEqual(await table.list(undefined, 'title', 700, on), await table.list(undefined, 'title', 700, bySql()))
    assert.deepEqual(asked, [20, 26])
    assert.deepEqual(sets.figures().answered, { sets: 1, sql: 0 })
  })

  it('is there where the same was read for somebody who has too many reads waiting', async () => {
    const begun = Promise.withResolvers<void>()
    const asked = Promise.withResolvers<void>()
    let reads = 0
    const { sets, on } = over(async (by, ids) => {
      if (reads++ > 0) return setPartsOf(store).db.readSetAside(by, ids)
      begun.resolve()
      await asked.promise
      throw fail('server.busy')
    })
    const filter = "ends_with(mail,'e3.com')"
    const first = assert.rejects(table.list(filter, '', 0, on), { code: 'server.busy' })
    await begun.promise
    const read = sets.read.bind(sets)
    sets.read = (...given) => {
      asked.resolve()
      return read(...given)
    }
    assert.deepEqual(await table.list(filter, '', 0, on), await table.list(filter, '', 0, bySql()))
    await first
  })

  it('along a reference is of what the other table holds when it is asked, also where the same is being read for another question', async () => {
    const companies = await createTable(store, operator, { title: 'Companies' })
    const name = `f${await createField(store, operator, { tableId: companies, title: 'Name', typeName: 'text' })}`
    const reference = await createField(store, operator, {
      tableId: table.id,
      title: 'Company',
      typeName: 'reference',
      referenceTableId: companies,
    })
    const may = <R extends 'create' | 'update'>(right: R) => grant([right], companies, operator, store.catalogue())
    const { id: company } = await createRecord(store, may('create'), new Map([[name, 'old']]))
    await updateRecord(store, table.may('update'), 5, new Map([[`f${reference}`, String(company)]]))
    const gate = Promise.withResolvers<void>()
    const begun = Promise.withResolvers<void>()
    const { sets, on } = over(async (by, ids) => {
      const set = await setPartsOf(store).db.readSetAside(by, ids)
      begun.resolve()
      await gate.promise
      return set
    })
    const filter = `eq(f${reference}.${name},'new')`
    const early = table.list(filter, '', 0, on)
    await begun.promise
    await updateRecord(store, may('update'), company, new Map([[name, 'new']]))
    const asked = Promise.withResolvers<void>()
    const read = sets.read.bind(sets)
    sets.read = (...given) => {
      asked.resolve()
      return read(...given)
    }
    const late = table.list(filter, '', 0, on)
    await asked.promise
    gate.resolve()
    await early
    assert.deepEqual(await late, { ids: [5], total: 1 })
  })
})
