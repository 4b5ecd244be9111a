import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { JSON_API, startService, type Service } from '../../support/service.ts'
import { body, idsOf, makeTable, person, RIGHTS, type Table } from '../../support/scene.ts'

/* docs/interface.md, chapters 10 and 11: endpoints 6 and 7; paths and versions (chapters 1 and 3). */

const jsonapi = { version: '1.1' }

describe('the interface: tables and users', () => {
  let service: Service
  let deals: Table
  let manager: { id: string; token: string }

  before(async () => {
    service = await startService()
    deals = await makeTable(service, 'Deals', { title: 'text' })
    manager = await person(service, 2, 'mara')
    await person(service, 3, 'clem')
  })
  after(() => service.close())

  it('endpoint 6: GET answers 200 with the table and the twelve rights of the caller', async () => {
    const answer = await service.send('GET', `/api/dev/table/${deals.id}`, { headers: { 'Content-Type': JSON_API } })
    body(answer, 200, {
      data: {
        type: 'table',
        id: String(deals.id),
        attributes: {
          table_name: 'Deals',
          category_id: 0,
          category_sequence_number: 1,
          full_name: '',
          title_field_id: Number(deals.f['title']!.slice(1)),
        },
        links: { self: `/api/dev/table/${deals.id}` },
        meta: { access: Object.fromEntries(RIGHTS.map((right) => [right, true])) },
      },
      jsonapi,
    })
    assert.equal(answer.headers.get('content-type'), JSON_API)
  })

  it('meta.access tells each right for itself, in the order of the contract', async () => {
    const id = await service.make('access', { group_id: 2, table_id: deals.id })
    for (const right of RIGHTS) {
      await service.change('access', id, Object.fromEntries(RIGHTS.map((one) => [one, one === right])))
      const { json } = await service.get(`table/${deals.id}`, manager.token)
      assert.equal(JSON.stringify(json.data.meta.access), JSON.stringify(Object.fromEntries(RIGHTS.map((one) => [one, one === right]))))
    }
    await service.remove(`access/${id}`)
  })

  it('endpoint 7: GET answers 200 with the list of users', async () => {
    const answer = await service.send('GET', '/api/dev/user?page[limit]=2&filter=eq(group_id,2)', { headers: { 'Content-Type': JSON_API } })
    const query = 'filter=eq%28group_id%2C2%29&page%5Blimit%5D=2'
    body(answer, 200, {
      data: [
        {
          type: 'user',
          id: manager.id,
          attributes: { fio: 'mara', e_mail: '', login: 'mara', group_id: 2, arc: 0 },
          links: { self: `/api/dev/user/${manager.id}` },
        },
      ],
      links: { self: `${service.url}/api/dev/user?${query}`, last: `${service.url}/api/dev/user?${query}&page%5Boffset%5D=0` },
      meta: { offset: 0, limit: '2', total: 1 },
      jsonapi,
    })
    assert.equal(answer.headers.get('content-type'), JSON_API)
  })

  it('endpoint 7 pages as endpoint 4 does', async () => {
    const { json } = await service.get('user?page[limit]=1&page[offset]=1')
    assert.deepEqual(json.meta, { offset: 1, limit: '1', total: 3 })
    const at = (offset: number) => `${service.url}/api/dev/user?page%5Blimit%5D=1&page%5Boffset%5D=${offset}`
    assert.deepEqual(json.links, { self: at(1), first: at(0), prev: at(0), next: at(2), last: at(2) })
    assert.equal((await service.get('user')).json.meta.limit, '20')
    assert.equal((await service.get('user?page[limit]=51')).json.meta.limit, '50')
  })

  it('endpoint 7 takes the older form of filters, and sorts', async () => {
    assert.deepEqual(idsOf(await service.get('user?filter[group_id]=2')), [manager.id])
    assert.deepEqual(idsOf(await service.get('user?filter[id]=>1&sort=-group_id')), ['3', manager.id])
    assert.deepEqual(idsOf(await service.get('user?filter[group_id][]=1&filter[group_id][]=2&sort=-login')), [manager.id, '1'])
  })

  it('group 1 is that of administrators and 2 that of managers', async () => {
    assert.deepEqual(idsOf(await service.get('user?filter=eq(group_id,1)')), ['1'])
    assert.deepEqual(idsOf(await service.get("user?filter=eq(group_id,'2')")), [manager.id])
  })

  it('a link of a user leads to them', async () => {
    const [user] = (await service.get('user?filter=eq(group_id,2)')).json.data
    body(await service.send('GET', user.links.self), 200, { data: user, jsonapi })
  })

  it('every response carries jsonapi.version 1.1, errors too', async () => {
    for (const path of [
      'user',
      'user/999',
      `table/${deals.id}`,
      deals.type,
      'data999',
      'nothing',
      'hello/x',
      `${deals.type}?filter=x`,
      '',
    ]) {
      const { json } = await service.get(path)
      assert.deepEqual(json.jsonapi, jsonapi, path)
    }
  })

  it('every path has the segment /api/dev/', async () => {
    for (const path of [`/${deals.type}`, `/api/${deals.type}`, `/api/v1/${deals.type}`, '/user'])
      assert.equal((await service.send('GET', path)).status, 404, path)
  })
})
