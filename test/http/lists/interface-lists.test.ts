import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { JSON_API, startService, type Service } from '../../support/service.ts'
import { body, idsOf, makeTable, refused, type Table } from '../../support/scene.ts'

/* docs/interface.md, chapter 7: endpoint 4. */

const TOTAL = 86

describe('the interface: lists of records', () => {
  let service: Service
  let table: Table
  let few: Table
  let even: string

  before(async () => {
    service = await startService()
    table = await makeTable(service, 'Many', { number: 'integer', even: 'boolean' })
    even = table.f['even']!
    few = await makeTable(service, 'Few', { name: 'text' })
    for (let i = 1; i <= TOTAL; i++) await service.make(table.type, { [table.f['number']!]: String(i), [even]: String((i + 1) % 2) })
    for (const name of ['a', 'b', 'c', 'd', 'e']) await service.make(few.type, { [few.f['name']!]: name })
  })
  after(() => service.close())

  const get = (query: string, of = table) => service.send('GET', `${of.path}${query}`, { headers: { 'Content-Type': JSON_API } })
  const link = (parameters: string, of = table) => `${service.url}${of.path}${parameters && `?${parameters}`}`
  const page = (limit: number, offset: number, of = table) => link(`page%5Blimit%5D=${limit}&page%5Boffset%5D=${offset}`, of)

  it('endpoint 4: GET answers 200 with the envelope of the contract', async () => {
    const answer = await get('?page[offset]=2&page[limit]=2', few)
    const record = (id: string, name: string) => ({
      type: few.type,
      id,
      attributes: { user_id: '1', add_time: '2024-05-01 09:30:15', status: '0', [few.f['name']!]: name },
      links: { self: `${few.path}/${id}` },
    })
    body(answer, 200, {
      data: [record('3', 'c'), record('4', 'd')],
      links: {
        self: page(2, 2, few),
        first: page(2, 0, few),
        prev: page(2, 0, few),
        next: page(2, 4, few),
        last: page(2, 4, few),
      },
      meta: { offset: 2, limit: '2', total: 5 },
      jsonapi: { version: '1.1' },
    })
    assert.equal(answer.headers.get('content-type'), JSON_API)
  })

  it('the last page of 86 by 2 is at 84, of 5 by 2 at 4', async () => {
    assert.equal((await get('?page[limit]=2')).json.links.last, page(2, 84))
    assert.equal((await get('?page[limit]=2', few)).json.links.last, page(2, 4, few))
  })

  for (const [total, limit, last] of [
    [86, 1, 85],
    [86, 43, 43],
    [86, 42, 84],
    [86, 50, 50],
    [5, 5, 0],
    [5, 4, 4],
    [5, 6, 0],
    [5, 1, 4],
  ] as const) {
    it(`the last page of ${total} by ${limit} is at ${last}: the largest multiple below the total`, async () => {
      const of = total === TOTAL ? table : few
      const { json } = await get(`?page[limit]=${limit}`, of)
      assert.equal(json.links.last, page(limit, last, of))
      const end = await service.send('GET', json.links.last.slice(service.url.length))
      assert.equal(end.json.data.length, total - last)
      assert.equal(end.json.links.next, undefined)
    })
  }

  it('self, next and last on the first page; next has the offset increased by the page size', async () => {
    const { json } = await get('')
    assert.deepEqual(json.links, { self: link(''), next: page(20, 20), last: page(20, 80) })
    assert.deepEqual((await get('?page[limit]=30')).json.links, {
      self: link('page%5Blimit%5D=30'),
      next: page(30, 30),
      last: page(30, 60),
    })
  })

  it('first and prev beside them in the middle', async () => {
    assert.deepEqual((await get('?page[limit]=30&page[offset]=30')).json.links, {
      self: page(30, 30),
      first: page(30, 0),
      prev: page(30, 0),
      next: page(30, 60),
      last: page(30, 60),
    })
  })

  it('no next on the last page, whether it is full or not', async () => {
    assert.deepEqual((await get('?page[limit]=30&page[offset]=60')).json.links, {
      self: page(30, 60),
      first: page(30, 0),
      prev: page(30, 30),
      last: page(30, 60),
    })
    assert.deepEqual((await get('?page[limit]=43&page[offset]=43')).json.links, {
      self: page(43, 43),
      first: page(43, 0),
      prev: page(43, 0),
      last: page(43, 43),
    })
  })

  it('prev does not begin before 0, and next is where this page ends, also off the grid', async () => {
    assert.deepEqual((await get('?page[limit]=30&page[offset]=7')).json.links, {
      self: page(30, 7),
      first: page(30, 0),
      prev: page(30, 0),
      next: page(30, 37),
      last: page(30, 60),
    })
  })

  it('a single page has self and last alone', async () => {
    assert.deepEqual((await get('', few)).json.links, { self: link('', few), last: page(20, 0, few) })
  })

  it('an empty list has last at 0', async () => {
    const { json } = await get(`?filter=eq(id,999)`)
    const filter = 'filter=eq%28id%2C999%29'
    assert.deepEqual(json, {
      data: [],
      links: { self: link(filter), last: link(`${filter}&page%5Blimit%5D=20&page%5Boffset%5D=0`) },
      meta: { offset: 0, limit: '20', total: 0 },
      jsonapi: { version: '1.1' },
    })
  })

  it('beyond the end: 200, no data, and prev leads back to where there is some', async () => {
    for (const [offset, prev] of [
      [TOTAL, TOTAL - 30],
      [100, 60],
      [5000, 60],
    ] as const) {
      const { status, json } = await get(`?page[limit]=30&page[offset]=${offset}`)
      assert.equal(status, 200)
      assert.deepEqual(json.data, [])
      assert.deepEqual(json.meta, { offset, limit: '30', total: TOTAL })
      assert.deepEqual(json.links, { self: page(30, offset), first: page(30, 0), prev: page(30, prev), last: page(30, 60) })
    }
  })

  it('the default offset is 0, the default size 20, the largest 50', async () => {
    for (const [query, offset, limit, count] of [
      ['', 0, '20', 20],
      ['?page[offset]=0', 0, '20', 20],
      ['?page[limit]=49', 0, '49', 49],
      ['?page[limit]=50', 0, '50', 50],
      ['?page[limit]=51', 0, '50', 50],
      ['?page[limit]=1&page[offset]=85', 85, '1', 1],
    ] as const) {
      const { json } = await get(query)
      assert.deepEqual([json.meta, json.data.length], [{ offset, limit, total: TOTAL }, count], query)
    }
  })

  it('page[offset] is the number of matching resources skipped', async () => {
    assert.deepEqual(idsOf(await get(`?filter=eq(${even},1)&page[offset]=3&page[limit]=2`)), ['8', '10'])
  })

  it('meta.total counts what the filter selects, whatever the page', async () => {
    for (const query of ['page[limit]=1', 'page[limit]=50', 'page[offset]=40&page[limit]=7', 'page[offset]=999'])
      assert.equal((await get(`?filter=eq(${even},1)&${query}`)).json.meta.total, TOTAL / 2, query)
  })

  it('without a filter all records are listed', async () => {
    const seen: string[] = []
    for (let next: string | undefined = `${table.path}?page[limit]=17`; next;) {
      const answer: Awaited<ReturnType<typeof get>> = await service.send('GET', next)
      seen.push(...idsOf(answer))
      next = answer.json.links.next?.slice(service.url.length)
    }
    assert.deepEqual(
      seen,
      Array.from({ length: TOTAL }, (_, i) => String(i + 1)),
    )
  })

  it('the same pages come backwards by prev, from the last', async () => {
    const seen: string[] = []
    let at: string | undefined = (await get('?page[limit]=17')).json.links.last
    while (at) {
      const answer: Awaited<ReturnType<typeof get>> = await service.send('GET', at.slice(service.url.length))
      seen.unshift(...idsOf(answer))
      at = answer.json.links.prev
    }
    assert.deepEqual(seen.length, TOTAL)
    assert.equal(new Set(seen).size, TOTAL)
  })

  it('links.self has the parameters of the request percent-encoded', async () => {
    const { json } = await get(`?page[limit]=1&filter=and(eq(${even},1), gt(id,'4'))`)
    assert.equal(json.links.self, link(`filter=and%28eq%28${even}%2C1%29%2C%20gt%28id%2C%274%27%29%29&page%5Blimit%5D=1`))
  })

  it('no other parameters are there', async () => {
    for (const name of ['offset', 'limit', 'page', 'page[pages]', 'page[offset][1]', 'q', 'filters'])
      refused(await get(`?${encodeURIComponent(name)}=1`), `400 parameter.unknown ${name}`)
  })
})
