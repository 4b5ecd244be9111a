import assert from 'node:assert/strict'
import { it } from 'node:test'
import { parseSort } from '../../../src/filter/sort.ts'
import { Abandoned, nobody } from '../../../src/store/model/asker.ts'
import { indexedTable } from '../../support/indexed-table.ts'
import { leavingUser } from '../../support/leaving-user.ts'
import { setPartsOf } from '../../support/list-parts.ts'
import { scratchStore } from '../../support/scratch-store.ts'

it('an order is read on for whoever comes next when those who asked for it have gone', async () => {
  const { store, remove, faults } = await scratchStore({})
  try {
    const table = await indexedTable(store, 2_000)
    const granted = table.may('read')
    const page = (user?: ReturnType<typeof leavingUser>) => {
      const caller = { ...granted.caller, ...(user && { client: user.client }) }
      const sort = parseSort(table.named('title'), granted.allAttributes)
      return store.pages.page({ ...granted, caller }, { filter: undefined, sort, offset: 700, limit: 20 })
    }
    const { source } = setPartsOf(store).sets
    const { order } = source
    const askers: number[] = []
    source.order = (sets, by, ids) => {
      askers.push(by.userId)
      // As a read that takes longer than they wait.
      return by === nobody ? order.call(source, sets, by, ids) : new Promise((_, gone) => by.client?.whenGone(() => gone(new Abandoned())))
    }
    const users = [leavingUser(granted.caller.userId), leavingUser(granted.caller.userId)]
    const pages = users.map((user) => page(user))
    const refused = pages.map((one) => assert.rejects(one, Abandoned))
    await new Promise((next) => setTimeout(next, 50))
    for (const user of users) user.leave()
    await Promise.all(refused)
    const { records } = await page()
    assert.equal(records.length, 20)
    assert.deepEqual(askers, [granted.caller.userId, nobody.userId])
    assert.deepEqual(faults, [])
  } finally {
    await remove()
  }
})
