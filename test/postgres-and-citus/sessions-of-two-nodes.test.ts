import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { openBrowser } from '../support/browser.ts'
import { startNodes, type Service } from '../support/service.ts'

const DAY = 86_400_000

describe('sessions of browsers, with two nodes over one database', () => {
  let here: Service
  let there: Service
  let close: () => Promise<void>
  before(async () => {
    const started = await startNodes(2)
    ;[here, there] = started.nodes as [Service, Service]
    close = started.close
  })
  after(() => close?.())

  it('are known to both, put off by use of either, and end on both at once', async () => {
    const browser = await openBrowser(here, here.first.login, here.first.password)
    const me = async (node: Service) => (await browser.send('GET', 'me', {}, node)).status
    assert.deepEqual([await me(here), await me(there)], [200, 200])
    for (let i = 0; i < 2; i++) {
      here.clock.now += 10 * DAY
      assert.equal(await me(here), 200)
    }
    // Longer ago than a session lasts without use: used here meanwhile.
    assert.equal(await me(there), 200)
    assert.equal((await browser.send('DELETE', 'session', {}, there)).status, 200)
    assert.deepEqual([await me(here), await me(there)], [401, 401])
  })
})
