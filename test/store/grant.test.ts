import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { operator } from '../../src/store/catalogue/administrator.ts'
import { grant, type Caller, type Granted } from '../../src/store/model/access.ts'
import type { Store } from '../../src/store/ground/store.ts'
import { createRule } from '../../src/store/structure/access-rules.ts'
import { createTable } from '../../src/store/structure/tables.ts'
import { scratchStore } from '../support/scratch-store.ts'

describe('a proof of rights', () => {
  let store: Store
  let remove: () => Promise<void>
  let table: number
  const seller: Caller = { ...operator, userId: 7, groupId: 3, administrator: false }
  before(async () => {
    ;({ store, remove } = await scratchStore())
    table = await createTable(store, operator, { title: 'Deals' })
    await createRule(store, operator, { groupId: 3, tableId: table, read: true, create: true })
  })
  after(() => remove())

  const creating = (granted: Granted<'create'>) => granted.table.id
  const loading = (granted: Granted<'create' | 'bulk'>) => granted.table.id

  it('of several is one of each of them', () => {
    const both = grant(['create', 'bulk'], table, operator, store.catalogue())
    assert.deepEqual([creating(both), loading(both)], [table, table])
  })

  it('of one is none of several: that does not compile', () => {
    // @ts-expect-error bulk is not proved
    assert.equal(loading(grant('create', table, seller, store.catalogue())), table)
  })

  it('of several is refused where one of them lacks', () => {
    assert.equal(creating(grant('create', table, seller, store.catalogue())), table)
    for (const wanted of [
      ['create', 'bulk'],
      ['bulk', 'create'],
    ] as const)
      assert.throws(() => grant(wanted, table, seller, store.catalogue()), { code: 'access.denied', message: /bulk/ })
  })
})
