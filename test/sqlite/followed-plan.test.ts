import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { it } from 'node:test'
import { check } from '../../src/filter/check.ts'
import { parse } from '../../src/filter/parse.ts'
import { parseSort } from '../../src/filter/sort.ts'
import { limits } from '../../src/limits.ts'
import { sqlite } from '../../src/sql/sqlite.ts'
import { render, sql, type Sql } from '../../src/sql/sql.ts'
import { operator } from '../../src/store/catalogue/administrator.ts'
import { followChanges } from '../../src/store/changes/follow-changes.ts'
import { batchesOfRecords } from '../../src/store/changes/list-batches.ts'
import { changes } from '../../src/store/changes/list-changes.ts'
import { tailLog } from '../../src/store/changes/tail.ts'
import { listRows, rowsAround } from '../../src/store/ground/list-rows.ts'
import type { Store } from '../../src/store/ground/store.ts'
import { makeTable, person } from '../support/scene.ts'
import { startService } from '../support/service.ts'

it('pages of the log are read in its order, never all changes of a table', async () => {
  const service = await startService()
  try {
    const deals = await makeTable(service, 'Deals', { title: 'text' })
    await makeTable(service, 'Firms', { title: 'text' })
    await service.make(deals.type, { [deals.f.title]: 'a' })
    const { store } = service

    /** How SQLite finds the rows of what this reads. */
    async function plansOf(read: (store: Store) => Promise<unknown>): Promise<string[]> {
      const asked: Sql[] = []
      const readLittle: Store['db']['readLittle'] = async (by, ...queries) => {
        asked.push(...queries)
        return store.db.readLittle(by, ...queries)
      }
      await read({ ...store, db: { ...store.db, readLittle } })
      const plans = await store.db.read(...asked.map((query) => sql`EXPLAIN QUERY PLAN ${query}`))
      return plans.map((rows) => rows.map((row) => String(row[3])).join('\n'))
    }

    const filtered = check(parse(`eq(tableId,${deals.id})`), { attributes: changes.attributes, context: store.context })
    for (const filter of [undefined, filtered]) {
      const plans = await plansOf((watched) => followChanges(watched, operator, { after: 0, limit: 20, filter }))
      const pages = plans.filter((plan) => /SEARCH changes USING INTEGER PRIMARY KEY/.test(plan))
      assert.ok(pages.length >= 2, plans.join('\n\n'))
      for (const plan of plans) assert.doesNotMatch(plan, /changes_by_record|SCAN changes/)
    }
    // The end of a long log is not looked for where the page is full before.
    for (let i = 0; i < 20; i++) await service.make(deals.type, { [deals.f.title]: 'b' })
    const most: unknown[] = []
    const readLittle: Store['db']['readLittle'] = async (by, ...queries) => {
      most.push(...queries.flatMap((query) => render(query, sqlite.placeholder).params))
      return store.db.readLittle(by, ...queries)
    }
    const watched = { ...store, db: { ...store.db, readLittle } }
    assert.equal((await followChanges(watched, operator, { after: 0, limit: 2, filter: undefined })).more, true)
    assert.ok(!most.includes(limits.changesScanned.most), `${most}`)
    const [page] = await plansOf((shown) => listRows(shown, changes, operator, { sort: [], offset: 0, limit: 20 }))
    assert.doesNotMatch(page!, /changes_by_record|TEMP B-TREE/)
  } finally {
    await service.close()
  }
})

it('batches of one user, single changes among them, are found by the user in the order of the log', async () => {
  const service = await startService()
  try {
    const { store } = service
    const filter = check(parse(`and(not(eq(via,'undo')),eq(userId,1))`), {
      attributes: batchesOfRecords.attributes,
      context: store.context,
    })
    const sort = parseSort('-id', batchesOfRecords.attributes)
    const asked: Sql[] = []
    const readLittle: Store['db']['readLittle'] = async (by, ...queries) => {
      asked.push(...queries)
      return store.db.readLittle(by, ...queries)
    }
    const watched = { ...store, db: { ...store.db, readLittle } }
    for (const after of [undefined, { keys: [40n], id: 40 }])
      await rowsAround(watched, batchesOfRecords, operator, { filter, sort }, { ...(after && { after }), size: 20 })
    const plans = (await store.db.read(...asked.map((query) => sql`EXPLAIN QUERY PLAN ${query}`))).map((rows) =>
      rows.map((row) => String(row[3])).join('\n'),
    )
    // Between the two pages, the row at the position itself is looked for by its id.
    const found = plans.filter((plan) => /SEARCH changes USING INDEX changes_by_user \(user_id=\?/.test(plan))
    assert.equal(found.length, plans.length - 1, plans.join('\n\n'))
    assert.match(found.at(-1)!, /changes_by_user \(user_id=\? AND id<\?\)/)
    for (const plan of plans) assert.match(plan, /changes_by_user|SEARCH changes USING INTEGER PRIMARY KEY \(rowid=\?\)/)
    for (const plan of found) assert.doesNotMatch(plan, /SCAN changes|TEMP B-TREE|MATERIALIZE/)
  } finally {
    await service.close()
  }
})

it('of one change, and of the history of one record, a read filter is applied to that record alone', async (context) => {
  const service = await startService()
  try {
    const deals = await makeTable(service, 'Deals', { title: 'text', doc: 'file' })
    const group = Number(await service.make('group', { group_name: 'Sellers' }))
    const read_filter = `starts_with(${deals.f.title},'a')`
    await service.make('access', { group_id: group, table_id: deals.id, read: true, read_filter })
    const { token } = await person(service, group, 'seller')
    const docs = [{ file_name: 'a.txt', content: 'a', binary: false }]
    const [seen, hidden] = [
      await service.make(deals.type, { [deals.f.title]: 'a', [deals.f.doc]: docs }),
      await service.make(deals.type, { [deals.f.title]: 'b', [deals.f.doc]: docs }),
    ]
    const changeOf = async (id: string) => (await service.get(`${deals.type}/${id}/history`)).json.data[0].id as string
    const [change, other] = [await changeOf(seen), await changeOf(hidden)]
    const { db } = service.store
    const asked: Sql[] = []
    const readLittle = db.readLittle.bind(db)
    context.mock.method(db, 'readLittle', async (...[by, ...queries]: Parameters<typeof readLittle>) => {
      asked.push(...queries)
      return readLittle(by, ...queries)
    })
    const file = (id: string) => `change/${id}/file/${deals.f.doc}/to/a.txt`
    for (const [path, status] of [
      [`${deals.type}/${seen}/history`, 200],
      [`${deals.type}/${hidden}/history`, 404],
      [`change/${change}`, 200],
      [`change/${other}`, 404],
      [file(change), 200],
      [file(other), 404],
    ] as const) {
      asked.length = 0
      assert.equal((await service.get(path, token)).status, status, path)
      const plans = await db.read(...asked.map((query) => sql`EXPLAIN QUERY PLAN ${query}`))
      const steps = plans.flat().map((row) => String(row[3]))
      assert.ok(steps.some((step) => /SEARCH data/.test(step)) || status === 404, steps.join('\n'))
      assert.deepEqual(
        steps.filter((step) => /SCAN (data|trash|changes)/.test(step)),
        [],
        path,
      )
    }
  } finally {
    await service.close()
  }
})

/** Bytes that this process has read from files. */
const bytesRead = (): number => Number(/^rchar: (\d+)/m.exec(readFileSync('/proc/self/io', 'utf8'))![1])

it('a page of the log ends after 2 MiB of contents, and those after the end are not read', async () => {
  const service = await startService()
  const LONG = 1 << 20
  try {
    const deals = await makeTable(service, 'Deals', { title: 'text' })
    const { store } = service
    const [last] = await store.db.read(sql`SELECT max(id) FROM changes`)
    const end = Number(last![0]![0])
    const columns = ['id', 'table_id', 'record_id', 'action', 'user_id', 'token_id', 'via', 'batch_id', 'made_at', 'touched', 'content']
    for (let i = 1; i <= 50; i++) {
      const content = JSON.stringify({ [deals.f.title]: [null, 'x'.repeat(LONG)] })
      const row = [end + i, deals.id, i, 1, 1, 0, 1, end + i, '2026-01-01 00:00:00', '', content]
      await store.db.write((tx) => tx.insert('changes', columns, [row]))
    }
    const before = bytesRead()
    const { changes: found, more } = await followChanges(store, operator, { after: end, limit: 50, filter: undefined })
    assert.deepEqual([found.map(({ id }) => id - end), more], [[1, 2], true])
    const followed = bytesRead()
    assert.ok(followed - before < 12 * LONG, `${followed - before} bytes were read for the cursor`)

    const parts: number[] = []
    await new Promise<void>((done, fail) => {
      const tail = tailLog({ ...store, onFault: fail }, end, {
        everyLook: async () => {},
        async take({ rows }) {
          parts.push(rows.length)
          tail.stop()
          done()
        },
      })
    })
    assert.deepEqual(parts, [2])
    assert.ok(bytesRead() - followed < 12 * LONG, `${bytesRead() - followed} bytes were read for listeners`)
  } finally {
    await service.close()
  }
})
