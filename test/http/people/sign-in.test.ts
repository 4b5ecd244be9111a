import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { limits } from '../../../src/limits.ts'
import { sql } from '../../../src/sql/sql.ts'
import { verifyPassword } from '../../../src/store/people/passwords.ts'
import { person } from '../../support/scene.ts'
import { errorsOf, startService, type Service } from '../../support/service.ts'

const MINUTE = 60_000
const HOUR = 3_600_000
const failed = '401 auth.login_failed'
const tooMany = '429 auth.too_many_attempts'

/** What came of signing in from an address, in short. */
const signingIn = (service: Service) => async (login: string, password: string, address: string) => {
  const answer = await service.send('POST', '/api/dev/token', {
    token: null,
    headers: { 'X-Forwarded-For': address },
    body: { data: { type: 'token', attributes: { login, password } } },
  })
  return answer.status === 201 ? '201' : errorsOf(answer)[0]!
}

describe('guessing passwords', () => {
  let service: Service
  let from: ReturnType<typeof signingIn>
  before(async () => {
    service = await startService({ trustedProxies: ['127.0.0.1'] })
    from = signingIn(service)
  })
  after(() => service.close())

  const rows = async (table: 'login_failures' | 'known_networks') => {
    const [found] = await service.store.db.read(
      table === 'login_failures' ? sql`SELECT count(*) FROM login_failures` : sql`SELECT count(*) FROM known_networks`,
    )
    return Number(found![0]![0])
  }
  /** A user who has signed in from one address. */
  const owner = async (login: string, address = '192.0.2.1') => {
    const { id } = await person(service, 3, login)
    const right = `${login} ${login} ${login}`
    assert.equal(await from(login, right, address), '201')
    return { id, right }
  }

  it('from many addresses stays slow, and the owner signs in at once from where they did before', async () => {
    const { right } = await owner('anna')
    for (let i = 0; i < 10; i++) assert.equal(await from('anna', `wrong ${i}`, `203.0.113.${i}`), failed)
    for (let round = 0; round < 3; round++) {
      assert.equal(await from('anna', 'wrong', `203.0.113.1${round}`), round === 0 ? tooMany : failed)
      assert.equal(await from('anna', 'wrong', `203.0.113.2${round}`), tooMany)
      assert.equal(await from('anna', right, '192.0.2.1'), '201')
      assert.equal(await from('anna', right, '203.0.113.99'), tooMany, 'their success makes no other address quicker')
      service.clock.now += 20 * MINUTE
    }
  })

  it('from an address that was never right makes it no known one, for this account or another', async () => {
    const { right } = await owner('boris')
    await owner('clara', '198.51.100.1')
    const known = await rows('known_networks')
    for (let i = 0; i < 10; i++) assert.equal(await from('boris', 'wrong', '198.51.100.1'), failed)
    assert.equal(await from('boris', right, '198.51.100.1'), tooMany)
    assert.equal(await from('clara', 'clara clara clara', '198.51.100.1'), '201')
    assert.equal(await rows('known_networks'), known)
  })

  it('from a known address is slow as well, once ten were wrong', async () => {
    const { right } = await owner('dora', '192.0.2.4')
    for (let i = 0; i < 10; i++) assert.equal(await from('dora', 'wrong', '192.0.2.4'), failed)
    assert.equal(await from('dora', right, '192.0.2.4'), tooMany)
    service.clock.now += MINUTE
    assert.equal(await from('dora', right, '192.0.2.4'), '201')
  })

  it('fifty at once come no further than ten', async () => {
    await service.make('user', { login: 'emil', password: 'emil emil emil', group_id: 3 })
    const answers = await Promise.all(Array.from({ length: 50 }, (_, i) => from('emil', `wrong ${i}`, `203.0.113.${100 + i}`)))
    assert.equal(answers.filter((answer) => answer === failed).length, 10)
    assert.equal(answers.filter((answer) => answer === tooMany).length, 40)
  })

  it('from a /64 of IPv6 is from one address', async () => {
    for (let i = 0; i < 30; i++) assert.equal(await from(`guess ${i}`, 'wrong', `2001:db8:1:2::${i.toString(16)}`), failed)
    assert.equal(await from('guess', 'wrong', '2001:db8:1:2:ffff:ffff:ffff:ffff'), tooMany)
    assert.equal(await from('guess', 'wrong', '2001:db8:1:3::1'), failed)
  })

  it('after the password was changed, whoever knew the old one is known nowhere', async () => {
    const { id, right } = await owner('fedor', '192.0.2.6')
    await service.change('user', id, { password: 'a new one, longer' })
    for (let i = 0; i < 10; i++) assert.equal(await from('fedor', right, `203.0.113.${i}`), failed)
    assert.equal(await from('fedor', right, '192.0.2.6'), tooMany)
    service.clock.now += 2 * HOUR
  })

  it('leaves a bounded number of rows, of which those that slow somebody stay longest', async () => {
    const most = limits.signInCounts.most
    for (let i = 0; i < 12; i++) await from('victim', 'wrong', `203.0.113.${i}`)
    assert.equal(await from('victim', 'wrong', '203.0.113.200'), tooMany)
    await service.store.db.write(async (tx) => {
      await tx.run(sql`INSERT INTO login_failures (subject, failures, until, last)
        WITH RECURSIVE counter (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counter WHERE n < CAST(${most} AS bigint))
        SELECT 'login:sprayed ' || n, 1, 0, CAST(${service.clock.now + 1} AS bigint) FROM counter`)
    })
    assert.equal(await from('another', 'wrong', '203.0.113.201'), failed)
    assert.ok((await rows('login_failures')) <= most)
    assert.equal(await from('victim', 'wrong', '203.0.113.202'), tooMany)
    service.clock.now += 2 * HOUR
    assert.equal(await from('another', 'wrong', '203.0.113.203'), failed)
    assert.ok((await rows('login_failures')) <= 2, 'what is an hour old is forgotten')
  })

  it('a user has a bounded number of known addresses: the latest', async () => {
    const { id, right } = await owner('gleb', '192.0.2.7')
    for (let i = 0; i < limits.knownNetworks.most; i++) {
      service.clock.now += 1_000
      assert.equal(await from('gleb', right, `198.51.100.${i}`), '201')
    }
    const [found] = await service.store.db.read(sql`SELECT network FROM known_networks WHERE user_id = ${Number(id)}`)
    assert.equal(found!.length, limits.knownNetworks.most)
    assert.ok(!found!.some(([network]) => network === '192.0.2.7'))
  })

  it('the present one, to change it, is throttled by token: not the owner’s other tokens, nor by strangers who guess', async () => {
    const { id, token } = await person(service, 3, 'hanna')
    const right = 'hanna hanna hanna'
    const other = await service.signIn('hanna', right)
    for (let i = 0; i < 20; i++) await from('hanna', 'wrong', `203.0.113.${i}`)
    const change = async (old_password: string, by: string) => {
      const answer = await service.change('user', id, { password: 'another password', old_password }, by)
      return answer.status === 200 ? '200' : errorsOf(answer)[0]!.split(' /')[0]
    }
    for (let i = 0; i < 10; i++) assert.equal(await change(`wrong ${i}`, token), '422 user.wrong_password')
    assert.equal(await change(right, token), tooMany)
    assert.equal(await change(right, other), '200')
  })

  it('that could not be compared, since too many wait for that, do not count', async () => {
    const { right } = await owner('irina', '192.0.2.8')
    let full = true
    const room = async () => {
      while (full) await verifyPassword('', 'wrong')
    }
    const rooms = Array.from({ length: limits.passwords.most + limits.passwordsWaiting.most }, room)
    try {
      for (let i = 0; i < 12; i++) assert.equal(await from('irina', `wrong ${i}`, '203.0.113.8'), '503 server.busy')
      for (let i = 0; i < 12; i++) assert.equal(await from('irina', `wrong ${i}`, '192.0.2.8'), '503 server.busy')
    } finally {
      full = false
    }
    await Promise.all(rooms)
    assert.equal(await from('irina', 'wrong', '203.0.113.8'), failed)
    assert.equal(await from('irina', right, '192.0.2.8'), '201')
  })

  it('codes of invitations, is throttled by address', async () => {
    const redeem = (address: string) =>
      service.send('POST', '/api/dev/invitation/redeem', {
        token: null,
        headers: { 'X-Forwarded-For': address },
        body: { data: { type: 'invitation', attributes: { code: 'x'.repeat(48), password: 'long enough' } } },
      })
    const seen: number[] = []
    for (let i = 0; i < 32; i++) seen.push((await redeem('2001:db8:5:5::' + i.toString(16))).status)
    assert.deepEqual(seen, [...Array.from({ length: 30 }, () => 404), 429, 429])
    assert.equal((await redeem('2001:db8:5:6::1')).status, 404)
  })

  it('a clock that is set back keeps nobody out for longer than the longest wait', async () => {
    await service.make('user', { login: 'igor', password: 'igor igor igor', group_id: 3 })
    for (let i = 0; i < 10; i++) await from('igor', 'wrong', `203.0.113.${i}`)
    for (let i = 0; i < 30; i++) await from(`nobody ${i}`, 'wrong', '203.0.113.77')
    assert.equal(await from('igor', 'igor igor igor', '203.0.113.50'), tooMany)
    assert.equal(await from('nobody', 'wrong', '203.0.113.77'), tooMany)
    service.clock.now -= 5 * HOUR
    assert.equal(await from('igor', 'igor igor igor', '203.0.113.50'), '201')
    assert.equal(await from('nobody', 'wrong', '203.0.113.77'), failed)
    assert.equal(await from('nobody', 'wrong', '203.0.113.77'), tooMany, 'and what was counted counts')
  })
})

describe('a proxy that is not trusted', () => {
  const proxied = (service: Service, address: string) => service.send('GET', '/api/dev', { headers: { 'X-Forwarded-For': address } })
  const warnings = ({ logged }: Service) => logged.filter(({ level }) => level === 'warn')

  it('is told of once, with the setting that names it', async (t) => {
    const service = await startService()
    t.after(service.close)
    await service.get('')
    assert.equal(warnings(service).length, 0)
    for (let i = 0; i < 3; i++) await proxied(service, `203.0.113.${i}`)
    assert.deepEqual(
      warnings(service).map(({ details }) => [details['setting'], details['peer']]),
      [['KARTOTEKA_TRUSTED_PROXIES', '127.0.0.1']],
    )
  })

  it('is told of where another one is trusted, and one that is trusted is not', async (t) => {
    for (const [trusted, count] of [
      ['192.0.2.0/24', 1],
      ['127.0.0.1', 0],
    ] as const) {
      const service = await startService({ trustedProxies: [trusted] })
      t.after(service.close)
      for (let i = 0; i < 3; i++) await proxied(service, `203.0.113.${i}`)
      await service.add('token', { login: 'x', password: 'y' }, null)
      assert.equal(warnings(service).length, count, trusted)
    }
  })

  it('has one client lock out nobody who has signed in before', async (t) => {
    const service = await startService()
    t.after(service.close)
    await person(service, 3, 'anna')
    const from = signingIn(service)
    for (let i = 0; i < 30; i++) assert.equal(await from(`guess ${i}`, 'wrong', `203.0.113.${i}`), failed)
    assert.equal(await from('guess', 'wrong', '203.0.113.99'), tooMany)
    assert.equal(await from('anna', 'anna anna anna', '203.0.113.100'), '201')
  })
})
