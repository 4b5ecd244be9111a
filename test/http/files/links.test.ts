import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { operator } from '../../../src/store/catalogue/administrator.ts'
import { createRule } from '../../../src/store/structure/access-rules.ts'
import { startService, type Service } from '../../support/service.ts'

describe('links to files', () => {
  let service: Service
  let table: number
  let papers: string
  let record: string
  let path: string

  before(async () => {
    service = await startService({ linkLifetimeMax: 3_600 })
    const made = await service.table('Papers', { papers: 'file' })
    table = made.id
    papers = made.fields['papers']!
    record = await service.make(`data${table}`, {
      [papers]: [
        { file_name: 'Счёт 1.txt', content: 'a bill' },
        { file_name: 'b.txt', content: 'b' },
      ],
    })
    path = `/api/dev/file/${table}/${papers}/${record}/`
  })
  after(() => service.close())

  const file = `${encodeURIComponent('Счёт 1.txt')}`
  const link = async (token?: string, query = '') => {
    const answer = await service.send('POST', `${path}${file}/link${query}`, token ? { token } : {})
    assert.equal(answer.status, 200, answer.text)
    return answer.json as { links: { enclosure: string }; meta: { expires_at: string } }
  }
  const follow = (address: string, method = 'GET') => service.send(method, address, { token: null })
  const said = async (address: string, method = 'GET') => {
    const { status, text, json } = await follow(address, method)
    return `${status} ${json?.errors?.[0].code ?? text}`
  }
  const invalid = '401 auth.link_invalid'

  it('read the file without a token, until they expire', async () => {
    const { links, meta } = await link()
    assert.match(links.enclosure, /^\/api\/dev\/file\/[^?]*\?link=\d+\.\d+\.[\w-]{43}$/)
    assert.equal(meta.expires_at, '2024-05-01 09:35:15')
    assert.equal(await said(links.enclosure), '200 a bill')
    assert.equal(await said(links.enclosure.replace(`/${papers}/`, `/${papers.slice(1)}/`)), '200 a bill')
    assert.equal((await follow(links.enclosure, 'HEAD')).headers.get('content-length'), '6')
    service.clock.now += 299_000
    assert.equal(await said(links.enclosure), '200 a bill')
    service.clock.now += 1_000
    assert.equal(await said(links.enclosure), invalid)
  })

  it('have the lifetime that was asked for, up to what is allowed', async () => {
    const { links } = await link(undefined, '?lifetime=3600')
    service.clock.now += 3_599_000
    assert.equal(await said(links.enclosure), '200 a bill')
    for (const lifetime of ['0', '3601', 'x'])
      assert.equal((await service.send('POST', `${path}${file}/link?lifetime=${lifetime}`)).json.errors[0].code, 'parameter.invalid')
  })

  it('read nothing else, write nothing, and cannot be changed', async () => {
    const address = (await link()).links.enclosure
    const [, signed = ''] = address.split('?')
    const [, token = '', expires = '', signature = ''] = /link=(\d+)\.(\d+)\.(.*)$/.exec(signed)!
    assert.equal(await said(`${path}b.txt?${signed}`), invalid)
    assert.equal(await said(`${path.replace(/\/\d+\/$/, '/2/')}${file}?${signed}`), invalid)
    for (const [a, b, c] of [
      [Number(token) + 1, expires, signature],
      [token, Number(expires) + 1, signature],
      [token, expires, `${signature[0] === 'A' ? 'B' : 'A'}${signature.slice(1)}`],
      [token, expires, ''],
      ['', '', ''],
    ] as const)
      assert.equal(await said(`${path}${file}?link=${a}.${b}.${c}`), invalid)
    assert.equal(await said(`${path}${file}`), '401 auth.token_missing')
    assert.match(await said(`${path}${file}?${signed}`, 'PUT'), /^401 auth\.token_missing/)
    assert.match(await said(`${path}?${signed}`), /^401 auth\.token_missing/)
    assert.match(await said(`${path}${file}/link?${signed}`, 'POST'), /^401 auth\.token_missing/)
    assert.equal(await said(`${path}${file}?${signed}&${signed}`), '400 parameter.repeated')
  })

  it('end with the rights of whoever made them', async () => {
    const id = await createRule(service.store, operator, { groupId: 3, tableId: table, read: true } as never)
    const client = await service.tokenOf(3, { scope: 'read' })
    const made = (await link(client)).links.enclosure
    assert.equal(await said(made), '200 a bill')
    await service.change('access', String(id), { read_filter: 'eq(id,0)' })
    assert.equal(await said(made), '404 record.not_found')
    await service.change('access', String(id), { read_filter: '' })
    assert.equal(await said(made), '200 a bill')
    const [own] = (await service.get('token', client)).json.data
    const user = String(own.attributes.user_id)
    await service.change('user', user, { arc: 1 })
    assert.equal(await said(made), invalid)
    await service.change('user', user, { arc: 0 })
    const again = await service.tokenOf(3)
    const other = (await link(again)).links.enclosure
    assert.equal(await said(other), '200 a bill')
    await service.remove(`token/${(await service.get('token', again)).json.data[0].id}`, again)
    assert.equal(await said(other), invalid)
  })

  it('are not in the log', async () => {
    const { links } = await link()
    await follow(`${links.enclosure}x`)
    const [, secret = ''] = links.enclosure.split('?')
    assert.ok(service.logged.length > 0)
    assert.ok(!JSON.stringify(service.logged).includes(secret))
  })
})
