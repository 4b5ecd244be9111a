import assert from 'node:assert/strict'
import { it } from 'node:test'
import { check } from '../../src/filter/check.ts'
import { parse } from '../../src/filter/parse.ts'
import { sql } from '../../src/sql/sql.ts'
import { operator } from '../../src/store/catalogue/administrator.ts'
import { followChanges } from '../../src/store/changes/follow-changes.ts'
import { wholeChanges, type Change } from '../../src/store/changes/list-changes.ts'
import { logBatch, seenBy } from '../../src/store/changes/stream-view.ts'
import { findRow } from '../../src/store/ground/relation.ts'
import { authenticate } from '../../src/store/people/authenticate.ts'
import { makeTable, person } from '../support/scene.ts'
import { startService } from '../support/service.ts'

it('of the records that come into a read filter or leave it in a page of the log, the states are read together', async () => {
  const service = await startService()
  try {
    const deals = await makeTable(service, 'Deals', { title: 'text', other: 'text' })
    const { title, other } = deals.f
    const group = Number(await service.make('group', { group_name: 'Sellers' }))
    await service.make('access', { group_id: group, table_id: deals.id, read: true, read_filter: `eq(${title},'in')` })
    const { token } = await person(service, group, 'seller')
    const caller = (await authenticate(service.store, token, ''))!
    for (const times of [5, 20]) {
      const { meta } = (await service.get('change?page[after]=now')).json
      const record = await service.make(deals.type, { [title]: 'in', [other]: 'x' })
      for (let i = 0; i < times; i++)
        for (const text of ['out', 'in']) await service.change(deals.type, record, { [title]: text, [other]: `${i} ${text}` })
      let count = 0
      const readLittle: typeof service.store.db.readLittle = async (...given) => {
        count++
        return service.store.db.readLittle(...given)
      }
      const db = { ...service.store.db, readLittle }
      const all: string[] = []
      for (let after = Number(meta.cursor); all.length < 1 + 2 * times;) {
        count = 0
        // Over PostgreSQL, transactions of other tests in the cluster may hold changes back for a moment.
        const { changes, cursor } = await followChanges({ ...service.store, db }, caller, { after, limit: 50, filter: undefined })
        all.push(...changes.map(({ action, changes: shown }) => `${action} ${shown?.[other]?.to ?? shown?.[other]?.from}`))
        after = cursor
        assert.ok(count < 15, `${count} reads for ${changes.length} changes`)
      }
      const expected = Array.from({ length: times }, (_, i) => [`delete ${i === 0 ? 'x' : `${i - 1} in`}`, `create ${i} in`]).flat()
      assert.deepEqual(all, ['create x', ...expected])
    }
  } finally {
    await service.close()
  }
})

it('of two callers, each gets the states around the changes that crossed their own filter', async () => {
  const service = await startService()
  try {
    const { store } = service
    const deals = await makeTable(service, 'Deals', { tag: 'text' })
    const tag = deals.f['tag']!
    const records: string[] = []
    for (let i = 0; i < 3; i++) records.push(await service.make(deals.type, { [tag]: '0' }))
    for (const [i, text] of ['pq', 'p', 'q'].entries()) await service.change(deals.type, records[i]!, { [tag]: text })
    const [ids] = await store.db.read(sql`SELECT id FROM changes WHERE touched <> '' ORDER BY id DESC LIMIT 3`)
    const rows: Change[] = []
    for (const [id] of ids!.reverse())
      rows.push((await findRow(async (query) => (await store.db.read(query))[0]!, wholeChanges, Number(id)))!)
    const batch = logBatch(store, operator, rows)
    const { attributes } = store.catalogue().tables.get(deals.id)!
    const seen: unknown[] = []
    for (const wanted of ['p', 'q']) {
      const condition = check(parse(`contains(${tag},'${wanted}')`), { attributes, context: store.context })
      const changes = await seenBy(store, operator, batch, new Map([[deals.id, condition]]))
      seen.push(changes.map((change) => change && [change.action, change.changes?.[tag]?.to]))
    }
    assert.deepEqual(seen, [
      [['create', 'pq'], ['create', 'p'], undefined],
      [['create', 'pq'], undefined, ['create', 'q']],
    ])
  } finally {
    await service.close()
  }
})
