import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { limits } from '../../../src/limits.ts'
import { sql } from '../../../src/sql/sql.ts'
import { CLAIMS, audit, sweepAudit } from '../../../src/store/people/audit.ts'
import { firstAdministrator } from '../../../src/store/people/first-administrator.ts'
import { person } from '../../support/scene.ts'
import { startService, type Service } from '../../support/service.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

interface Entry {
  readonly address: string
  readonly subject: string
  readonly detail: string
}

describe('the audit log', () => {
  let service: Service
  before(async () => {
    service = await startService({ trustedProxies: ['127.0.0.1'], auditDays: 10 })
  })
  after(() => service.close())
  // Entries of another hour do not count.
  beforeEach(() => void (service.clock.now += 2 * HOUR))

  const since = () => new Date(service.clock.now).toISOString().slice(0, 13).replace('T', ' ')
  /** Entries of this hour. */
  const entries = async (action: string): Promise<Entry[]> => {
    const [rows] = await service.store.db.read(
      sql`SELECT address, subject, detail FROM audit WHERE action = ${action} AND time >= ${`${since()}:00:00`} ORDER BY id`,
    )
    return rows!.map(([address, subject, detail]) => ({ address: String(address), subject: String(subject), detail: String(detail) }))
  }
  const guess = async (login: string, address: string) => {
    const { status } = await service.send('POST', '/api/dev/token', {
      token: null,
      headers: { 'X-Forwarded-For': address },
      body: { data: { type: 'token', attributes: { login, password: 'wrong' } } },
    })
    assert.equal(status, 401)
  }
  /** Failed sign-ins that were noted, without signing in. */
  const noted = (count: number, login: (i: number) => string, address: (i: number) => string) =>
    service.store.db.write(async (tx) => {
      for (let i = 0; i < count; i++) await audit(service.store, tx, { userId: 0, address: address(i) }, 'sign_in_failed', 'user', login(i))
    })

  it('shows so many failed sign-ins of an account in an hour, whatever its letters, and counts the others', async () => {
    const { most } = limits.auditedFailures
    await noted(
      most - 1,
      () => 'Victim',
      (i) => `203.0.113.${i}`,
    )
    for (let i = 0; i < 4; i++) await guess('vICTIM', `198.51.100.${i}`)
    assert.equal((await entries('sign_in_failed')).length, most)
    assert.deepEqual(
      (await entries('sign_in_failed_more')).map(({ subject, detail }) => [subject, detail]),
      [['login vICTIM', '3']],
    )
    service.clock.now += HOUR
    await guess('Victim', '198.51.100.9')
    assert.equal((await entries('sign_in_failed')).length, 1)
  })

  it('shows so many from one address or /64', async () => {
    await noted(
      limits.auditedFailures.most,
      (i) => `somebody ${i}`,
      (i) => `2001:db8:1:1::${i + 1}`,
    )
    for (let i = 0; i < 3; i++) await guess(`another ${i}`, `2001:db8:1:1:${i}::`)
    assert.equal((await entries('sign_in_failed')).length, limits.auditedFailures.most)
    assert.deepEqual(
      (await entries('sign_in_failed_more')).map(({ subject, detail }) => [subject, detail]),
      [['address 2001:db8:1:1::/64', '3']],
    )
  })

  it('shows so many in all', async () => {
    const { most } = limits.auditedFailuresOfAll
    await noted(
      most,
      (i) => `somebody ${i}`,
      (i) => `2001:db8:2:${i.toString(16)}::1`,
    )
    for (let i = 0; i < 3; i++) await guess(`another ${i}`, `192.0.2.${100 + i}`)
    assert.equal((await entries('sign_in_failed')).length, most)
    assert.deepEqual(
      (await entries('sign_in_failed_more')).map(({ subject, detail }) => [subject, detail]),
      [['all', '3']],
    )
  })

  it('takes texts of any length', async () => {
    await guess('🚀'.repeat(limits.login.most), '192.0.2.50')
    const [typed] = await entries('sign_in_failed')
    assert.ok(typed!.detail.length <= 255, `${typed!.detail.length}`)
    await guess(`a\u0301\n${'x'.repeat(400)}`, '192.0.2.51')
    await service.store.db.write((tx) =>
      audit(service.store, tx, { userId: 0, address: 'x'.repeat(9_000) }, 'long', 'user', 'y'.repeat(1_000_000)),
    )
    const [long] = await entries('long')
    assert.equal(long!.address.length, 100)
    assert.equal(long!.detail.length, limits.noted.most)
  })

  it('counts what users do to their own tokens all day', async () => {
    const { id, token } = await person(service, 3, 'olga')
    const { data } = (await service.get('token', token)).json
    const { most } = limits.auditedActs
    for (let i = 0; i < most + 5; i++) assert.equal((await service.change('token', data[0].id, { lifetime: 60 + i }, token)).status, 200)
    assert.equal((await entries('token_renewed')).length, most)
    assert.deepEqual(
      (await entries('token_renewed_more')).map(({ subject, detail }) => [subject, detail]),
      [[`user ${id}`, '5']],
    )
  })

  it('counts sign-ins, ends of their own tokens and changes of themselves all day, each by itself', async () => {
    const { id, token } = await person(service, 3, 'petra')
    const by = { userId: Number(id), address: '192.0.2.70' }
    const tokens = async () => (await service.get('token', token)).json.data.map((one: { id: string }) => one.id) as string[]
    const own = await tokens()
    let changed = 0
    const acts: readonly [action: string, act: () => Promise<{ status: number }>, expected: number][] = [
      ['user_changed', () => service.change('user', id, { fio: `Petra ${changed++}` }, token), 200],
      [
        'signed_in',
        () =>
          service.send('POST', '/api/dev/token', {
            token: null,
            body: { data: { type: 'token', attributes: { login: 'petra', password: 'petra petra petra' } } },
          }),
        201,
      ],
      ['token_revoked', async () => service.remove(`token/${(await tokens()).find((one) => !own.includes(one))}`, token), 200],
    ]
    for (const [action, act, expected] of acts) {
      const before = (await entries(action)).length
      await service.store.db.write(async (tx) => {
        for (let i = before; i < limits.auditedActs.most - 1; i++) await audit(service.store, tx, by, action, 'something')
      })
      for (let i = 0; i < (action === 'token_revoked' ? 2 : 3); i++) assert.equal((await act()).status, expected, action)
      const more = action === 'token_revoked' ? '1' : '2'
      assert.deepEqual(
        (await entries(`${action}_more`)).map(({ subject, detail }) => [subject, detail]),
        [[`user ${id}`, more]],
        action,
      )
      assert.equal((await entries(action)).length, limits.auditedActs.most, action)
    }
  })

  it('erases what is older than the settings say, in pieces, and does not take the first administrator for a new one', async () => {
    await noted(
      1_500,
      (i) => `somebody ${i}`,
      () => '192.0.2.60',
    )
    const count = async () => Number((await service.store.db.read(sql`SELECT count(*) FROM audit`))[0]![0]![0])
    const before = await count()
    service.clock.now += 9 * DAY
    const old = await sweepAudit(service.store)
    assert.equal(old, 0)
    service.clock.now += 2 * DAY
    assert.equal(await sweepAudit(service.store), before - 1)
    const [[left]] = (await service.store.db.read(sql`SELECT action FROM audit`)) as [[[string]]]
    assert.ok((CLAIMS as readonly string[]).includes(left[0]))
    assert.equal(await firstAdministrator(service.store), undefined)
  })

  it('says what a rule of access has become: its filters and its rights on fields too', async () => {
    const { id, fields } = await service.table('Orders', { state: 'text' })
    const { state } = fields
    const rule = await service.make('access', { group_id: 2, table_id: id, read: true, read_filter: `eq(${state},'1')` })
    const change = (attributes: object) =>
      service.send('PATCH', `/api/dev/access/${rule}`, { body: { data: { type: 'access', id: rule, attributes } } })
    assert.equal((await change({ update: true, read_filter: '', write_filter: `eq(${state},'2')` })).status, 200)
    assert.equal((await change({ fields: { [state!]: 'read_only' } })).status, 200)
    assert.deepEqual(
      (await entries('access_created')).map(({ detail }) => detail),
      [`read, read_filter eq(${state},'1')`],
    )
    assert.deepEqual(
      (await entries('access_changed')).map(({ detail }) => detail),
      [`update, no read_filter, write_filter eq(${state},'2')`, `fields {"${state}":"read_only"}`],
    )
  })
})
