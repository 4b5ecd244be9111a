import assert from 'node:assert/strict'
import { it } from 'node:test'
import { parseSort } from '../../../src/filter/sort.ts'
import { Abandoned, nobody } from '../../../src/store/model/asker.ts'
import { indexedTable } from '../../support/indexed-table.ts'
import { leavingUser } from '../../support/leaving-user.ts'
import { setPartsOf } from '../../support/list-parts.ts'
import { scratchStore } from '../../support/scratch-store.ts'

it('an order is read on for whoever comes next when those who asked for it have gone, and two at a time', async () => {
  const { store, remove, faults } = await scratchStore({})
  try {
    const table = await indexedTable(store, 2_000)
    const granted = table.may('read')
    const page = (user?: ReturnType<typeof leavingUser>, by = 'title') => {
      const caller = { ...granted.caller, ...(user && { client: user.client }) }
      const sort = parseSort(table.named(by), granted.allAttributes)
      return store.pages.page({ ...granted, caller }, { filter: undefined, sort, offset: 700, limit: 20 })
    }
    const { source } = setPartsOf(store).sets
    const { order } = source
    const askers: string[] = []
    source.order = (sets, by, ids) => {
      const { client } = by
      askers.push(by === nobody ? 'nobody' : client ? 'who leaves' : 'who stays')
      // As a read that takes longer than they wait.
      return client ? new Promise((_, gone) => client.whenGone(() => gone(new Abandoned()))) : order.call(source, sets, by, ids)
    }
    const users = [leavingUser(granted.caller.userId), leavingUser(granted.caller.userId)]
    const pages = users.map((user) => page(user))
    const refused = pages.map((one) => assert.rejects(one, Abandoned))
    await new Promise((next) => setTimeout(next, 50))
    for (const user of users) user.leave()
    await Promise.all(refused)
    const { records } = await page()
    assert.equal(records.length, 20)
    assert.deepEqual(askers, ['who leaves', 'nobody'])
    askers.length = 0
    const others = ['mail', '-mail', 'phone', '-phone'].map((sort) => {
      const user = leavingUser(1)
      return { user, refused: assert.rejects(page(user, sort), Abandoned) }
    })
    await new Promise((next) => setTimeout(next, 50))
    for (const { user } of others) user.leave()
    await Promise.all(others.map(({ refused }) => refused))
    assert.deepEqual(askers.toSorted(), ['nobody', 'nobody', 'who leaves', 'who leaves', 'who leaves', 'who leaves'])
    assert.deepEqual(faults, [])
  } finally {
    await remove()
  }
})
