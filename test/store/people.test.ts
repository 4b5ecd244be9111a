import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { limits } from '../../src/limits.ts'
import { operator } from '../../src/store/catalogue/administrator.ts'
import { invite, redeem } from '../../src/store/people/invitations.ts'
import { insertRow } from '../../src/store/ground/resource-rows.ts'
import type { Store } from '../../src/store/ground/store.ts'
import { createTable } from '../../src/store/structure/tables.ts'
import { authenticate } from '../../src/store/people/authenticate.ts'
import { issueToken, renewToken, revokeToken, signIn } from '../../src/store/people/tokens.ts'
import { tokens } from '../../src/store/people/token-rows.ts'
import { archiveUser, createUser, setPassword, updateUser } from '../../src/store/people/users.ts'
import { scratchStore } from '../support/scratch-store.ts'

const home = '192.0.2.1'

/** At the limits of src/limits.ts the structure takes a second to read, and any token may renew itself. */
describe('a change of people or tokens', () => {
  let store: Store
  let remove: () => Promise<void>
  let user: number

  before(async () => {
    ;({ store, remove } = await scratchStore())
    await createTable(store, operator, { title: 'Firms' })
    user = await createUser(store, operator, { login: 'anna', password: 'correct horse' })
  })
  after(() => remove())

  const caller = async () => {
    const { token } = await issueToken(store, operator, { login: 'anna' })
    return (await authenticate(store, token, home))!
  }
  const acts: Readonly<Record<string, () => Promise<unknown>>> = {
    'a token that renews itself': async () => {
      const by = await caller()
      await renewToken(store, by, by.tokenId, { lifetime: 60 })
    },
    'a token that ends': async () => {
      const by = await caller()
      await revokeToken(store, by, by.tokenId)
    },
    'a new user': () => createUser(store, operator, { login: 'berta' }),
    'a name of one’s own': async () => updateUser(store, await caller(), user, { fullName: 'Anna' }),
    'a password of one’s own': async () =>
      updateUser(store, await caller(), user, { password: 'another horse', oldPassword: 'correct horse' }),
    'a password that the operator sets': () => setPassword(store, operator, user, 'correct horse'),
    'an invitation': async () => redeem(store, (await invite(store, operator, user)).code, 'correct horse', home),
    'one sign-in too many': async () => {
      await store.db.write(async (tx) => {
        for (let i = 0; i < limits.signInsPerUser.most; i++)
          await insertRow(
            tx,
            operator,
            tokens,
            { userId: user, title: '', scope: 'write', tables: null },
            { hash: `${i}`, by_password: 1, expires_ms: 0 },
          )
      })
      await signIn(store, { login: 'anna', password: 'correct horse' }, home)
    },
    'a user who is archived': () => archiveUser(store, operator, user),
  }
  for (const [what, act] of Object.entries(acts))
    it(`reads no structure anew: ${what}`, async () => {
      const before = store.catalogue()
      await act()
      const now = store.catalogue()
      assert.ok(now.version > before.version, 'what is remembered of callers must not stand')
      assert.ok(now.tables === before.tables && now.access === before.access)
    })

  it('is told from a change of structure', async () => {
    const before = store.catalogue()
    await createTable(store, operator, { title: 'People' })
    assert.ok(store.catalogue().tables !== before.tables)
  })
})
