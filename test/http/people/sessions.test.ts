import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { limits } from '../../../src/limits.ts'
import { sql } from '../../../src/sql/sql.ts'
import { sweepTokens } from '../../../src/store/people/tokens.ts'
import { openBrowser, OWN_PAGE, signInBody, type Browser } from '../../support/browser.ts'
import { openEvents } from '../../support/event-stream.ts'
import { makeTable, person, refused, type Table } from '../../support/scene.ts'
import { startService, type Answer, type Service } from '../../support/service.ts'
import { until } from '../../support/until.ts'

const DAY = 86_400_000
const invalid = '401 auth.token_invalid Cookie'

describe('sessions of browsers', () => {
  let service: Service
  let table: Table
  before(async () => {
    service = await startService()
    table = await makeTable(service, 'Things', { name: 'text' })
    await service.make('access', { group_id: 3, table_id: table.id, read: true, create: true })
    for (const login of ['anna', 'boris', 'clara']) await person(service, 3, login)
  })
  after(() => service.close())

  const open = (login: string): Promise<Browser> => openBrowser(service, login, `${login} ${login} ${login}`)
  const create = (browser: Browser, headers: Record<string, string> = {}): Promise<Answer> =>
    browser.send('POST', table.type, { body: { data: { type: table.type, attributes: {} } }, headers })

  it('are a cookie that scripts cannot read, and a token that is listed and revoked', async () => {
    const anna = await open('anna')
    assert.match(
      anna.answer.headers.get('set-cookie')!,
      /^kartoteka_session=[A-Za-z0-9]{48}; Path=\/; Max-Age=34560000; HttpOnly; SameSite=Lax$/,
    )
    const { type, id, attributes, links } = anna.answer.json.data
    assert.deepEqual([type, links.self, anna.answer.headers.get('location')], ['session', `/api/dev/token/${id}`, `/api/dev/token/${id}`])
    assert.deepEqual(Object.keys(attributes), ['name', 'user_id', 'created', 'expires_at'])
    const secret = anna.cookie.split('=')[1]!
    assert.ok(!anna.answer.text.includes(secret))
    const { json, text } = await anna.send('GET', `token?filter=eq(session,1)`)
    assert.deepEqual([json.meta.total, json.data[0].id, json.data[0].attributes.session], [1, id, true])
    assert.ok(!text.includes(secret))
    assert.equal((await create(anna)).status, 201)
    assert.equal((await anna.send('DELETE', `token/${id}`)).status, 200)
    refused(await anna.send('GET', table.type), invalid)
  })

  it('are secure behind https', async () => {
    const https = await startService({ publicUrl: 'https://crm.example.com' })
    const { login, password } = https.first
    const { answer } = await openBrowser(https, login, password)
    assert.match(answer.headers.get('set-cookie')!, /; SameSite=Lax; Secure$/)
    const out = await https.send('POST', '/api/dev/session', {
      token: null,
      body: signInBody(login, password),
      headers: { Origin: 'https://crm.example.com', 'X-Requested-With': 'kartoteka' },
    })
    assert.equal(out.status, 201)
    await https.close()
  })

  it('end with DELETE, which a token cannot end', async () => {
    const anna = await open('anna')
    const { status, headers } = await anna.send('DELETE', 'session')
    assert.equal(status, 200)
    assert.match(headers.get('set-cookie')!, /^kartoteka_session=; Path=\/; Max-Age=0; HttpOnly; SameSite=Lax$/)
    refused(await anna.send('GET', 'me'), invalid)
    const { status: without, json } = await service.remove('session')
    assert.deepEqual([without, json.errors[0].code], [404, 'resource.not_found'])
  })

  it('end after 14 days without use, and no sooner', async () => {
    const anna = await open('anna')
    const { id } = anna.answer.json.data
    assert.equal(limits.sessionIdle.most, 14 * DAY)
    for (let day = 0; day < 30; day += 10) {
      service.clock.now += 10 * DAY
      assert.equal((await anna.send('GET', 'me')).status, 200, `day ${day}`)
    }
    service.clock.now += 14 * DAY - 1
    const ends = async () => Number((await service.store.db.read(sql`SELECT expires_ms FROM tokens WHERE id = ${Number(id)}`))[0]![0]![0])
    // Written beside the request, which does not wait for it.
    await until('the new end of the session', async () => (await ends()) === service.clock.now + 1)
    const token = (await anna.send('GET', 'me')).json.data.attributes.token
    assert.equal(token.session, true)
    service.clock.now += 14 * DAY
    refused(await anna.send('GET', 'me'), invalid)
    service.clock.now += 2 * DAY
    assert.ok((await sweepTokens(service.store)) > 0)
    const [left] = await service.store.db.read(sql`SELECT id FROM tokens WHERE id = ${Number(id)}`)
    assert.deepEqual(left, [])
  })

  it('have no other lifetime, and none that is longer than the administrator allows', async () => {
    const anna = await open('anna')
    const { id } = anna.answer.json.data
    const body = (attributes: object) => ({ body: { data: { type: 'token', id, attributes } } })
    refused(await anna.send('PATCH', `token/${id}`, body({ lifetime: 60 })), '422 field.invalid_value /data/attributes/lifetime')
    assert.equal((await anna.send('PATCH', `token/${id}`, body({ name: 'Desk' }))).json.data.attributes.name, 'Desk')
    refused(
      await service.send('POST', '/api/dev/session', {
        token: null,
        body: signInBody('anna', 'anna anna anna', { lifetime: 60 }),
        headers: OWN_PAGE,
      }),
      '400 attribute.unknown /data/attributes/lifetime',
    )
    const strict = await startService({ tokenLifetimeMax: 3600 })
    const { answer } = await openBrowser(strict, strict.first.login, strict.first.password)
    assert.equal(answer.json.data.attributes.expires_at, '2024-05-01 10:30:15')
    await strict.close()
  })

  it('all end when the password changes, also the one that changed it', async () => {
    const [one, other] = [await open('boris'), await open('boris')]
    const { id } = (await one.send('GET', 'me')).json.data
    const attributes = { password: 'another long one', old_password: 'boris boris boris' }
    assert.equal((await one.send('PATCH', `user/${id}`, { body: { data: { type: 'user', id, attributes } } })).status, 200)
    for (const browser of [one, other]) refused(await browser.send('GET', 'me'), invalid)
    const again = await openBrowser(service, 'boris', 'another long one')
    assert.equal((await service.change('user', id, { password: 'set by others' })).status, 200)
    refused(await again.send('GET', 'me'), invalid)
  })

  it('are not valid as a token, nor a token as one of them', async () => {
    const anna = await open('anna')
    const secret = anna.cookie.split('=')[1]!
    assert.equal((await service.get('me', secret)).status, 401)
    const token = await service.signIn('anna', 'anna anna anna')
    refused(await service.send('GET', '/api/dev/me', { token: null, headers: { Cookie: `kartoteka_session=${token}` } }), invalid)
    assert.equal((await anna.send('GET', 'me')).status, 200)
  })

  it('write for pages of the service only', async () => {
    const anna = await open('anna')
    const origin = new URL(service.url).origin
    const cross = '403 auth.cross_site'
    const send = (headers: Record<string, string>) =>
      service.send('POST', table.path, {
        token: null,
        body: { data: { type: table.type, attributes: {} } },
        headers: { Cookie: anna.cookie, ...headers },
      })
    const by = { 'X-Requested-With': 'kartoteka' }
    assert.equal((await send({ ...by, 'Sec-Fetch-Site': 'same-origin' })).status, 201)
    assert.equal((await send({ ...by, Origin: origin })).status, 201)
    for (const headers of [
      {},
      by,
      { Origin: origin },
      { 'Sec-Fetch-Site': 'same-origin' },
      { ...by, Origin: 'https://evil.example.com' },
      { ...by, Origin: 'null' },
      { ...by, Origin: `${origin}1` },
      { ...by, 'Sec-Fetch-Site': 'same-site' },
      { ...by, 'Sec-Fetch-Site': 'cross-site', Origin: origin },
      { ...by, 'Sec-Fetch-Site': 'none' },
      { 'X-Requested-With': 'XMLHttpRequest', 'Sec-Fetch-Site': 'same-origin' },
    ])
      refused(await send(headers), cross)
    const before = (await service.get(table.type)).json.meta.total
    for (const method of ['POST', 'PATCH', 'DELETE']) {
      const path = method === 'POST' ? `${table.path}/search` : `${table.path}/1`
      refused(await service.send(method, path, { token: null, headers: { Cookie: anna.cookie } }), cross)
    }
    refused(await service.send('DELETE', '/api/dev/session', { token: null, headers: { Cookie: anna.cookie } }), cross)
    assert.equal((await service.get(table.type)).json.meta.total, before)
    assert.equal((await send({ 'X-Auth-Token': service.token })).status, 201)
  })

  it('are opened for pages of the service only, as slowly after failures as tokens are', async () => {
    const body = signInBody('clara', 'clara clara clara')
    const send = (headers: Record<string, string>, sent: unknown = body) =>
      service.send('POST', '/api/dev/session', { token: null, headers, body: sent })
    for (const headers of [
      {},
      { Origin: new URL(service.url).origin },
      { 'X-Requested-With': 'kartoteka', 'Sec-Fetch-Site': 'cross-site' },
    ])
      refused(await send(headers), '403 auth.cross_site')
    const wrong = signInBody('clara', 'wrong')
    for (let i = 0; i < 10; i++) refused(await send(OWN_PAGE, wrong), '401 auth.login_failed')
    const { status, json, headers } = await send(OWN_PAGE)
    assert.deepEqual([status, json.errors[0].code, headers.get('set-cookie')], [429, 'auth.too_many_attempts', null])
    assert.equal((await service.add('token', { login: 'clara', password: 'clara clara clara' }, null)).status, 429)
  })

  it('count less than a token that is sent too', async () => {
    const anna = await open('anna')
    const { token } = await person(service, 3, 'dora')
    const me = async (given: string) => (await anna.send('GET', 'me', { token: given })).json
    assert.equal((await me(token)).data.attributes.login, 'dora')
    assert.equal((await me('x'.repeat(48))).errors[0].source.header, 'X-Auth-Token')
    const bearer = await anna.send('GET', 'me', { headers: { Authorization: `Bearer ${token}` } })
    assert.equal(bearer.json.data.attributes.login, 'dora')
    // Not by the cookie: so no page has to send it.
    assert.equal((await service.send('POST', table.path, {
      token,
      body: { data: { type: table.type, attributes: {} } },
      headers: { Cookie: anna.cookie },
    })).status, 201) // prettier-ignore
  })

  it('are found among other cookies; where there are two, neither counts', async () => {
    const [anna, other] = [await open('anna'), await open('anna')]
    const me = async (Cookie: string) => (await service.send('GET', '/api/dev/me', { token: null, headers: { Cookie } })).status
    assert.equal(await me(`a=b; ${anna.cookie}; xkartoteka_session=1`), 200)
    assert.equal(await me(`${anna.cookie}; ${anna.cookie}`), 200)
    assert.equal(await me(`${anna.cookie}; ${other.cookie}`), 401)
    for (const odd of ['kartoteka_session', 'kartoteka_session=', 'kartoteka_session="x"', 'kartoteka_session=%00', ';;;=;=='])
      assert.equal(await me(odd), 401, odd)
    assert.equal(await me(`${anna.cookie}; ${'x'.repeat(limits.header.most)}`), 431)
    assert.equal(await me('x'.repeat(limits.header.most + 1)), 401)
  })

  it('follow live events until they end', async () => {
    const anna = await open('anna')
    const stream = await openEvents(service, `?tables=${table.id}`, { token: null, headers: { Cookie: anna.cookie } })
    await stream.until(() => stream.comments > 0)
    const id = await service.make(table.type, {})
    await stream.until(() => stream.events.length > 0)
    assert.equal(stream.events[0]!.data.attributes.record_id, Number(id))
    assert.equal((await anna.send('DELETE', 'session')).status, 200)
    await service.make(table.type, {})
    await stream.until(() => stream.hasEnded)
    stream.close()
  })
})

describe('GET /api/dev/me', () => {
  it('shows the user, the groups and what may be administered', async () => {
    const service = await startService()
    const { id, token } = await person(service, 3, 'anna')
    const { json } = await service.get('me', token)
    const { token: own, ...attributes } = json.data.attributes
    assert.deepEqual(
      { ...json.data, attributes },
      {
        type: 'me',
        id,
        attributes: {
          fio: 'anna',
          e_mail: '',
          login: 'anna',
          group_id: 3,
          arc: 0,
          groups: [{ id: 3, group_name: 'Clients' }],
          administers: [],
          viewed_by: null,
        },
        links: { self: '/api/dev/me' },
      },
    )
    assert.deepEqual([own.user_id, own.scope, own.session, own.tables], [Number(id), 'write', false, null])
    const administered = ['category', 'table', 'field', 'group', 'access', 'user', 'invitation', 'trash', 'index']
    assert.deepEqual((await service.get('me')).json.data.attributes.administers, administered)
    const reading = await service.tokenOf(1, { scope: 'read' })
    assert.deepEqual((await service.get('me', reading)).json.data.attributes.administers, [])
    await service.close()
  })
})
