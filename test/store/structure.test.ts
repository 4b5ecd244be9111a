import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { Failures, type Failure } from '../../src/errors.ts'
import { parse } from '../../src/filter/parse.ts'
import { join, sql } from '../../src/sql/sql.ts'
import { grant } from '../../src/store/model/access.ts'
import { createRule } from '../../src/store/structure/access-rules.ts'
import { operator } from '../../src/store/catalogue/administrator.ts'
import { listFiles } from '../../src/store/records/files.ts'
import type { RequestedOption } from '../../src/store/structure/field-options.ts'
import type { FieldInfo } from '../../src/store/structure/field-settings.ts'
import { createField, deleteField, optionsShown, updateField } from '../../src/store/structure/fields.ts'
import type { ConvertOptions } from '../../src/store/structure/change-columns.ts'
import { CLIENTS } from '../../src/store/people/groups.ts'
import { createRecord, deleteRecord } from '../../src/store/records/write-records.ts'
import { getRecord } from '../../src/store/records/read-records.ts'
import { Stale } from '../../src/store/model/stale.ts'
import type { Store } from '../../src/store/ground/store.ts'
import { createTable, deleteTable } from '../../src/store/structure/tables.ts'
import { erase, purgeExpired, restore } from '../../src/store/structure/trash.ts'
import { ensureFirstAdministrator } from '../../src/store/people/first-administrator.ts'
import { scratchStore } from '../support/scratch-store.ts'

type Wanted = Partial<FieldInfo> & { options?: readonly RequestedOption[] }

describe('structure', () => {
  let store: Store
  let clock: { now: number }
  let remove: () => Promise<void>
  let tableId: number
  const options = (...labels: string[]) => labels.map((label) => ({ label }))
  const field = (typeName: string, more: Wanted = {}) => createField(store, operator, { tableId, title: typeName, typeName, ...more })
  const change = (id: number, changes: Wanted, how?: ConvertOptions) => updateField(store, operator, id, changes, how)
  const add = async (values: Record<string, string> = {}) =>
    (await createRecord(store, grant('create', tableId, operator, store.catalogue()), new Map(Object.entries(values)))).id
  const column = async (id: number): Promise<string[]> => {
    const granted = grant('read', tableId, operator, store.catalogue())
    return (await store.pages.page(granted, { sort: [], offset: 0, limit: 50 })).records.map((record) =>
      String(record.attributes[`f${id}`]),
    )
  }
  const matches = async (filter: string) =>
    (
      await store.pages.page(grant('read', tableId, operator, store.catalogue()), {
        filter: parse(filter),
        sort: [],
        offset: 0,
        limit: 50,
      })
    ).records.map(({ id }) => id)
  /** Of a physical table; none where it is gone. */
  const columnsOf = (table: string) =>
    store.db.dialect.shared
      ? sql`SELECT column_name FROM information_schema.columns WHERE table_name = ${table} ORDER BY column_name`
      : sql`SELECT name FROM pragma_table_info(${table}) ORDER BY name`
  const trashed = async () => Number((await store.db.read(sql`SELECT max(id) FROM trash`))[0]![0]![0])
  /** Fills a field with values, changes it, and tells what stands there then. */
  async function converted(
    from: string,
    values: readonly string[],
    to: Wanted,
    more: Wanted = {},
    how?: ConvertOptions,
  ): Promise<string[]> {
    const id = await field(from, more)
    for (const value of values) await add({ [`f${id}`]: value })
    await change(id, to, how)
    return column(id)
  }

  beforeEach(async () => {
    ;({ store, clock, remove } = await scratchStore())
    await ensureFirstAdministrator(store)
    tableId = await createTable(store, operator, { title: 'Companies' })
  })
  afterEach(() => remove())

  describe('a new field', () => {
    it('holds its empty value in the records there are, not its default', async () => {
      await add()
      const id = await field('text', { defaultValue: 'new' })
      await add()
      assert.deepEqual(await column(id), ['', 'new'])
    })

    it('that numbers numbers the records there are, by id, and goes on', async () => {
      for (let i = 0; i < 3; i++) await add()
      await deleteRecord(store, grant('delete', tableId, operator, store.catalogue()), 2)
      const id = await field('autonumber')
      await add()
      assert.deepEqual(await column(id), ['1', '2', '4'])
      await restore(store, operator, await trashed())
      assert.deepEqual(await column(id), ['1', '3', '2', '4'])
    })

    it('comes last, and the first text names the records', async () => {
      await field('integer')
      const name = await field('text')
      await field('text')
      assert.deepEqual(
        store
          .catalogue()
          .tables.get(tableId)!
          .fields.map(({ sequence }) => sequence),
        [1, 2, 3],
      )
      assert.equal(store.catalogue().tables.get(tableId)!.titleFieldId, name)
    })

    const refused: [Wanted, string, RegExp][] = [
      [{ typeName: 'formula' }, 'typeName', /no field type 'formula'/],
      [{ tableId: 99 }, 'tableId', /no table 99/],
      [{ typeName: 'text', scale: 2 }, 'scale', /no such setting/],
      [{ typeName: 'list' }, 'options', /needs it/],
      [{ typeName: 'list', options: [{ label: 'A' }, { label: 'a' }] }, 'options/1', /two options/],
      [{ typeName: 'list', options: [{ label: 'A\r\nB' }] }, 'options/0', /line breaks/],
      [{ typeName: 'list', options: [{ id: 1, label: 'A' }] }, 'options/0', /no option 1/],
      [{ typeName: 'reference' }, 'referenceTableId', /needs it/],
      [{ typeName: 'reference', referenceTableId: 99 }, 'referenceTableId', /no table 99/],
      [{ typeName: 'integer', min: '5', max: '4' }, 'max', /less than min/],
      [{ typeName: 'integer', defaultValue: 'x' }, 'defaultValue', /whole number/],
      [{ typeName: 'file', unique: true }, 'unique', /cannot be unique/],
      [{ typeName: 'text', title: 'x'.repeat(256) }, 'title', /255/],
    ]
    for (const [wanted, property, why] of refused) {
      it(`is refused as ${JSON.stringify(wanted).slice(0, 80)}`, async () => {
        await assert.rejects(field('text', wanted), (error: Failure | Failures) => {
          const first = error instanceof Failures ? error.failures[0]! : error
          assert.equal([first.where.attribute, ...(first.where.path ?? [])].join('/'), property)
          assert.match(first.message, why)
          return true
        })
        assert.equal(store.catalogue().tables.get(tableId)!.fields.length, 0)
      })
    }

    it('is refused where the table is full, counting those in the trash', async () => {
      const row = sql`(${tableId}, 'text', 'f1', '2024-05-01 00:00:00')`
      const rows = join(
        Array.from({ length: 500 }, () => row),
        ', ',
      )
      await store.restructure((tx) => tx.run(sql`INSERT INTO fields (table_id, type, column_name, deleted) VALUES ${rows}`))
      await assert.rejects(field('text'), { code: 'table.too_many_fields' })
    })

    it('is told all that is wrong with it at once', async () => {
      await assert.rejects(
        field('decimal', { scale: 10, maxLength: 5, unique: true, options: options('A') }),
        (error: Failures) => error.failures.length === 3,
      )
    })
  })

  describe('a field whose type changes', () => {
    const kept: [string, Wanted, string[], Wanted, string[]][] = [
      ['text', {}, ['1.5', '', '-3'], { typeName: 'decimal' }, ['1.50', '0.00', '-3.00']],
      ['decimal', {}, ['5', '0'], { typeName: 'integer' }, ['5', '0']],
      ['decimal', {}, ['5.10'], { scale: 1 }, ['5.1']],
      ['decimal', {}, ['5.1'], { scale: 4 }, ['5.1000']],
      ['integer', {}, ['999999999999999999'], { typeName: 'text' }, ['999999999999999999']],
      ['date', {}, ['2024-02-29', ''], { typeName: 'datetime' }, ['2024-02-29 00:00:00', '0000-00-00 00:00:00']],
      ['datetime', {}, ['2024-02-29'], { typeName: 'date' }, ['2024-02-29']],
      ['longtext', {}, ['a\r\nb'], { typeName: 'multilist', options: options('a', 'b') }, ['a\r\nb']],
      ['text', {}, ['b', 'a', 'B', ''], { typeName: 'list' }, ['b', 'a', 'b', '']],
      ['list', { options: options('A', 'B') }, ['B', ''], { typeName: 'multilist' }, ['B', '']],
      ['list', { options: options('A', 'B') }, ['B'], { typeName: 'text' }, ['B']],
      ['multilist', { options: options('A', 'B') }, ['A\r\nB', 'B'], { typeName: 'text' }, ['A, B', 'B']],
      ['user', {}, ['1', ''], { typeName: 'users' }, ['-1-', '']],
      ['users', {}, ['-1-', ''], { typeName: 'user' }, ['1', '0']],
      ['text', {}, ['1', ''], { typeName: 'user' }, ['1', '0']],
      ['boolean', {}, ['1', '0'], { typeName: 'text' }, ['1', '0']],
      ['integer', {}, ['0', '1'], { typeName: 'date' }, []],
    ]
    for (const [from, settings, values, to, expected] of kept.slice(0, -1)) {
      it(`from ${from} by ${JSON.stringify(to)} keeps ${JSON.stringify(values)}`, async () => {
        assert.deepEqual(await converted(from, values, to, settings), expected)
      })
    }

    const lost: [string, Wanted, string[], Wanted, number, string[]][] = [
      ['text', {}, ['1.5', 'many', '007'], { typeName: 'decimal' }, 2, ['1.50', '0.00', '7.00']],
      ['decimal', {}, ['5.50', '6'], { typeName: 'integer' }, 1, ['5', '6']],
      ['decimal', {}, ['5.55', '-5.55'], { scale: 1 }, 2, ['5.5', '-5.5']],
      ['datetime', {}, ['2024-02-29 10:00:00'], { typeName: 'date' }, 1, ['2024-02-29']],
      ['text', {}, ['Anna', 'Bob'], { typeName: 'list', options: options('anna') }, 1, ['anna', '']],
      ['multilist', { options: options('A', 'B') }, ['A\r\nB', 'B'], { typeName: 'list' }, 1, ['A', 'B']],
      ['text', {}, ['1', '99'], { typeName: 'user' }, 1, ['1', '0']],
      ['integer', {}, ['5', '0', '1'], { typeName: 'boolean' }, 1, ['1', '0', '1']],
      ['longtext', {}, ['x'.repeat(300), 'a\r\nb', 'c'], { typeName: 'text' }, 2, ['x'.repeat(255), 'a b', 'c']],
      ['integer', {}, ['20240229', '0'], { typeName: 'date' }, 1, ['0000-00-00', '0000-00-00']],
    ]
    for (const [from, settings, values, to, count, expected] of lost) {
      it(`from ${from} by ${JSON.stringify(to)} says that ${count} of ${JSON.stringify(values).slice(0, 40)} would be lost, and changes nothing unless told to`, async () => {
        const id = await field(from, settings)
        for (const value of values) await add({ [`f${id}`]: value })
        const before = await column(id)
        await assert.rejects(change(id, to), (error: Failure) => {
          assert.equal(error.code, 'field.would_lose_data')
          const meta = error.where.meta as { count: number; examples: { record_id: string; value: string }[] }
          assert.equal(meta.count, count)
          assert.equal(meta.examples.length, count)
          assert.equal(meta.examples[0]!.value, before[Number(meta.examples[0]!.record_id) - 1])
          return true
        })
        assert.deepEqual(await column(id), before)
        await change(id, to, { lossy: true })
        assert.deepEqual(await column(id), expected)
      })
    }

    it('takes its records in the trash along', async () => {
      const id = await field('text')
      const record = await add({ [`f${id}`]: '12' })
      await deleteRecord(store, grant('delete', tableId, operator, store.catalogue()), record)
      await change(id, { typeName: 'integer' })
      await restore(store, operator, await trashed())
      assert.deepEqual(await column(id), ['12'])
    })

    it('is compared, sorted and found as its new type, as often as it changes', async () => {
      const id = await field('text')
      for (const value of ['10', '9', '100']) await add({ [`f${id}`]: value })
      assert.deepEqual(await matches(`gt(f${id},'1')`), [1, 2, 3])
      await change(id, { typeName: 'integer' })
      assert.deepEqual(await matches(`gt(f${id},9)`), [1, 3])
      await change(id, { typeName: 'text' })
      await change(id, { typeName: 'integer' })
      await change(id, { typeName: 'longtext' })
      assert.deepEqual(await matches(`eq(f${id},'9')`), [2])
    })

    it('stays unique where its new type can be, and is refused where two become one', async () => {
      const id = await field('text', { unique: true })
      for (const value of ['1', '1.0']) await add({ [`f${id}`]: value })
      await assert.rejects(change(id, { typeName: 'decimal' }), { code: 'field.has_duplicates' })
      assert.deepEqual(await column(id), ['1', '1.0'])
      await change(id, { typeName: 'longtext' })
      await add({ [`f${id}`]: '1' })
    })

    it('to an autonumber numbers the records that have none', async () => {
      assert.deepEqual(await converted('text', ['', '5', ''], { typeName: 'autonumber' }), ['6', '5', '7'])
    })

    it('from file to text loses the files, and says so', async () => {
      const id = await field('file')
      const granted = grant('create', tableId, operator, store.catalogue())
      await createRecord(store, granted, new Map([[`f${id}`, [{ fileName: 'a.txt', content: 'hello', binary: false }]]]))
      await assert.rejects(change(id, { typeName: 'text' }), { code: 'field.would_lose_data' })
      await change(id, { typeName: 'text' }, { lossy: true })
      const [files] = await store.db.read(sql`SELECT count(*) FROM files`)
      assert.equal(files![0]![0], 0)
    })

    it('lets others read meanwhile', async () => {
      const id = await field('text')
      const granted = grant('create', tableId, operator, store.catalogue())
      await Promise.all(Array.from({ length: 1_200 }, () => createRecord(store, granted, new Map([[`f${id}`, '7']]))))
      let reads = 0
      let running = true
      const changing = change(id, { typeName: 'integer' }).finally(() => (running = false))
      while (running) {
        try {
          const record = await getRecord(store, grant('read', tableId, operator, store.catalogue()), 1_200)
          assert.equal(record.attributes[`f${id}`], '7')
          reads++
        } catch (error) {
          assert.ok(error instanceof Stale)
        }
        await new Promise((next) => setImmediate(next))
      }
      await changing
      // PostgreSQL locks a table while its columns change: a read waits, and is then run again.
      assert.ok(reads >= 3 || store.db.dialect.shared, `${reads} reads`)
    })
  })

  describe('unique', () => {
    it('is refused to a field with doubles, with examples, but not for empty values', async () => {
      const id = await field('text')
      for (const value of ['Ёлка', 'елка', '', '', 'b', 'B', 'c']) await add({ [`f${id}`]: value })
      await assert.rejects(change(id, { unique: true }), (error: Failure) => {
        assert.deepEqual(error.where.meta, { count: 2, examples: ['Ёлка', 'b'] })
        return error.code === 'field.has_duplicates'
      })
      for (const record of [2, 6]) await deleteRecord(store, grant('delete', tableId, operator, store.catalogue()), record)
      await change(id, { unique: true })
      await assert.rejects(add({ [`f${id}`]: 'C' }), (error: Failures) => error.failures[0]!.code === 'field.not_unique')
      await change(id, { unique: false })
      await add({ [`f${id}`]: 'C' })
    })
  })

  describe('options', () => {
    it('keep their ids when they are renamed, moved or sent as labels', async () => {
      const id = await field('list', { options: options('New', 'Won', 'Lost') })
      await add({ [`f${id}`]: 'Won' })
      await change(id, { options: [{ label: 'lost' }, { id: 2, label: 'Gained' }, { label: 'Other' }] })
      assert.deepEqual(
        optionsShown(store, { id, tableId }).map((option) => `${option.id} ${option.label}`),
        ['3 lost', '2 Gained', '4 Other'],
      )
      assert.deepEqual(await column(id), ['Gained'])
    })

    it('that are removed keep showing and are refused in new values, and come back under their ids', async () => {
      const id = await field('list', { options: options('New', 'Won'), defaultValue: 'New' })
      await add({})
      await assert.rejects(change(id, { options: options('Won'), defaultValue: 'New' }))
      await change(id, { options: options('Won') })
      assert.deepEqual(await column(id), ['New'])
      await assert.rejects(add({ [`f${id}`]: 'New' }))
      await change(id, { options: options('New', 'Won') })
      assert.equal(optionsShown(store, { id, tableId })[0]!.id, 1)
    })

    it('renamed take default and comparison along, in lists of several too', async () => {
      const id = await field('multilist', { options: options('Cash', 'Card'), defaultValue: 'Cash' })
      await add()
      await change(id, {
        options: [
          { id: 1, label: 'Money' },
          { id: 2, label: 'Card' },
        ],
      })
      await add()
      assert.deepEqual(await column(id), ['Money', 'Money'])
      assert.deepEqual(await matches(`eq(f${id},'money')`), [1, 2])
      assert.deepEqual(await matches(`contains(f${id},'one')`), [1, 2])
    })
  })

  describe('the trash', () => {
    it('gives a field back with its values, also to records that were moved meanwhile', async () => {
      const id = await field('text', { unique: true })
      const [first, second] = [await add({ [`f${id}`]: 'a' }), await add({ [`f${id}`]: 'b' })]
      await deleteField(store, operator, id)
      const entry = await trashed()
      await deleteRecord(store, grant('delete', tableId, operator, store.catalogue()), second)
      await restore(store, operator, await trashed())
      await add()
      await restore(store, operator, entry)
      assert.deepEqual(await column(id), ['a', 'b', ''])
      await assert.rejects(add({ [`f${id}`]: 'A' }))
      assert.equal(first, 1)
    })

    it('does not erase the files of what is restored in the same moment', async () => {
      const id = await field('file')
      const granted = grant('create', tableId, operator, store.catalogue())
      const file = { fileName: 'a.txt', content: 'kept', binary: false }
      const record = await createRecord(store, granted, new Map([[`f${id}`, [file]]]))
      await deleteRecord(store, grant('delete', tableId, operator, store.catalogue()), record.id)
      const entry = await trashed()
      const [back, gone] = await Promise.allSettled([restore(store, operator, entry), erase(store, operator, entry)])
      assert.equal(back.status, 'fulfilled')
      assert.equal(gone.status === 'rejected' && gone.reason.code, 'trash.not_found')
      const files = await listFiles(store, grant('read', tableId, operator, store.catalogue()), `f${id}`, record.id)
      assert.deepEqual(
        files.map(({ name }) => name),
        ['a.txt'],
      )
    })

    it('gives an autonumber back with numbers for the records made meanwhile', async () => {
      const id = await field('autonumber')
      await add()
      await deleteField(store, operator, id)
      await add()
      await restore(store, operator, await trashed())
      await add()
      assert.deepEqual(await column(id), ['1', '2', '3'])
    })

    it('erases a field for good', async () => {
      const id = await field('file')
      await add()
      await deleteField(store, operator, id)
      const entry = await trashed()
      await erase(store, operator, entry)
      await assert.rejects(restore(store, operator, entry), { code: 'trash.not_found' })
      const [columns] = await store.db.read(columnsOf(`data${tableId}`))
      assert.deepEqual(columns!.flat(), ['add_time', 'checksum', 'id', 'status', 'update_time', 'user_id', 'version'])
      await add()
    })

    it('gives a table back with records, fields and rights, and erases it for good', async () => {
      const id = await field('text')
      await add({ [`f${id}`]: 'a' })
      await createRule(store, operator, { groupId: CLIENTS, tableId, read: true })
      await deleteTable(store, operator, tableId)
      assert.throws(() => grant('read', tableId, operator, store.catalogue()), { code: 'table.not_found' })
      await restore(store, operator, await trashed())
      assert.deepEqual(await column(id), ['a'])
      assert.equal(store.catalogue().access.get(CLIENTS)!.get(tableId)!.rights.has('read'), true)
      await deleteRecord(store, grant('delete', tableId, operator, store.catalogue()), 1)
      await deleteTable(store, operator, tableId)
      await erase(store, operator, await trashed())
      for (const left of ['tables', 'fields', 'access', 'trash'])
        assert.deepEqual([...(await store.db.read(columnsOf(`data${tableId}`), columnsOf(`trash${tableId}`)))], [[], []], left)
      assert.equal(await createTable(store, operator, { title: 'Next' }), tableId + 1)
    })

    it('is emptied of what has lain there too long, tables with what was in them', async () => {
      const id = await field('text')
      await add({ [`f${id}`]: 'a' })
      await deleteRecord(store, grant('delete', tableId, operator, store.catalogue()), 1)
      await deleteField(store, operator, id)
      await deleteTable(store, operator, tableId)
      await purgeExpired(store)
      assert.equal(await trashed(), 3)
      clock.now += 31 * 86_400_000
      await purgeExpired(store)
      assert.equal(await trashed(), 0)
    })
  })

  it('that a filter of a group needs is not taken from under it', async () => {
    const id = await field('list', { options: options('open', 'secret') })
    await createRule(store, operator, { groupId: CLIENTS, tableId, read: true, readFilter: `eq(f${id},'open')` })
    await assert.rejects(deleteField(store, operator, id), { code: 'field.in_use' })
    // A renamed option is the same one: the filter gets its label.
    await change(id, { options: [{ id: 1, label: 'public' }, ...options('secret')] })
    const rule = store.catalogue().access.get(CLIENTS)!.get(tableId)!
    assert.equal(rule.readFilter, `eq(f${id},'public')`)
    await assert.rejects(change(id, { typeName: 'user' }, { lossy: true }), { code: 'field.in_use' })
    await change(id, { typeName: 'text' })
  })

  it('that fails half-way leaves nothing behind', async () => {
    const id = await field('text')
    await add({ [`f${id}`]: 'x' })
    const state = () => store.db.read(columnsOf(`data${tableId}`), columnsOf(`trash${tableId}`), sql`SELECT count(*) FROM options`)
    const before = await state()
    await assert.rejects(change(id, { typeName: 'list', options: options('y') }))
    assert.deepEqual(await state(), before)
  })
})
