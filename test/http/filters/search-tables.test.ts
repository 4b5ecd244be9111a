import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { limits } from '../../../src/limits.ts'
import { searchTables } from '../../../src/store/records/search-tables.ts'
import { operator } from '../../../src/store/catalogue/administrator.ts'
import { startService, type Service } from '../../support/service.ts'
import { idsOf, makeTable, person, refused, type Table } from '../../support/scene.ts'

/* DECISIONS Q15. */

describe('GET /api/dev/search', () => {
  let service: Service
  let people: Table
  let firms: Table
  let empty: Table
  before(async () => {
    service = await startService()
    people = await makeTable(service, 'People', { name: 'text', phone: 'phone', notes: 'longtext' })
    empty = await makeTable(service, 'Empty', { number: 'integer' })
    firms = await makeTable(service, 'Firms', {
      code: 'integer',
      name: 'text',
      kind: { field_type: 'list', options: ['Porto wine', 'Cork'] },
    })
    for (let i = 1; i <= 7; i++)
      await service.make(people.type, { [people.f['name']!]: `Anna Porto ${i}`, [people.f['phone']!]: `+351 ${i}` })
    await service.make(firms.type, { [firms.f['name']!]: 'Ribeira', [firms.f['kind']!]: 'Porto wine', [firms.f['code']!]: '351' })
    await service.make(people.type, { [people.f['name']!]: 'Long', [people.f['notes']!]: `${'word '.repeat(190_000)}needle` })
  })
  after(() => service.close())

  const search = (text: string, token?: string, more = '') => service.get(`search?text=${encodeURIComponent(text)}${more}`, token)
  interface Result {
    readonly id: string
    readonly attributes: { readonly total: number; readonly complete: boolean; readonly hits: readonly Record<string, string>[] }
  }
  const results = async (text: string, token?: string, more?: string) => {
    const { status, json, text: answer } = await search(text, token, more)
    assert.equal(status, 200, answer)
    return (json.data as Result[]).map(({ id, attributes: { total, hits } }) => [
      Number(id),
      total,
      hits.map((hit) => hit['attribute']).join(),
    ])
  }

  it('shows of each table five hits, with title and attribute, and the total', async () => {
    const { json } = await search('porto')
    const hit = (i: number) => ({ type: people.type, id: String(i), title: `Anna Porto ${i}`, attribute: people.f['name'] })
    assert.deepEqual(json.data, [
      {
        type: 'search_result',
        id: String(people.id),
        attributes: { table_id: people.id, table_name: 'People', total: 7, complete: true, hits: [1, 2, 3, 4, 5].map(hit) },
        links: { related: `/api/dev/${people.type}?filter=search%28%27porto%27%29` },
      },
      {
        type: 'search_result',
        id: String(firms.id),
        attributes: {
          table_id: firms.id,
          table_name: 'Firms',
          total: 1,
          complete: true,
          hits: [{ type: firms.type, id: '1', title: 'Ribeira', attribute: firms.f['kind'] }],
        },
        links: { related: `/api/dev/${firms.type}?filter=search%28%27porto%27%29` },
      },
    ])
    assert.deepEqual(json.meta, { offset: 0, limit: '20', total: 3 })
    const linked = await service.send('GET', json.data[0].links.related)
    assert.equal(idsOf(linked).length, 7)
    assert.deepEqual(await results('nobody'), [])
  })

  it('names the attribute that matched, also of a value too long to be shown, fields before the others', async () => {
    const { name, phone, notes } = people.f
    assert.deepEqual(await results('+351-7'), [[people.id, 1, phone]])
    assert.deepEqual(await results('3 anna'), [[people.id, 7, Array(5).fill(name).join()]])
    assert.deepEqual(await results('needle'), [[people.id, 1, notes]])
    assert.deepEqual(await results("0 o'"), [])
    assert.deepEqual((await results('0 porto'))[1], [firms.id, 1, firms.f['kind']])
    assert.deepEqual((await results('20'))[0]!.slice(0, 2), [people.id, 8])
    assert.equal((await results('20'))[1]![2], 'add_time')
  })

  it('pages through tables', async () => {
    assert.deepEqual(await results('porto', undefined, '&page[limit]=1'), [[people.id, 7, Array(5).fill(people.f['name']).join()]])
    const { json } = await search('porto', undefined, '&page[limit]=1&page[offset]=1')
    assert.deepEqual([json.data, json.meta.total, json.meta.limit], [[], 3, '1'])
    const next = await service.send('GET', json.links.next.slice(service.url.length))
    assert.deepEqual(
      next.json.data.map(({ id }: Result) => id),
      [String(firms.id)],
    )
    assert.equal(next.json.links.next, undefined)
  })

  it('shows nothing of what the caller may not read: tables, records, fields, and to whom a token is limited', async () => {
    const { token } = await person(service, 3, 'clerk')
    const nothing = await search('porto', token)
    assert.deepEqual([nothing.json.data, nothing.json.meta.total], [[], 0])
    refused(await search('', token), '400 filter.invalid_value text')
    const kind = firms.f['kind']!.slice(1)
    const rule = await service.make('access', { group_id: 3, table_id: firms.id, read: true, fields: { [kind]: 'hidden' } })
    assert.deepEqual(await results('porto', token), [])
    assert.deepEqual(await results('ribe', token), [[firms.id, 1, firms.f['name']]])
    await service.change('access', rule, { fields: { [firms.f['name']!.slice(1)]: 'hidden' } })
    const { json } = await search('porto', token)
    assert.equal(json.data[0].attributes.hits[0].title, '')
    await service.change('access', rule, { fields: {}, read_filter: 'eq(id,99)' })
    assert.deepEqual(await results('porto', token), [])
    await service.remove(`access/${rule}`)
    const limited = await service.tokenOf(1, { tables: [firms.id] })
    const found = await search('porto', limited)
    assert.deepEqual([found.json.data.map(({ id }: Result) => id), found.json.meta.total], [[String(firms.id)], 1])
    assert.ok(!found.text.includes('People'))
  })

  it('says what is wrong with a request', async () => {
    refused(await service.get('search'), '400 parameter.missing text')
    refused(await search(''), '400 filter.invalid_value text')
    refused(await search('. ?'), '400 filter.invalid_value text')
    refused(await search('x', undefined, '&filter=eq(id,1)'), '400 parameter.unknown filter')
    refused(await service.get('search?text=a', null), '401 auth.token_missing X-Auth-Token')
  })

  it('looks through no more tables when its time is over, and says so', async () => {
    const call = { is: 'call', name: 'search', args: [{ is: 'literal', text: 'porto', quoted: true, at: 0 }], at: 0 } as const
    const ids = [people.id, empty.id, firms.id]
    const totals = (found: Awaited<ReturnType<typeof searchTables>>) => found.map(({ table, total }) => [table.id, total])
    assert.deepEqual(totals(await searchTables(service.store, operator, ids, call, limits.searchTime.most)), [
      [people.id, 7],
      [firms.id, 1],
    ])
    assert.deepEqual(
      totals(await searchTables(service.store, operator, ids, call, 0)),
      ids.map((id) => [id, undefined]),
    )
  })
})
