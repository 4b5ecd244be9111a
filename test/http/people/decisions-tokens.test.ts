import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { sql } from '../../../src/sql/sql.ts'
import { startService, type Service } from '../../support/service.ts'
import { makeTable, person, refused, type Table } from '../../support/scene.ts'
import { until } from '../../support/until.ts'

/* Tokens and people (DECISIONS A4 and A5, and the rows after them). What ../structure/resources.test.ts pins already is not repeated. */

const HOUR = 3600
const failed = '401 auth.login_failed'

describe('tokens and passwords, as decided', () => {
  let service: Service
  let table: Table

  before(async () => {
    service = await startService({ tokenLifetimeMax: 48 * HOUR })
    table = await makeTable(service, 'Things', { name: 'text' })
    for (const group_id of [2, 3]) await service.make('access', { group_id, table_id: table.id, read: true, create: true })
  })
  after(() => service.close())

  const signIn = (login: string, password: string, wish: object = {}) => service.add('token', { login, password, ...wish }, null)
  const issue = async (login: string, wish: object = {}) => {
    const { status, text, json } = await signIn(login, `${login} ${login} ${login}`, wish)
    assert.equal(status, 201, text)
    return { id: json.data.id as string, ...(json.data.attributes as { token: string; expires_at: string }) }
  }
  const works = async (token: string) => (await service.get(table.type, token)).status === 200

  it('the answer to the authorization procedure is the token, once, with expires_at', async () => {
    await person(service, 3, 'anna')
    const answer = await signIn('anna', 'anna anna anna', { name: 'script', lifetime: 60 })
    assert.equal(answer.status, 201)
    const { id, attributes } = answer.json.data
    assert.match(attributes.token, /^[A-Za-z0-9]{48}$/)
    assert.deepEqual(answer.json, {
      data: {
        type: 'token',
        id,
        attributes: {
          token: attributes.token,
          name: 'script',
          user_id: attributes.user_id,
          scope: 'write',
          tables: null,
          created: '2024-05-01 09:30:15',
          expires_at: '2024-05-01 09:31:15',
          last_used: '0000-00-00 00:00:00',
          session: false,
        },
        links: { self: `/api/dev/token/${id}` },
      },
      jsonapi: { version: '1.1' },
    })
    for (const path of [`token/${id}`, 'token', 'audit', 'user']) {
      assert.ok(!(await service.get(path, attributes.token)).text.includes(attributes.token), path)
      assert.ok(!(await service.get(path)).text.includes(attributes.token), path)
    }
  })

  it('tokens are kept as hashes, passwords as argon2id', async () => {
    await person(service, 3, 'hash')
    const { token } = await issue('hash')
    const [tokens, users] = await service.store.db.read(
      sql`SELECT * FROM tokens`,
      sql`SELECT password_hash FROM users WHERE login = 'hash'`,
    )
    assert.ok(!JSON.stringify(tokens, (_, value) => (typeof value === 'bigint' ? String(value) : value)).includes(token))
    assert.match(String(users![0]![0]), /^\$argon2id\$/)
  })

  it('a token lives 12 hours unless a lifetime is asked for, and no longer than the administrator allows', async () => {
    await person(service, 3, 'vera')
    assert.equal((await issue('vera')).expires_at, '2024-05-01 21:30:15')
    assert.equal((await issue('vera', { lifetime: 48 * HOUR })).expires_at, '2024-05-03 09:30:15')
    for (const lifetime of [0, -1, 48 * HOUR + 1, 1.5, '60'])
      refused(await signIn('vera', 'vera vera vera', { lifetime }), '422 field.invalid_value /data/attributes/lifetime')
  })

  it('an expired token is 401 from its last second on, and cannot be renewed', async () => {
    await person(service, 3, 'ivan')
    const { id, token } = await issue('ivan', { lifetime: 60 })
    const start = service.clock.now
    service.clock.now = start + 59_999
    assert.ok(await works(token))
    service.clock.now = start + 60_000
    refused(await service.get(table.type, token), '401 auth.token_invalid X-Auth-Token')
    refused(await service.change('token', id, { lifetime: 60 }, token), '401 auth.token_invalid X-Auth-Token')
    service.clock.now = start
  })

  it('PATCH with a new lifetime renews a token that is valid, from now on', async () => {
    await person(service, 3, 'rita')
    const { id, token } = await issue('rita', { lifetime: 60 })
    const start = service.clock.now
    service.clock.now = start + 30_000
    assert.equal((await service.change('token', id, { lifetime: 3600 }, token)).json.data.attributes.expires_at, '2024-05-01 10:30:45')
    service.clock.now = start + 3_000_000
    assert.ok(await works(token))
    refused(await service.change('token', id, { lifetime: 49 * HOUR }, token), '422 field.invalid_value /data/attributes/lifetime')
    service.clock.now = start
  })

  it('GET lists one’s own tokens, and DELETE revokes at once; those of others do not exist', async () => {
    await person(service, 3, 'olga')
    await person(service, 2, 'otto')
    const [first, second] = [await issue('olga', { name: 'one' }), await issue('olga', { name: 'two' })]
    const { token: other } = await issue('otto')
    const { json } = await service.get("token?filter=in(name,'one','two')&sort=name", first.token)
    assert.deepEqual(
      json.data.map(({ id }: { id: string }) => id),
      [first.id, second.id],
    )
    assert.equal((await service.get("token?filter=in(name,'one','two')", other)).json.meta.total, 0)
    refused(await service.get(`token/${first.id}`, other), '404 resource.not_found')
    refused(await service.remove(`token/${first.id}`, other), '404 resource.not_found')
    refused(await service.change('token', first.id, { lifetime: 60 }, other), '404 resource.not_found')
    assert.equal((await service.remove(`token/${second.id}`, first.token)).status, 200)
    assert.deepEqual([await works(first.token), await works(second.token)], [true, false])
  })

  it('administrators see and revoke the tokens of all, and renew only their own; each of it is in the audit log', async () => {
    const user = await person(service, 3, 'oleg')
    const { id, token } = await issue('oleg', { name: 'phone' })
    const found = "filter=eq(name,'phone')"
    assert.equal((await service.get(`token?${found}`)).json.meta.total, 0)
    assert.equal((await service.get(`token?ofAll=true&${found}`, token)).json.meta.total, 1)
    const { json } = await service.get(`token?ofAll=true&${found}`)
    assert.deepEqual(
      json.data.map((one: { id: string; attributes: { user_id: number } }) => [one.id, one.attributes.user_id]),
      [[id, Number(user.id)]],
    )
    const [reading, limited] = [await service.tokenOf(1, { scope: 'read' }), await service.tokenOf(1, { tables: [table.id] })]
    refused(await service.remove(`token/${id}`, reading), '403 access.denied')
    refused(await service.remove(`token/${id}`, limited), '404 resource.not_found')
    refused(await service.change('token', id, { lifetime: 60 }), '404 resource.not_found')
    assert.equal(await works(token), true)
    assert.equal((await service.remove(`token/${id}`)).status, 200)
    assert.equal(await works(token), false)
    const [entry] = (await service.get(`audit?filter=eq(subject,'token ${id}')&sort=-id`)).json.data
    assert.deepEqual([entry.attributes.action, entry.attributes.detail], ['token_revoked', `user ${user.id}`])
  })

  it('Authorization: Bearer works too', async () => {
    const headers = { Authorization: `Bearer ${service.token}` }
    assert.equal((await service.send('GET', table.path, { token: null, headers })).status, 200)
  })

  it('where both headers are sent, X-Auth-Token is the one that is read', async () => {
    const wrong = 'x'.repeat(48)
    const both = (token: string, bearer: string) =>
      service.send('GET', table.path, { token, headers: { Authorization: `Bearer ${bearer}` } })
    assert.equal((await both(service.token, wrong)).status, 200)
    refused(await both(wrong, service.token), '401 auth.token_invalid X-Auth-Token')
  })

  it('last_used is noted', async () => {
    await person(service, 3, 'lena')
    const { id, token } = await issue('lena')
    await works(token)
    service.clock.now += 61_000
    await works(token)
    const used = async () => (await service.get(`token/${id}`, token)).json.data.attributes.last_used as string
    // Noted beside the request, which does not wait for it.
    await until('the last use', async () => (await used()) === '2024-05-01 09:31:16')
    service.clock.now -= 61_000
  })

  it('a token of scope read reads and writes nothing, but ends and renews itself', async () => {
    await person(service, 3, 'nina')
    const { id, token } = await issue('nina', { scope: 'read' })
    assert.ok(await works(token))
    const add = await service.add(table.type, {}, token)
    refused(add, '403 access.denied')
    // The refusal says that it is the token; whether the group may do it does not show.
    assert.equal(add.json.errors[0].detail, `You may not create in table ${table.id} with a token that may only read.`)
    const remove = await service.remove(`${table.type}/1`, token)
    assert.equal(remove.json.errors[0].detail, `You may not delete in table ${table.id} with a token that may only read.`)
    refused(await service.change('user', '99', { fio: 'x' }, token), '404 resource.not_found')
    assert.equal((await service.change('token', id, { lifetime: 60 }, token)).status, 200)
    assert.equal((await service.remove(`token/${id}`, token)).status, 200)
    assert.ok(!(await works(token)))
  })

  it('a token limited to tables sees those alone, and an administrator’s does no administration', async () => {
    const other = await makeTable(service, 'Other', { name: 'text' })
    const { json } = await service.add('token', { ...service.first, tables: [table.id] }, null)
    const { token } = json.data.attributes
    assert.ok(await works(token))
    assert.equal((await service.get(other.type, token)).status, 404)
    assert.deepEqual((await service.get('table', token)).json.meta.total, 1)
    for (const answer of [
      await service.add('table', { table_name: 'X' }, token),
      await service.add('field', { table_id: table.id, field_name: 'X', field_type: 'text' }, token),
      await service.add('user', { login: 'x' }, token),
      await service.add('access', { group_id: 3, table_id: table.id }, token),
      await service.add('invitation', { user_id: 1 }, token),
    ])
      refused(answer, '403 access.denied')
    refused(
      await signIn(service.first.login, service.first.password, { tables: [9999] }),
      '422 field.invalid_value /data/attributes/tables',
    )
  })

  it('a failed sign-in says the same whatever was wrong', async () => {
    await person(service, 3, 'egor')
    await service.make('user', { login: 'nopassword', group_id: 3 })
    const { id } = await person(service, 3, 'archived')
    await service.remove(`user/${id}`)
    const answers = []
    for (const [login, password] of [
      ['egor', 'wrong'],
      ['nobody', 'wrong'],
      ['nopassword', ''],
      ['nopassword', 'x'],
      ['archived', 'archived archived archived'],
      ['egor', 'x'.repeat(5000)],
    ] as const) {
      const answer = await signIn(login, password || ' ')
      refused(answer, failed)
      answers.push(JSON.stringify({ ...answer.json.errors[0], id: '' }) + answer.headers.get('www-authenticate'))
    }
    assert.equal(new Set(answers).size, 1)
  })

  it('the login counts in any case, the password as it is', async () => {
    await person(service, 3, 'Ёлена')
    assert.equal((await signIn('ЕЛЕНА', 'Ёлена Ёлена Ёлена')).status, 201)
    refused(await signIn('Ёлена', 'ёлена ёлена ёлена'), failed)
  })

  it('a password has at least 8 characters', async () => {
    for (const password of ['1234567', '', '𝄞𝄞𝄞𝄞𝄞𝄞𝄞'])
      refused(
        await service.add('user', { login: `short${password.length}`, password }),
        '422 field.invalid_value /data/attributes/password',
      )
    assert.equal((await service.add('user', { login: 'eight', password: '12345678' })).status, 201)
  })

  it('a changed password counts from the next request: tokens got by the old one end, but the one it was changed with', async () => {
    const { id } = await person(service, 3, 'kira')
    const [mine, other] = [await issue('kira'), await issue('kira')]
    const password = 'another password'
    refused(await service.change('user', id, { password }, mine.token), '422 user.wrong_password /data/attributes/old_password')
    refused(
      await service.change('user', id, { password, old_password: 'wrong' }, mine.token),
      '422 user.wrong_password /data/attributes/old_password',
    )
    assert.equal((await service.change('user', id, { password, old_password: 'kira kira kira' }, mine.token)).status, 200)
    assert.deepEqual([await works(mine.token), await works(other.token)], [true, false])
    refused(await signIn('kira', 'kira kira kira'), failed)
    assert.equal((await signIn('kira', password)).status, 201)
    assert.equal((await service.change('user', id, { password: 'by administrator' })).status, 200)
    assert.ok(!(await works(mine.token)), 'reset by an administrator, none is left')
  })

  it('archiving a user counts from the next request, and coming back gives no old token back', async () => {
    const { id, token } = await person(service, 3, 'zina')
    assert.ok(await works(token))
    assert.equal((await service.change('user', id, { arc: 1 })).json.data.attributes.arc, 1)
    refused(await service.get(table.type, token), '401 auth.token_invalid X-Auth-Token')
    refused(await signIn('zina', 'zina zina zina'), failed)
    await service.change('user', id, { arc: 0 })
    assert.ok(!(await works(token)))
    assert.ok(await works((await issue('zina')).token))
  })

  it('moving to another group counts from the next request', async () => {
    const group = Number(await service.make('group', { group_name: 'Guests' }))
    const { id, token } = await person(service, 3, 'yana')
    assert.ok(await works(token))
    await service.change('user', id, { group_id: group })
    assert.equal((await service.get(table.type, token)).status, 404)
    const rule = await service.make('access', { group_id: group, table_id: table.id, read: true })
    assert.ok(await works(token))
    await service.change('access', rule, { read: false, print: true })
    assert.equal((await service.get(table.type, token)).status, 403)
    await service.remove(`access/${rule}`)
    assert.equal((await service.get(table.type, token)).status, 404)
  })

  it('ten failures of an account are free, then each doubles the wait, up to a minute', async () => {
    const own = await startService()
    await person(own, 3, 'eve')
    const attempt = async (password: string) => own.add('token', { login: 'EVE', password }, null)
    for (let i = 0; i < 10; i++) refused(await attempt('wrong'), failed)
    for (const seconds of [1, 2, 4, 8]) {
      const answer = await attempt('eve eve eve')
      refused(answer, '429 auth.too_many_attempts')
      assert.equal(answer.headers.get('retry-after'), String(seconds))
      own.clock.now += seconds * 1000
      refused(await attempt('wrong'), failed)
    }
    own.clock.now += 60_000
    assert.equal((await attempt('eve eve eve')).status, 201)
    refused(await attempt('wrong'), failed)
    assert.equal((await attempt('eve eve eve')).status, 201, 'a success forgets the failures')
    await own.close()
  })

  it('thirty failures from one address are free, whatever the accounts', async () => {
    const own = await startService()
    for (let i = 0; i < 30; i++) refused(await own.add('token', { login: `guess${i}`, password: 'wrong' }, null), failed)
    refused(await own.add('token', { login: 'another', password: 'wrong' }, null), '429 auth.too_many_attempts')
    await own.close()
  })

  it('the first start makes an administrator with a password nobody knows, and users are made by administrators', async () => {
    assert.ok(service.first.password.length >= 20)
    for (const password of ['admin', 'password', '', service.first.login])
      refused(await signIn(service.first.login, password || ' '), failed)
    assert.deepEqual((await service.get('user/1')).json.data.attributes, {
      fio: 'Administrator',
      e_mail: '',
      login: service.first.login,
      group_id: 1,
      arc: 0,
    })
    refused(await service.add('user', { login: 'me', password: 'me me me me', group_id: 1 }, null), '401 auth.token_missing X-Auth-Token')
  })

  it('sign-ins, failed ones too, and administrative acts are in the audit log', async () => {
    const { id } = await person(service, 3, 'logged')
    await signIn('logged', 'wrong')
    await service.change('user', id, { group_id: 2 })
    const group = await service.make('group', { group_name: 'Audited' })
    await service.remove(`group/${group}`)
    const { json } = await service.get('audit?sort=-id&page[limit]=7')
    const acts = json.data.map(({ attributes }: { attributes: { action: string } }) => attributes.action).reverse()
    assert.deepEqual(acts.slice(-6), ['user_created', 'signed_in', 'sign_in_failed', 'user_changed', 'group_created', 'group_deleted'])
  })
})
