import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { listChanges } from '../../../src/http/handlers/list-changes.ts'
import { listResources } from '../../../src/http/handlers/list-resources.ts'
import { user } from '../../../src/http/resources/user.ts'
import { operator } from '../../../src/store/catalogue/administrator.ts'
import { Abandoned } from '../../../src/store/model/asker.ts'
import { startService, type Service } from '../../support/service.ts'

/** As long as a filter in an address may be, and with as many values. */
const longest = `or(${Array.from({ length: 4 }, () => `in(id,${Array.from({ length: 1_000 }, () => '1').join(',')})`).join(',')})`

describe('a long filter of an address is checked while others have their turn', () => {
  let service: Service
  before(async () => {
    service = await startService()
  })
  after(() => service.close())

  /** Statements that were sent for a client that goes away meanwhile. */
  async function sentFor(run: (request: never) => Promise<unknown>, filter: string, more: object = {}): Promise<number> {
    let sent = 0
    const db = { ...service.store.db, readLittle: () => void sent++, read: () => void sent++ }
    const caller = { ...operator, client: { isGone: true, away: new AbortController().signal } }
    const query = { filter, sort: '', 'page[offset]': 0, 'page[limit]': 20, ...more }
    const request = { store: { ...service.store, db }, caller, query, pairs: [['filter', filter]], origin: '', path: '/' }
    await assert.rejects(run(request as never), (error) => error instanceof Abandoned || sent > 0)
    return sent
  }

  for (const [what, run, more] of [
    ['users', listResources(user).run, {}],
    ['changes', listChanges.run, {}],
    ['changes after a cursor', listChanges.run, { 'page[after]': 1 }],
  ] as const)
    it(`of ${what}`, async () => {
      assert.ok(longest.length <= 8_192)
      assert.equal((await service.get(`change?filter=${longest}`)).status, 200)
      assert.equal((await sentFor(run as never, 'eq(id,1)', more)) > 0, true)
      assert.equal(await sentFor(run as never, longest, more), 0)
    })
})
