import assert from 'node:assert/strict'
import { it } from 'node:test'
import { sql } from '../../../src/sql/sql.ts'
import { operator } from '../../../src/store/catalogue/administrator.ts'
import { createView } from '../../../src/store/people/saved-views.ts'
import { grownTables, rememberLists, warmLists } from '../../../src/store/upkeep/warm-lists.ts'
import { indexedTable } from '../../support/indexed-table.ts'
import { scratchInstallation } from '../../support/scratch-store.ts'

it('after a start, the lists of the views of large tables are known before anybody asks', async () => {
  const installation = await scratchInstallation()
  let store = await installation.open()
  try {
    const table = await indexedTable(store, 20_000)
    const small = await indexedTable(store, 30)
    const named = (text: string) => table.named(text)
    await createView(store, operator, {
      tableId: table.id,
      title: 'Won',
      kind: 'grid',
      filter: named("eq(stage,'won')"),
      sort: named('-amount'),
    })
    await createView(store, operator, { tableId: small.id, title: 'Few', kind: 'grid', filter: small.named("eq(stage,'won')"), sort: '' })
    await store.close()
    store = await installation.open()
    assert.equal(await warmLists(store, () => true), 0)
    assert.equal(store.pages.figures()!.bytes, 0)
    assert.equal(await warmLists(store), 1)
    const { read, kept } = store.pages.figures()!
    assert.deepEqual([read, kept.term, kept.order], [{ set: 1, order: 1, column: 0 }, 1, 1])
    const asked = await table.list("eq(stage,'won')", '-amount', 400, store)
    assert.ok(asked.total > 1_000)
    assert.deepEqual(store.pages.figures()!.read, read)
  } finally {
    await store.close()
    await installation.remove()
  }
})

it('what was asked ahead stays beside many lists that are asked once', async () => {
  const installation = await scratchInstallation({ listMemory: 1 })
  let store = await installation.open()
  try {
    const table = await indexedTable(store, 20_000)
    await createView(store, operator, { tableId: table.id, title: 'Won', kind: 'grid', filter: table.named("eq(stage,'won')"), sort: '' })
    await store.close()
    store = await installation.open()
    assert.equal(await warmLists(store), 1)
    // Each set of these takes 500 bytes at least, of a sixteenth of 1 MiB.
    for (let n = 0; n < 300; n++) await table.list(`eq(count,${n})`, '', 0, store)
    const { read, dropped } = store.pages.figures()!
    assert.ok(dropped > 0)
    await table.list("eq(stage,'won')", '', 40, store)
    assert.deepEqual(store.pages.figures()!.read, read)
  } finally {
    await store.close()
    await installation.remove()
  }
})

it('after a start, the lists that were asked most are known; what was looked for in texts is remembered nowhere', async () => {
  const installation = await scratchInstallation()
  let store = await installation.open()
  try {
    const table = await indexedTable(store, 20_000)
    for (let i = 0; i < 3; i++) await table.list("ne(stage,'lost')", 'count', 40)
    for (let i = 0; i < 4; i++) await table.list("eq(user_id,'1')")
    for (const own of ["contains(title,'anna')", "gt(count,'7')"]) for (let i = 0; i < 3; i++) await table.list(own, 'title')
    await table.list("eq(stage,'open')", '-due')
    await rememberLists(store)
    await store.close()
    store = await installation.open()
    const [rows] = await store.db.read(sql`SELECT value FROM meta WHERE name = 'asked_lists'`)
    assert.deepEqual(JSON.parse(String(rows![0]![0])), [
      { tableId: table.id, filter: "eq(user_id,'1')", sort: '' },
      { tableId: table.id, filter: table.named("ne(stage,'lost')"), sort: table.named('count') },
    ])
    assert.equal(await warmLists(store), 2)
    const { read } = store.pages.figures()!
    assert.deepEqual(read, { set: 2, order: 1, column: 0 })
    await table.list("ne(stage,'lost')", 'count', 900, store)
    assert.deepEqual(store.pages.figures()!.read, read)
  } finally {
    await store.close()
    await installation.remove()
  }
})

it('a table that becomes large is prepared before anybody asks: the index of its words is made, and the lists of its views are read', async () => {
  const installation = await scratchInstallation()
  let store = await installation.open()
  try {
    const known = await indexedTable(store, 20_000)
    const grown = await indexedTable(store, 2_000)
    const isMade = async (id: number) => {
      await store.indexes.idle()
      const [rows] = await store.db.read(sql`SELECT state FROM indexes WHERE table_id = ${id} AND kind = 'words'`)
      return rows!.map(([state]) => state)
    }
    const view = { title: 'Won', kind: 'grid', filter: grown.named("eq(stage,'won')"), sort: grown.named('amount') } as const
    await createView(store, operator, { tableId: grown.id, ...view })
    await known.list('eq(count,13)')
    await store.indexes.idle()

    const look = grownTables(store)
    assert.deepEqual(await look(), [], 'a large table of which something was asked')
    await grown.fill(18_000)
    assert.deepEqual(await look(), [grown.id])
    assert.deepEqual(await isMade(grown.id), ['ready'])
    const { read } = store.pages.figures()!
    await grown.list("eq(stage,'won')", 'amount', 400)
    assert.deepEqual(store.pages.figures()!.read, read)
    assert.deepEqual(await look(), [])
    await grown.fill(20_000)
    assert.deepEqual(await look(), [grown.id], 'one that was large before')
    const { read: again } = store.pages.figures()!
    await grown.list("eq(stage,'won')", 'amount', 400)
    assert.deepEqual(store.pages.figures()!.read, again)
    assert.deepEqual(await look(), [])

    const imported = await indexedTable(store, 20_000)
    await store.close()
    store = await installation.open()
    assert.deepEqual(await grownTables(store)(), [imported.id], 'after a start, one of which nothing was asked')
    assert.deepEqual(await isMade(imported.id), ['ready'])
    assert.deepEqual(await isMade(known.id), [])
  } finally {
    await store.close()
    await installation.remove()
  }
})
