import assert from 'node:assert/strict'
import { it } from 'node:test'
import { sql } from '../../src/sql/sql.ts'
import { grant } from '../../src/store/model/access.ts'
import { operator } from '../../src/store/catalogue/administrator.ts'
import { createField } from '../../src/store/structure/fields.ts'
import { migrateStore } from '../../src/store/upkeep/migrate-store.ts'
import { openDatabase } from '../../src/store/open.ts'
import { createRecord, updateRecord } from '../../src/store/records/write-records.ts'
import { createTable } from '../../src/store/structure/tables.ts'
import { ensureFirstAdministrator } from '../../src/store/people/first-administrator.ts'
import { scratchInstallation } from '../support/scratch-store.ts'

const quiet = async () => {}

it('another store is filled once, is refused until it is whole, and has to be the same', async () => {
  const [one, other] = await Promise.all([scratchInstallation({}, { engine: 'sqlite' }), scratchInstallation({}, { engine: 'sqlite' })])
  let store = await one.open()
  await ensureFirstAdministrator(store)
  const table = await createTable(store, operator, { title: 'Companies' })
  const field = await createField(store, operator, { tableId: table, title: 'Name', typeName: 'text' })
  const record = await createRecord(store, grant('create', table, operator, store.catalogue()), new Map([[`f${field}`, 'Anna']]))
  await store.close()

  const from = await openDatabase('sqlite', one.directory)
  const to = await openDatabase('sqlite', other.directory)
  const migrated = await migrateStore(from, to, quiet)
  assert.equal(migrated.find(({ table: name }) => name === `data${table}`)!.rows, 1)
  await assert.rejects(migrateStore(from, to, quiet), { code: 'migration.target_not_empty' })

  // As an earlier run leaves it that was cut short.
  await to.write((tx) => tx.run(sql`INSERT INTO meta (name, value) SELECT 'migrating', value FROM meta WHERE name = 'instance'`))
  await assert.rejects(other.open(), { code: 'migration.unfinished' })
  await from.close()
  store = await one.open()
  await updateRecord(store, grant('update', table, operator, store.catalogue()), record.id, new Map([[`f${field}`, 'Changed since']]))
  await store.close()
  const again = await openDatabase('sqlite', one.directory)
  await assert.rejects(migrateStore(again, to, quiet), { code: 'migration.different', message: new RegExp(`Table data${table} `) })

  await Promise.all([again.close(), to.close()])
  await Promise.all([one.remove(), other.remove()])
})

it('a store is never brought to itself, nor over tables that nobody has signed in to yet, nor from where it is not complete', async () => {
  const [one, other] = await Promise.all([scratchInstallation({}, { engine: 'sqlite' }), scratchInstallation({}, { engine: 'sqlite' })])
  for (const { open } of [one, other]) {
    const store = await open()
    await createTable(store, operator, { title: 'Companies' })
    await store.close()
  }
  const from = await openDatabase('sqlite', one.directory)
  const [itself, to] = await Promise.all([openDatabase('sqlite', one.directory), openDatabase('sqlite', other.directory)])
  await assert.rejects(migrateStore(from, itself, quiet), { code: 'migration.target_not_empty' })
  await assert.rejects(migrateStore(from, to, quiet), { code: 'migration.target_not_empty' })
  await from.write((tx) => tx.run(sql`INSERT INTO meta (name, value) SELECT 'migrating', value FROM meta WHERE name = 'instance'`))
  await assert.rejects(migrateStore(from, itself, quiet), { code: 'migration.unfinished' })

  await Promise.all([from, itself, to].map((db) => db.close()))
  await Promise.all([one.remove(), other.remove()])
})

it('data of a newer version is left alone', async () => {
  const { open, remove } = await scratchInstallation()
  const store = await open()
  await store.db.write((tx) => tx.run(sql`INSERT INTO migrations (number) VALUES (1000)`))
  await store.close()
  await assert.rejects(open(), { code: 'database.newer' })
  await remove()
})
