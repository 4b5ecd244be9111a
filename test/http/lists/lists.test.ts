import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { createFilter } from '../../../src/store/people/saved-filters.ts'
import { operator } from '../../../src/store/catalogue/administrator.ts'
import { startService, type Service } from '../../support/service.ts'
import { longFilter } from '../../support/long-filter.ts'

describe('lists over HTTP', () => {
  let service: Service
  let path: string
  let type: string
  let name: string
  let size: string

  before(async () => {
    service = await startService()
    const table = await service.table('Words', { name: 'text', size: 'integer' })
    type = `data${table.id}`
    path = `/api/dev/${type}`
    name = table.fields['name']!
    size = table.fields['size']!
    for (const [i, word] of ['a+b', 'a b', 'Ёлка', 'елка', "O'Hara"].entries()) {
      await service.send('POST', path, { body: { data: { type, attributes: { [name]: word, [size]: String(i % 2) } } } })
    }
  })
  after(() => service.close())

  const get = async (query = '') => service.send('GET', path + query)
  const ids = async (query: string): Promise<string[]> => (await get(query)).json.data.map(({ id }: { id: string }) => id)

  it('answers the envelope of the contract', async () => {
    const { status, json } = await get('?page[limit]=2')
    assert.equal(status, 200)
    assert.deepEqual(Object.keys(json), ['data', 'links', 'meta', 'jsonapi'])
    assert.deepEqual(json.meta, { offset: 0, limit: '2', total: 5 })
    assert.deepEqual(json.jsonapi, { version: '1.1' })
    assert.deepEqual(json.data[0], (await service.send('GET', `${path}/1`)).json.data)
    assert.deepEqual(json.links, {
      self: `${service.url}${path}?page%5Blimit%5D=2`,
      next: `${service.url}${path}?page%5Blimit%5D=2&page%5Boffset%5D=2`,
      last: `${service.url}${path}?page%5Blimit%5D=2&page%5Boffset%5D=4`,
    })
  })

  it('links first and prev from the second page on, and next only while something follows', async () => {
    const links = async (query: string) => {
      const { json } = await get(query)
      return Object.fromEntries(
        Object.entries<string>(json.links).map(([key, link]) => [key, new URL(link).searchParams.get('page[offset]')]),
      )
    }
    assert.deepEqual(await links('?page[limit]=2&page[offset]=2'), { self: '2', first: '0', prev: '0', next: '4', last: '4' })
    assert.deepEqual(await links('?page[limit]=2&page[offset]=1'), { self: '1', first: '0', prev: '0', next: '3', last: '4' })
    assert.deepEqual(await links('?page[limit]=2&page[offset]=4'), { self: '4', first: '0', prev: '2', last: '4' })
    assert.deepEqual(await links('?page[limit]=5'), { self: null, last: '0' })
    assert.deepEqual(await links('?page[offset]=700'), { self: '700', first: '0', prev: '0', last: '0' })
    assert.deepEqual(await links(`?filter=eq(${name},'nobody')`), { self: null, last: '0' })
  })

  it('follows its own links through the whole set', async () => {
    const seen: string[] = []
    let next: string | undefined = `${service.url}${path}?page[limit]=2&filter=${encodeURIComponent(`nin(${name},'x+y & z')`)}`
    while (next) {
      const { json } = await service.send('GET', next.slice(service.url.length))
      assert.equal(json.links.self.replace(/\?.*/, ''), service.url + path)
      seen.push(...json.data.map(({ id }: { id: string }) => id))
      next = json.links.next
    }
    assert.deepEqual(seen, ['1', '2', '3', '4', '5'])
  })

  it('encodes every byte of a link but letters, digits and - . _ ~', async () => {
    const { json } = await get(`?page[limit]=1&filter=${encodeURIComponent(`in(${name},'a b*~!','Ё')`)}`)
    assert.equal(json.links.self, `${service.url}${path}?filter=in%28${name}%2C%27a%20b%2A~%21%27%2C%27%D0%81%27%29&page%5Blimit%5D=1`)
  })

  it('clamps the page size to 50 and says so in meta and links', async () => {
    for (const limit of ['51', '1000', '99999999999999999999']) {
      const { json } = await get(`?page[limit]=${limit}`)
      assert.equal(json.meta.limit, '50')
      assert.equal(json.links.self, `${service.url}${path}?page%5Blimit%5D=50`)
    }
    assert.equal((await get()).json.meta.limit, '20')
  })

  it('gives an empty page beyond the end', async () => {
    for (const offset of ['5', '1000', '99999999999999999999']) {
      const { status, json } = await get(`?page[offset]=${offset}`)
      assert.equal(status, 200)
      assert.deepEqual(json.data, [])
      assert.equal(json.meta.total, 5)
      assert.equal(typeof json.meta.offset, 'number')
    }
  })

  it('refuses parameters it does not know, that are there twice, or that are ill-formed', async () => {
    for (const [query, parameter, code] of [
      ['page[limit]=0', 'page[limit]', 'parameter.invalid'],
      ['page[limit]=00', 'page[limit]', 'parameter.invalid'],
      ['page[limit]=-1', 'page[limit]', 'parameter.invalid'],
      ['page[limit]=', 'page[limit]', 'parameter.invalid'],
      ['page[limit]', 'page[limit]', 'parameter.invalid'],
      ['page[limit]=2.5', 'page[limit]', 'parameter.invalid'],
      ['page[limit]=%D9%A3', 'page[limit]', 'parameter.invalid'],
      ['page[offset]=-1', 'page[offset]', 'parameter.invalid'],
      ['page[offset]=1e3', 'page[offset]', 'parameter.invalid'],
      ['page[offset]=', 'page[offset]', 'parameter.invalid'],
      ['page[page]=1', 'page[page]', 'parameter.unknown'],
      ['page=1', 'page', 'parameter.unknown'],
      ['limit=1', 'limit', 'parameter.unknown'],
      ['Filter=x', 'Filter', 'parameter.unknown'],
      ['__proto__=1', '__proto__', 'parameter.unknown'],
      ['=1', '', 'parameter.unknown'],
      ['include=x', 'include', 'parameter.invalid'],
      ['page[limit]=1&page%5Blimit%5D=1', 'page[limit]', 'parameter.repeated'],
      ['filter=&filter=', 'filter', 'parameter.repeated'],
      ['sort=id&sort=id', 'sort', 'parameter.repeated'],
      ['sort=f999', 'sort', 'sort.unknown_attribute'],
      ['filter=%ZZ', 'filter', 'parameter.malformed'],
      ['filter=%C3%28', 'filter', 'parameter.malformed'],
      ['filter=nonsense', 'filter', 'filter.syntax'],
      [`filter[${name}]=x&filter=eq(id,1)`, 'filter', 'parameter.invalid'],
      ['filter[x', 'filter[x', 'filter.malformed_parameter'],
    ] as const) {
      const { status, json } = await get(`?${query}`)
      assert.equal(status, 400, query)
      assert.deepEqual([json.errors[0].source.parameter, json.errors[0].code], [parameter, code], query)
      // It says which there are.
      if (code === 'parameter.unknown') assert.match(json.errors[0].detail, / here\. Known: .*page\[limit\].*fields\[…\]/)
    }
  })

  it('takes bare brackets, a bare question mark, a trailing slash and empty pieces', async () => {
    for (const address of [
      `${path}?`,
      `${path}/`,
      `${path}/?`,
      `${path}?&&`,
      `${path}?filter=`,
      `${path}?sort=`,
      `${path}?page%5Boffset%5D=0`,
    ]) {
      const { status, json } = await service.send('GET', address)
      assert.equal(status, 200, address)
      assert.equal(json.meta.total, 5)
      assert.ok(json.links.self.startsWith(service.url + path))
      assert.ok(!json.links.self.includes(`${path}/`))
    }
  })

  it('decodes a filter exactly once: + is a blank, %2B is a plus', async () => {
    assert.deepEqual(await ids(`?filter=eq(${name},'a+b')`), ['2'])
    assert.deepEqual(await ids(`?filter=eq(${name},'a%2Bb')`), ['1'])
    assert.deepEqual(await ids(`?filter=eq(${name},'a%252Bb')`), [])
  })

  it('filters in the older form too', async () => {
    assert.deepEqual(await ids(`?filter[${size}]=1`), ['2', '4'])
    assert.deepEqual(await ids(`?filter[id]=>=2&filter[id]=<4`), ['2', '3'])
    assert.deepEqual(await ids('?filter[id][]=1&filter[id][]=5'), ['1', '5'])
  })

  it('sorts, with id as the last key', async () => {
    assert.deepEqual(await ids(`?sort=-${size}`), ['2', '4', '1', '3', '5'])
    assert.deepEqual(await ids(`?sort=${name}`), ['2', '1', '5', '3', '4'])
  })

  it('shows only the fields asked for', async () => {
    const { json } = await get(`?page[limit]=1&fields[${type}]=${size}`)
    assert.deepEqual(json.data[0].attributes, { [size]: '0' })
  })

  it('applies saved filters', async () => {
    const id = await createFilter(service.store, operator, { tableId: Number(type.slice(4)), title: 'Ones', expression: `eq(${size},1)` })
    assert.deepEqual(await ids(`?filter=use_filter(${id})`), ['2', '4'])
  })

  it('takes a filter of 8,192 characters of any script in an address, and longer ones by POST', async () => {
    const filter = (length: number) => longFilter(length, name, '𝄞')
    assert.equal((await get(`?filter=${encodeURIComponent(filter(8_192))}`)).status, 200)
    const tooLong = await get(`?filter=${encodeURIComponent(filter(8_193))}`)
    assert.deepEqual([tooLong.status, tooLong.json.errors[0].code], [400, 'filter.too_long'])
    const posted = await service.send('POST', `${path}/search?page[limit]=1`, {
      body: { meta: { filter: `or(eq(${size},1),${filter(100_000)})` } },
    })
    assert.equal(posted.status, 200)
    assert.deepEqual(posted.json.meta, { offset: 0, limit: '1', total: 2 })
    assert.equal(posted.json.links.next, `${service.url}${path}/search?page%5Blimit%5D=1&page%5Boffset%5D=1`)
  })

  it('points at the body when a posted filter is wrong', async () => {
    for (const [body, status, pointer] of [
      [{ meta: { filter: 'eq(f1' } }, 400, '/meta/filter'],
      [{ meta: { filter: 'eq(f999,1)' } }, 400, '/meta/filter'],
      [{ meta: { filter: 7 } }, 400, '/meta/filter'],
      [{ meta: [] }, 400, '/meta'],
      [{}, 400, '/meta'],
    ] as const) {
      const refused = await service.send('POST', `${path}/search`, { body })
      assert.deepEqual([refused.status, refused.json.errors[0].source.pointer], [status, pointer], JSON.stringify(body))
    }
    assert.equal((await service.send('POST', `${path}/search`, { body: { meta: {} } })).json.meta.total, 5)
  })
})
