import assert from 'node:assert/strict'
import { it } from 'node:test'
import { followChanges } from '../../src/store/changes/follow-changes.ts'
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
