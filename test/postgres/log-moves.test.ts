import assert from 'node:assert/strict'
import { it } from 'node:test'
import { ask } from '../../scripts/citus-template.mjs'
import { sql } from '../../src/sql/sql.ts'
import { operator } from '../../src/store/catalogue/administrator.ts'
import { BEGINNING, followChanges } from '../../src/store/changes/follow-changes.ts'
import { sweepChanges } from '../../src/store/changes/sweep-changes.ts'
import type { Store } from '../../src/store/ground/store.ts'
import { grant } from '../../src/store/model/access.ts'
import { openDatabase } from '../../src/store/open.ts'
import { ensureFirstAdministrator } from '../../src/store/people/first-administrator.ts'
import { createRecord, updateRecord } from '../../src/store/records/write-records.ts'
import { createField } from '../../src/store/structure/fields.ts'
import { createTable } from '../../src/store/structure/tables.ts'
import { checkIntegrity } from '../../src/store/upkeep/check-integrity.ts'
import { migrateStore } from '../../src/store/upkeep/migrate-store.ts'
import { cluster, distribution, scratchDatabase } from '../support/scratch-database.ts'
import { scratchInstallation } from '../support/scratch-store.ts'

/* The log of changes where an installation is brought to another database: what a program follows goes on. */

const MONTH = 32 * 86_400_000

async function begin(store: Store) {
  await ensureFirstAdministrator(store)
  const table = await createTable(store, operator, { title: 'Deals' })
  const field = async (title: string, typeName: string) => `f${await createField(store, operator, { tableId: table, title, typeName })}`
  return { table, title: await field('Title', 'text'), paper: await field('Paper', 'file') }
}
type Structure = Awaited<ReturnType<typeof begin>>

const write = ({ title, paper }: Structure, text: string) =>
  new Map<string, unknown>([
    [title, text],
    [paper, [{ fileName: 'a.txt', content: text, binary: false }]],
  ]) as never
async function create(store: Store, structure: Structure, text: string): Promise<number> {
  const may = grant('create', structure.table, operator, store.catalogue())
  return (await createRecord(store, may, write(structure, text))).id
}

/** All changes after a cursor, as they are shown, and where they end. Transactions of other tests in the cluster may hold them back. */
async function follow(store: Store, after: number) {
  const all: object[] = []
  const newest = Number((await store.db.read(sql`SELECT max(id) FROM changes`))[0]![0]![0])
  for (let cursor = after; ;) {
    const { changes, cursor: next } = await followChanges(store, operator, { after: cursor, limit: 50, filter: undefined })
    all.push(...changes)
    if (changes.length === 0 && next === cursor && cursor >= newest) return { all, cursor }
    cursor = next
  }
}
const titlesIn = (all: readonly object[], { title }: Structure) =>
  (all as { changes: Record<string, { to: string } | undefined> }[]).map(({ changes }) => changes[title]?.to)

const findings = async (store: Store): Promise<string[]> => {
  const all: string[] = []
  for await (const finding of checkIntegrity(store)) all.push(finding)
  return all
}
const piecesOf = async ({ db }: Store): Promise<number> =>
  Number((await db.read(sql`SELECT count(*) FROM pg_inherits WHERE inhparent = 'changes'::regclass`))[0]![0]![0])

for (const [from, to] of [
  ['sqlite', 'postgres'],
  ['postgres', 'sqlite'],
] as const)
  it(`is the same after a move from ${from} to ${to}, and goes on behind every cursor`, async () => {
    const source = from === 'postgres' ? await scratchDatabase() : undefined
    const target = to === 'postgres' ? await scratchDatabase() : undefined
    const particulars = (database: { url: string } | undefined) =>
      database ? { url: database.url, distribution } : { engine: 'sqlite' as const }
    const one = await scratchInstallation({}, particulars(source))
    let store = await one.open()
    const structure = await begin(store)
    const first = await create(store, structure, 'first')
    one.clock.now += MONTH
    await sweepChanges(store)
    const { cursor } = await follow(store, BEGINNING)
    await create(store, structure, 'second')
    await updateRecord(store, grant('update', structure.table, operator, store.catalogue()), first, write(structure, 'changed'))
    one.clock.now += MONTH
    await create(store, structure, 'third')
    const before = await follow(store, BEGINNING)
    const [files] = await store.db.read(sql`SELECT hash, change_id, field_id FROM change_files ORDER BY id`)
    await store.close()

    const databases = [
      await openDatabase(source?.url ?? 'sqlite', one.directory),
      await openDatabase(target?.url ?? 'sqlite', one.directory, distribution),
    ] as const
    await migrateStore(...databases, async () => {})
    await Promise.all(databases.map((database) => database.close()))
    const other = await scratchInstallation({}, { ...particulars(target), directory: one.directory })
    store = await other.open()
    assert.deepEqual((await follow(store, BEGINNING)).all, before.all)
    assert.deepEqual(
      (await store.db.read(sql`SELECT hash, change_id, field_id FROM change_files ORDER BY id`))[0]!.map(String),
      files!.map(String),
    )
    assert.deepEqual(titlesIn((await follow(store, cursor)).all, structure), ['second', 'changed', 'third'])
    assert.deepEqual(await findings(store), [])
    if (to === 'postgres') assert.equal(await piecesOf(store), 3)
    await create(store, structure, 'after the move')
    assert.deepEqual(titlesIn((await follow(store, before.cursor)).all, structure), ['after the move'])
    await store.close()
    await other.remove()
    for (const database of [source, target]) await database?.drop()
  })

it('goes on behind all positions where a copy of the database is opened in another place; cursors after the copy are refused', async () => {
  if (distribution === 'citus') return
  const database = await scratchDatabase()
  const one = await scratchInstallation({}, { url: database.url })
  let store = await one.open()
  const structure = await begin(store)
  await create(store, structure, 'before the copy')
  const { cursor } = await follow(store, BEGINNING)
  await store.close()
  const name = new URL(database.url).pathname.slice(1)
  await ask(cluster!, `CREATE DATABASE ${name}_copy TEMPLATE ${name}`)
  store = await one.open()
  for (let i = 0; i < 3; i++) await create(store, structure, 'lost')
  const lost = (await follow(store, BEGINNING)).cursor
  await store.close()

  const copy = await scratchInstallation({}, { url: database.url.replace(name, `${name}_copy`), directory: one.directory })
  store = await copy.open()
  await create(store, structure, 'after the copy')
  assert.deepEqual(titlesIn((await follow(store, cursor)).all, structure), ['after the copy'])
  await assert.rejects(follow(store, lost), { code: 'change.expired' })
  const [newest] = (await follow(store, BEGINNING)).all.slice(-1) as { id: number }[]
  assert.ok(newest!.id > lost)
  // As in a cluster whose transactions are far behind.
  await store.db.write((tx) => tx.run(sql`UPDATE change_log SET base = base - 1000000000`))
  await store.close()
  store = await copy.open()
  await create(store, structure, 'behind')
  assert.deepEqual(titlesIn((await follow(store, newest!.id)).all, structure), ['behind'])
  assert.deepEqual(await findings(store), [])
  await store.close()
  await ask(cluster!, `DROP DATABASE ${name}_copy`)
  await database.drop()
  await one.remove()
})
