import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { parse } from '../../src/filter/parse.ts'
import { name as quoted, sql } from '../../src/sql/sql.ts'
import { operator } from '../../src/store/catalogue/administrator.ts'
import { checkIntegrity } from '../../src/store/upkeep/check-integrity.ts'
import { createField, deleteField, updateField } from '../../src/store/structure/fields.ts'
import { createIndex, updateIndex } from '../../src/store/indexes/requested-indexes.ts'
import { createRecord } from '../../src/store/records/write-records.ts'
import type { Store } from '../../src/store/ground/store.ts'
import { createTable, deleteTable } from '../../src/store/structure/tables.ts'
import { erase, restore } from '../../src/store/structure/trash.ts'
import { scratchStore } from '../support/scratch-store.ts'
import { indexedTable, type IndexedTable } from '../support/indexed-table.ts'

const DAY = 86_400_000

describe('the life of an index', () => {
  let store: Store
  let table: IndexedTable
  let clock: { now: number }
  let remove: () => Promise<void>
  /** Physical indexes and tables of texts besides those of the service itself. */
  const physical = async () => {
    const [rows] = await store.db.read(
      sql`SELECT name FROM sqlite_master WHERE name GLOB 'data*_order*' OR name GLOB 'data*_value' OR name GLOB 'data*_text' ORDER BY name`,
    )
    return rows!.map(([one]) => String(one))
  }
  const name = (index: string) => `data${table.id}_${table.named(index).replace(' ', '_')}`
  const rowOf = async (index: string) => {
    const [attribute, kind] = table.named(index).split(' ')
    const [rows] = await store.db.read(
      sql`SELECT id, wish, state, uses, last_used, bytes FROM indexes WHERE attribute = ${attribute!} AND kind = ${kind!}`,
    )
    const [row] = rows!
    return row && { id: Number(row[0]), wish: row[1], state: row[2], uses: row[3], lastUsed: row[4], bytes: Number(row[5]) }
  }
  const settled = async () => {
    await store.indexes.idle()
    const findings: string[] = []
    for await (const finding of checkIntegrity(store)) findings.push(finding)
    assert.deepEqual(findings, [])
  }

  before(async () => {
    ;({ store, clock, remove } = await scratchStore({ listedFrom: 1_000_000 }))
    table = await indexedTable(store, 1_500)
  })
  after(() => remove())

  it('begins with the first list that could use it, of a table with more than 1,000 records', async () => {
    const small = await createTable(store, operator, { title: 'Small' })
    const field = await createField(store, operator, { tableId: small, title: 'x', typeName: 'text' })
    const { indexes } = store
    indexes.wanted(store.catalogue().tables.get(small)!, undefined, [
      { attribute: store.catalogue().tables.get(small)!.attributes.get(`f${field}`)!, descending: false },
    ])
    await table.list("contains(title,'ab')")
    await table.list('ne(count,1)')
    await table.list('contains(count,1)')
    await settled()
    assert.deepEqual(await physical(), [])
    await table.list('eq(count,1)')
    await settled()
    assert.deepEqual(await physical(), [name('count order')])
    assert.ok((await rowOf('count order'))!.bytes > 4096)
  })

  it('ends when nobody has used it for 30 days', async () => {
    await table.list("contains(title,'anna')")
    await settled()
    assert.deepEqual(await physical(), [name('count order'), name('title text')].sort())
    clock.now += 20 * DAY
    for (let i = 0; i < 3; i++) await table.list(`eq(count,${i})`)
    await store.indexes.keep()
    assert.deepEqual([(await rowOf('count order'))!.uses, (await rowOf('count order'))!.lastUsed], [4, '2024-05-21'])
    clock.now += 15 * DAY
    await store.indexes.keep()
    await settled()
    assert.deepEqual(await physical(), [name('count order')])
    assert.equal(await rowOf('title text'), undefined)
  })

  it('is as an administrator wishes', async () => {
    const { id } = (await rowOf('count order'))!
    await updateIndex(store, operator, id, { wish: 'forbidden' })
    await settled()
    await table.list('eq(count,7)')
    await settled()
    assert.deepEqual(await physical(), [])
    assert.equal((await rowOf('count order'))!.state, 'none')
    const pinned = await createIndex(store, operator, { tableId: table.id, attribute: table.named('mail'), kind: 'text' })
    await updateIndex(store, operator, id, { wish: 'auto' })
    clock.now += 100 * DAY
    await store.indexes.keep()
    await settled()
    assert.deepEqual(await physical(), [name('mail text')])
    await updateIndex(store, operator, pinned, { wish: 'forbidden' })
    await settled()
    assert.deepEqual(await physical(), [])
    for (const wrong of [{ attribute: 'f999' }, { attribute: 'id' }, { kind: 'hash' }, { kind: 'value' }, { wish: 'maybe' }])
      await assert.rejects(
        createIndex(store, operator, { tableId: table.id, attribute: table.named('title'), kind: 'text', ...wrong }),
        /.+/,
      )
  })

  it('over texts in the form of an earlier version gives way to one of today', async () => {
    await table.list("contains(tags,'deferred')")
    await settled()
    const { total } = await table.list("contains(tags,'deferred')")
    const [index, column, records] = [quoted(name('tags text')), quoted(`${table.named('tags')}k`), quoted(`data${table.id}`)]
    const formOf = async () => (await store.db.read(sql`SELECT made_of FROM indexes WHERE index_name = ${name('tags text')}`))[0]![0]![0]
    const today = await formOf()
    await store.db.write(async (tx) => {
      for (const event of ['insert', 'delete', 'update']) await tx.run(sql`DROP TRIGGER ${quoted(`${name('tags text')}_${event}`)}`)
      await tx.run(sql`DROP TABLE ${index}`)
      for (const beside of ['counts', 'changed']) await tx.run(sql`DROP TABLE ${quoted(`${name('tags text')}_${beside}`)}`)
      await tx.run(sql`DROP VIEW ${quoted(`${name('tags text')}_grams`)}`)
      await tx.run(sql`CREATE VIRTUAL TABLE ${index} USING fts5(${column}, content=${records}, content_rowid='id',
        tokenize='trigram case_sensitive 1', columnsize=0)`)
      await tx.run(sql`INSERT INTO ${index} (${index}) VALUES ('rebuild')`)
      await tx.run(sql`UPDATE indexes SET made_of = ${`${table.named('tags')}k`} WHERE index_name = ${name('tags text')}`)
    })
    await store.indexes.load()
    assert.equal((await table.list("contains(tags,'deferred')")).total, total)
    store.indexes.recheck()
    await settled()
    assert.equal(await formOf(), today)
    assert.equal((await table.list("contains(tags,'deferred')")).total, total)
    assert.match((await table.planOf("contains(tags,'deferred')")).join('\n'), /SCAN data\d+_f\d+_text VIRTUAL/)
    await updateIndex(store, operator, (await rowOf('tags text'))!.id, { wish: 'forbidden' })
    await settled()
  })

  it('knows how common pieces of text are, anew when its table has doubled', async () => {
    await table.list("contains(title,'anna 77')")
    await settled()
    const known = async () => {
      const [rows] = await store.db.read(
        sql`SELECT gram, records FROM ${quoted(`${name('title text')}_counts`)} WHERE gram IN ('', 'xyz xyz')`,
      )
      return rows!.map(([gram, records]) => [gram, Number(records)])
    }
    assert.deepEqual(await known(), [['', 1000]])
    const { insertRecords } = await import('../../src/store/records/insert-records.ts')
    const granted = table.may('create', 'bulk')
    for (let i = 0; i < 4; i++)
      await insertRecords(
        store,
        granted,
        Array.from({ length: 500 }, () => new Map([[table.named('title'), 'xyz xyz']])),
      )
    await table.list("contains(title,'anna 78')")
    await settled()
    const [[, all], [, some]] = (await known()) as [[string, number], [string, number]]
    assert.ok(all === 1000 && some > 500 && some < 650, `${some} of ${all}`)
    await updateIndex(store, operator, (await rowOf('title text'))!.id, { wish: 'forbidden' })
    await settled()
  })

  it('follows its field: another type, other labels, the trash and back, and for good', async () => {
    const field = Number(table.named('notes').slice(1))
    const stage = Number(table.named('stage').slice(1))
    for (const [filter, sort] of [
      ["contains(notes,'line')", 'notes'],
      [undefined, 'stage'],
      ["eq(stage,'won')", '-stage'],
    ] as const)
      await table.list(filter, sort)
    await settled()
    const before = await physical()
    assert.deepEqual(before, ['notes order', 'notes text', 'stage order', 'stage order_desc', 'stage value'].map(name).sort())

    await updateField(store, operator, stage, {
      options: [
        { id: 1, label: 'Zuletzt' },
        { id: 2, label: 'Won' },
        { id: 3, label: 'Lost' },
        { id: 4, label: 'Ёж' },
        { id: 5, label: 'on hold' },
        { id: 6, label: 'Deferred' },
      ],
    })
    await settled()
    assert.match((await table.planOf(undefined, 'stage')).join('\n'), /USING INDEX data\d+_f\d+_order/)

    await updateField(store, operator, field, { typeName: 'text' }, { lossy: true })
    await settled()
    assert.deepEqual(
      (await physical()).filter((one) => one.includes(`f${field}`)),
      [],
    )
    const { total } = await table.list("contains(notes,'line 4')")
    assert.ok(total > 20)
    await settled()
    assert.deepEqual(
      (await physical()).filter((one) => one.includes(`f${field}`)),
      [`data${table.id}_f${field}_2_text`],
    )
    assert.equal((await table.list("contains(notes,'line 4')")).total, total)

    await deleteField(store, operator, field)
    await settled()
    assert.deepEqual(
      (await physical()).filter((one) => one.includes(`f${field}`)),
      [],
    )
    const [entries] = await store.db.read(sql`SELECT id FROM trash WHERE kind = 'field'`)
    await createRecord(store, table.may('create'), new Map([[table.named('title'), 'meanwhile']]))
    await restore(store, operator, Number(entries![0]![0]))
    assert.equal((await table.list("contains(notes,'line 4')")).total, total)
    await settled()

    await deleteField(store, operator, field)
    const [again] = await store.db.read(sql`SELECT id FROM trash WHERE kind = 'field'`)
    await erase(store, operator, Number(again![0]![0]))
    await settled()

    await deleteTable(store, operator, table.id)
    const [tables] = await store.db.read(sql`SELECT id FROM trash WHERE kind = 'table'`)
    await erase(store, operator, Number(tables![0]![0]))
    await settled()
    assert.deepEqual(await physical(), [])
    assert.deepEqual((await store.db.read(sql`SELECT name FROM sqlite_master WHERE name GLOB 'data*_text*'`))[0], [])
    assert.deepEqual((await store.db.read(sql`SELECT * FROM indexes`))[0], [])
  })

  it('is not made beyond 24 of a table, unless another gives way', async () => {
    const wide = await createTable(store, operator, { title: 'Wide' })
    const fields: string[] = []
    for (let i = 0; i < 26; i++)
      fields.push(`f${await createField(store, operator, { tableId: wide, title: `x${i}`, typeName: 'integer' })}`)
    const { grant } = await import('../../src/store/model/access.ts')
    const { insertRecords } = await import('../../src/store/records/insert-records.ts')
    for (let i = 0; i < 3; i++)
      await insertRecords(
        store,
        grant(['create', 'bulk'], wide, operator, store.catalogue()),
        Array.from({ length: 500 }, () => new Map()),
      )
    const ask = async (field: string) => {
      const granted = grant('read', wide, operator, store.catalogue())
      await store.pages.page(granted, { filter: parse(`eq(${field},1)`), sort: [], offset: 0, limit: 20 })
      await store.indexes.idle()
    }
    for (const field of fields.slice(0, 25)) await ask(field)
    assert.equal((await physical()).length, 24)
    assert.ok(!(await physical()).includes(`data${wide}_${fields[24]}_order`))
    clock.now += DAY
    for (const field of fields.slice(1, 24)) await ask(field)
    await store.indexes.keep()
    await ask(fields[25]!)
    await settled()
    assert.equal((await physical()).length, 24)
    assert.ok((await physical()).includes(`data${wide}_${fields[25]}_order`))
    assert.ok(!(await physical()).includes(`data${wide}_${fields[0]}_order`))
  })
})
