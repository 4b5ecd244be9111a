import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { operator } from '../../src/store/catalogue/administrator.ts'
import { auditEntries } from '../../src/store/people/audit.ts'
import { CLIENTS } from '../../src/store/people/groups.ts'
import { invite, redeem } from '../../src/store/people/invitations.ts'
import { listRows } from '../../src/store/ground/list-rows.ts'
import type { Store } from '../../src/store/ground/store.ts'
import { authenticate } from '../../src/store/people/authenticate.ts'
import { issueToken, readToken, renewToken, revokeToken, signIn, sweepTokens } from '../../src/store/people/tokens.ts'
import { ensureFirstAdministrator } from '../../src/store/people/first-administrator.ts'
import { createUser, updateUser } from '../../src/store/people/users.ts'
import { scratchStore } from '../support/scratch-store.ts'
import { until } from '../support/until.ts'

const home = '192.0.2.1'
const anna = { login: 'Anna', password: 'correct horse' }

describe('access tokens', () => {
  let store: Store
  let clock: { now: number }
  let remove: () => Promise<void>
  let annaId: number
  const seconds = (count: number) => void (clock.now += count * 1000)
  const caller = async (token: string) => (await authenticate(store, token, home))!

  beforeEach(async () => {
    ;({ store, clock, remove } = await scratchStore())
    await ensureFirstAdministrator(store)
    annaId = await createUser(store, operator, anna)
  })
  afterEach(() => remove())

  it('are of 48 letters and digits and stand for their user', async () => {
    const { id, token } = await signIn(store, anna, home)
    assert.match(token, /^[A-Za-z0-9]{48}$/)
    assert.deepEqual(await authenticate(store, token, home), {
      userId: annaId,
      groupId: CLIENTS,
      administrator: false,
      tokenId: id,
      scope: 'write',
      tables: undefined,
      address: home,
      door: 'api',
    })
    assert.equal((await authenticate(store, token, '192.0.2.2'))?.address, '192.0.2.2')
    assert.equal(await authenticate(store, token.toLowerCase(), home), undefined)
    assert.equal(await authenticate(store, '', home), undefined)
  })

  it('are got with the login in any case, and only with the right password', async () => {
    await signIn(store, { ...anna, login: 'ANNA' }, home)
    for (const wrong of [
      { ...anna, password: 'wrong' },
      { login: 'nobody', password: anna.password },
      { login: '', password: '' },
      { ...anna, password: 'x'.repeat(100_000) },
    ]) {
      await assert.rejects(signIn(store, wrong, home), { code: 'auth.login_failed', message: 'Login or password is wrong.' })
    }
  })

  it('end when they expire, to the millisecond', async () => {
    const { token } = await signIn(store, { ...anna, lifetime: 60 }, home)
    clock.now += 59_999
    assert.ok(await authenticate(store, token, home))
    clock.now += 1
    assert.equal(await authenticate(store, token, home), undefined)
    seconds(86_401)
    assert.equal(await sweepTokens(store), 1)
  })

  it('live as long as the settings say, and no longer than they allow', async () => {
    assert.equal((await readToken(store, (await signIn(store, anna, home)).id)).expires, '2024-05-01 21:30:15')
    for (const lifetime of [0, -1, 30 * 86_400 + 1]) {
      await assert.rejects(signIn(store, { ...anna, lifetime }, home), {
        code: 'field.invalid_value',
        where: { attribute: 'lifetime' },
      })
    }
  })

  it('of the operator never end and need no password', async () => {
    const { id, token } = await issueToken(store, operator, { login: 'anna', title: 'script' })
    seconds(10 * 365 * 86_400)
    assert.ok(await authenticate(store, token, home))
    assert.equal((await readToken(store, id)).expires, '0000-00-00 00:00:00')
  })

  it('are renewed while they are valid and not after', async () => {
    const { id, token } = await signIn(store, { ...anna, lifetime: 60 }, home)
    await renewToken(store, await caller(token), id, { lifetime: 120 })
    seconds(119)
    const last = await caller(token)
    seconds(1)
    await assert.rejects(renewToken(store, last, id, { lifetime: 120 }), { code: 'resource.not_found' })
  })

  it('count no longer with the request after they are revoked', async () => {
    const { id, token } = await signIn(store, anna, home)
    const other = await issueToken(store, operator, { login: 'admin' })
    await assert.rejects(revokeToken(store, await caller(token), other.id), { code: 'resource.not_found' })
    await revokeToken(store, await caller(token), id)
    assert.equal(await authenticate(store, token, home), undefined)
  })

  it('that may only read can end and renew themselves and nothing else', async () => {
    const { id, token } = await signIn(store, { ...anna, scope: 'read' }, home)
    const reader = await caller(token)
    const { id: otherId } = await signIn(store, anna, home)
    await renewToken(store, reader, id, { lifetime: 50 })
    await assert.rejects(revokeToken(store, reader, otherId), { code: 'access.denied' })
    await assert.rejects(updateUser(store, reader, annaId, { fullName: 'A' }), { code: 'access.denied' })
    await revokeToken(store, reader, id)
  })

  it('of an archived user are gone, also when they come back', async () => {
    const { token } = await signIn(store, anna, home)
    await updateUser(store, operator, annaId, { archived: true })
    assert.equal(await authenticate(store, token, home), undefined)
    await assert.rejects(signIn(store, anna, home), { code: 'auth.login_failed' })
    await updateUser(store, operator, annaId, { archived: false })
    assert.equal(await authenticate(store, token, home), undefined)
    await signIn(store, anna, home)
  })

  it('got with a password end when it changes, but the one it was changed with and those of the operator', async () => {
    const [mine, other] = [await signIn(store, anna, home), await signIn(store, anna, home)]
    const script = await issueToken(store, operator, { login: 'anna' })
    const change = { password: 'battery staple', oldPassword: anna.password }
    for (const oldPassword of [undefined, 'wrong']) {
      const attempt = { password: change.password, ...(oldPassword !== undefined && { oldPassword }) }
      await assert.rejects(updateUser(store, await caller(mine.token), annaId, attempt), { code: 'user.wrong_password' })
    }
    await updateUser(store, await caller(mine.token), annaId, change)
    assert.ok(await authenticate(store, mine.token, home))
    assert.ok(await authenticate(store, script.token, home))
    assert.equal(await authenticate(store, other.token, home), undefined)
    await assert.rejects(signIn(store, anna, home), { code: 'auth.login_failed' })
    await signIn(store, { ...anna, password: change.password }, home)
  })

  it('give the rights of the group the user is in now', async () => {
    const { token } = await signIn(store, anna, home)
    assert.equal((await caller(token)).administrator, false)
    await updateUser(store, operator, annaId, { groupId: 1 })
    assert.equal((await caller(token)).administrator, true)
  })

  it('note their last use once a minute', async () => {
    const { id, token } = await signIn(store, anna, home)
    const lastUsed = async () => {
      // A write that comes after it in the queue ends after it.
      await store.db.write(async () => undefined)
      return (await readToken(store, id)).lastUsed
    }
    const noted = (wanted: string) => until(`the use at ${wanted}`, async () => (await lastUsed()) === wanted)
    await authenticate(store, token, home)
    await noted('2024-05-01 09:30:15')
    seconds(59)
    await authenticate(store, token, home)
    assert.equal(await lastUsed(), '2024-05-01 09:30:15')
    seconds(1)
    await authenticate(store, token, home)
    await noted('2024-05-01 09:31:15')
  })

  it('are refused for a while after too many failures of one account, and again after one more', async () => {
    const wrong = () => signIn(store, { ...anna, password: 'wrong' }, home)
    for (let i = 0; i < 10; i++) await assert.rejects(wrong(), { code: 'auth.login_failed' })
    await assert.rejects(signIn(store, anna, home), { code: 'auth.too_many_attempts', retryAfter: 1 })
    await assert.rejects(signIn(store, anna, '192.0.2.7'), { code: 'auth.too_many_attempts' })
    seconds(1)
    await assert.rejects(wrong(), { code: 'auth.login_failed' })
    await assert.rejects(signIn(store, anna, home), { code: 'auth.too_many_attempts', retryAfter: 2 })
    seconds(2)
    await signIn(store, anna, home)
    await signIn(store, anna, home)
  })

  it('are refused to an address that tries many accounts, also all at once', async () => {
    const tries = Array.from({ length: 40 }, (_, i) =>
      signIn(store, { login: `user${i}`, password: 'wrong wrong' }, home).catch((error: { code: string }) => error.code),
    )
    const codes = await Promise.all(tries)
    assert.equal(codes.filter((code) => code === 'auth.login_failed').length, 30)
    assert.equal(codes.filter((code) => code === 'auth.too_many_attempts').length, 10)
    await signIn(store, anna, '192.0.2.7')
    await assert.rejects(signIn(store, anna, home), { code: 'auth.too_many_attempts' })
  })

  it('and failures to get one are in the audit log', async () => {
    await signIn(store, anna, home)
    await assert.rejects(signIn(store, { ...anna, password: 'wrong' }, home))
    const { rows } = await listRows(store, auditEntries, operator, { sort: [], offset: 0, limit: 50 })
    const [success, failure] = rows.slice(-2)
    assert.deepEqual([success!.action, success!.userId, success!.address], ['signed_in', annaId, home])
    assert.deepEqual([failure!.action, failure!.detail], ['sign_in_failed', 'Anna'])
  })
})

describe('an invitation', () => {
  it('is redeemed once, before it expires, and the last one counts', async () => {
    const { store, clock, remove } = await scratchStore()
    const userId = await createUser(store, operator, { login: 'bob' })
    await assert.rejects(signIn(store, { login: 'bob', password: '' }, home), { code: 'auth.login_failed' })
    const [first, second] = [await invite(store, operator, userId), await invite(store, operator, userId, 60)]
    await assert.rejects(redeem(store, first.code, 'long enough', home), { code: 'auth.invitation_invalid' })
    await assert.rejects(redeem(store, second.code, 'short', home), { code: 'field.invalid_value' })
    assert.deepEqual(await redeem(store, second.code, 'long enough', home), { login: 'bob' })
    await assert.rejects(redeem(store, second.code, 'long enough', home), { code: 'auth.invitation_invalid' })
    await signIn(store, { login: 'bob', password: 'long enough' }, home)
    const late = await invite(store, operator, userId, 60)
    clock.now += 60_000
    await assert.rejects(redeem(store, late.code, 'long enough', home), { code: 'auth.invitation_invalid' })
    await assert.rejects(invite(store, operator, 99), { code: 'field.invalid_value' })
    await remove()
  })
})

describe('the first administrator', () => {
  it('is made once, with a password nobody else has', async () => {
    const { store, remove } = await scratchStore()
    const first = (await ensureFirstAdministrator(store))!
    assert.match(first.password, /^[\w-]{20}$/)
    assert.equal(await ensureFirstAdministrator(store), undefined)
    const { token } = await signIn(store, first, home)
    assert.equal((await authenticate(store, token, home))?.administrator, true)
    await remove()
  })

  it('stays: the last one is neither archived nor moved', async () => {
    const { store, remove } = await scratchStore()
    await ensureFirstAdministrator(store)
    for (const change of [{ archived: true }, { groupId: 2 }])
      await assert.rejects(updateUser(store, operator, 1, change), { code: 'user.last_administrator' })
    const second = await createUser(store, operator, { login: 'second', groupId: 1 })
    await updateUser(store, operator, 1, { archived: true })
    await assert.rejects(updateUser(store, operator, second, { groupId: 3 }), { code: 'user.last_administrator' })
    await remove()
  })
})
