import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { limits } from '../../../src/limits.ts'
import { randomOf } from '../../support/random.ts'
import { seed } from '../../support/seed.ts'
import { errorsOf, startService, type Service } from '../../support/service.ts'

/* Pages by cursors (JSON:API profile "Cursor Pagination") and by numbers, of every list. */

interface Page {
  readonly data: readonly {
    readonly id: string
    readonly attributes: Record<string, string>
    readonly meta: { page: { cursor: string } }
  }[]
  readonly links: Readonly<Record<'self' | 'first' | 'last' | 'prev' | 'next', string | null>>
  readonly meta: { readonly page: { readonly rangeTruncated?: boolean } }
}

let service: Service
let type: string
let other: string
const f: Record<string, string> = {}
const RECORDS = 60
const random = randomOf(seed)
const long = 'long '.repeat(80)

const get = async (url: string): Promise<Page> => {
  const { status, json, text } = await service.send('GET', url.startsWith('http') ? url.slice(service.url.length) : `/api/dev/${url}`)
  assert.equal(status, 200, text)
  return json
}
const labels = (...all: string[]) => all.map((label) => ({ label }))
const idsOf = ({ data }: Pick<Page, 'data'>): string[] => data.map(({ id }) => id)
const withQuery = (path: string, query: string): string => path + (path.includes('?') ? '&' : '?') + query

/** All ids, a page of offsets after the other. */
async function plain(path: string): Promise<string[]> {
  const ids: string[] = []
  for (let offset = 0; ; offset += 50) {
    const { json } = await service.get(withQuery(path, `page[limit]=50&page[offset]=${offset}`))
    ids.push(...idsOf(json))
    if (ids.length >= json.meta.total) return ids
  }
}

/** All ids along `next`, or along `prev` from the end. */
async function walk(path: string, size: number, backwards = false, between?: () => Promise<unknown>): Promise<string[]> {
  let page = await get(withQuery(path, `page[size]=${size}`))
  if (backwards) page = await get(page.links.last!)
  const pages: string[][] = []
  for (;;) {
    const to: string | null = backwards ? page.links.prev : page.links.next
    assert.ok(to === null || page.data.length === size, 'only the last page is shorter')
    pages.push(idsOf(page))
    if (to === null) return (backwards ? pages.reverse() : pages).flat()
    await between?.()
    page = await get(to)
  }
}

/** The ids of a page and of those after it. */
async function walkFromLink(link: string): Promise<string[]> {
  const ids: string[] = []
  for (let next: string | null = link; next !== null;) {
    const page: Page = await get(next)
    ids.push(...idsOf(page))
    next = page.links.next
  }
  return ids
}

/** A table with one long text. */
async function beginnings(): Promise<{ type: string; field: string }> {
  const { id, fields } = await service.table(`Beginnings ${random.int(1e9)}`, { text: 'longtext' })
  return { type: `data${id}`, field: fields['text']! }
}

before(async () => {
  service = await startService()
  const target = await service.table('Others', { name: 'text' })
  other = `data${target.id}`
  const to = { referenceTableId: target.id }
  const table = await service.table('Records', {
    text: 'text',
    number: 'decimal',
    whole: 'integer',
    list: { typeName: 'list', options: labels('b', 'a', 'ё') },
    tags: { typeName: 'multilist', options: labels('x', 'y', 'z') },
    when: 'datetime',
    day: 'date',
    flag: 'boolean',
    longtext: 'longtext',
    one: { typeName: 'reference', ...to },
    several: { typeName: 'references', ...to },
    who: 'user',
    file: 'file',
  })
  type = `data${table.id}`
  Object.assign(f, table.fields)
  for (let n = 0; n < 12; n++) await service.make(other, {})
  for (let n = 0; n < RECORDS; n++)
    await service.make(type, {
      [f['text']!]: random.pick(['a', 'A', 'b', 'ё', 'Е', 'я', '', `${n}`, '𝄞', 'x'.repeat(255)]),
      [f['number']!]: random.pick(['0', '-1.5', '2', '10', '123456789012345.12', '-0.01']),
      [f['whole']!]: random.pick(['0', '1', '-7', '999999999999999999', '-999999999999999999']),
      [f['list']!]: random.pick(['a', 'b', 'ё', '']),
      [f['tags']!]: random.pick(['', 'x', 'x\r\ny', 'z']),
      [f['when']!]: random.pick(['2024-01-01 10:00:00', '2024-01-01 10:00:01', '']),
      [f['day']!]: random.pick(['2024-02-29', '1999-12-31', '']),
      [f['flag']!]: random.pick(['0', '1']),
      [f['longtext']!]: random.pick(['', 'short', long, `${long}a`, `${long}b`, `${long}${'ж'.repeat(3_000)}`]),
      [f['one']!]: random.pick(['0', '1', '2']),
      [f['several']!]: random.pick(['', '-2-1-', '-3-2-1-5-4-']),
      [f['who']!]: random.pick(['0', '1']),
      [f['file']!]: random.pick([[], [{ file_name: 'a.txt', content: '' }]]),
    })
  for (const id of ['5', '6', '30']) assert.equal((await service.remove(`${type}/${id}`)).status, 200)
})
after(() => service.close())

describe('pages by cursors', () => {
  it('are the list, forwards and backwards, for a sort by every type and by several', async () => {
    const sorts = ['', 'id', '-id', 'status', '-add_time', ...Object.values(f).map((name) => random.pick(['', '-']) + name)]
    for (let n = 0; n < 4; n++) {
      const names = [...new Set(Array.from({ length: 3 }, () => random.pick(Object.values(f))))]
      sorts.push(names.map((name) => random.pick(['', '-']) + name).join(','))
    }
    for (const sort of sorts) {
      const path = `${type}?${sort && `sort=${sort}`}`
      const all = await plain(path)
      const size = random.pick([13, 19])
      assert.deepEqual(await walk(path, size), all, sort)
      assert.deepEqual(await walk(path, size, true), all, `${sort}, backwards`)
    }
  })

  it('of a filtered list, also with one that an index serves', async () => {
    for (const filter of [`ne(${f['text']},'a')`, `has(${f['several']},2)`, `contains(${f['longtext']},'long')`, `eq(${f['list']},'a')`])
      for (const sort of ['', `${f['whole']},-${f['text']}`]) {
        const path = `${type}?filter=${encodeURIComponent(filter)}&sort=${sort}`
        const all = await plain(path)
        assert.ok(all.length > 3)
        assert.deepEqual(await walk(path, 4), all)
        assert.deepEqual(await walk(path, 4, true), all)
      }
  })

  it('have links to both sides, null at the ends, and a cursor with each resource', async () => {
    const first = await get(`${type}?page[size]=2`)
    assert.deepEqual(idsOf(first), ['1', '2'])
    assert.equal(first.links.prev, null)
    assert.equal(first.meta.page.rangeTruncated, undefined)
    const second = await get(first.links.next!)
    assert.deepEqual(idsOf(second), ['3', '4'])
    assert.deepEqual(idsOf(await get(second.links.prev!)), ['1', '2'])
    assert.equal((await get(second.links.prev!)).links.prev, null)
    assert.deepEqual(idsOf(await get(second.links.first!)), ['1', '2'])
    const last = await get(second.links.last!)
    assert.deepEqual([idsOf(last), last.links.next], [['59', '60'], null])
    const from = (n: number) => second.data[n]!.meta.page.cursor
    assert.deepEqual(idsOf(await get(`${type}?page[after]=${from(0)}&page[size]=1`)), ['4'])
    assert.deepEqual(idsOf(await get(`${type}?page[before]=${from(0)}&page[size]=1`)), ['2'])
    const empty = await get(`${type}?page[after]=${last.data[1]!.meta.page.cursor}`)
    assert.deepEqual([empty.data, empty.links.next], [[], null])
    assert.deepEqual(idsOf(await get(empty.links.prev!)).at(-1), '60')
    const before = await get(`${type}?page[before]=${first.data[0]!.meta.page.cursor}`)
    assert.deepEqual([before.data, before.links.prev], [[], null])
    assert.deepEqual(idsOf(await get(before.links.next!))[0], '1')
    assert.equal((await get(`${type}?page[after]=${from(0)}`)).data.length, 20)
  })

  it('between two cursors: all of them, or the first and a note', async () => {
    for (const sort of ['', `${f['list']},-${f['text']}`]) {
      const path = `${type}?sort=${sort}`
      const all = await get(`${path}&page[size]=57`)
      const [begin, end] = [all.data[3]!.meta.page.cursor, all.data[40]!.meta.page.cursor]
      const whole = await get(`${path}&page[after]=${begin}&page[before]=${end}`)
      assert.deepEqual([idsOf(whole), whole.meta.page], [idsOf(all).slice(4, 40), {}])
      const some = await get(`${path}&page[after]=${begin}&page[before]=${end}&page[size]=36`)
      assert.deepEqual([idsOf(some).length, some.meta.page], [36, {}])
      const part = await get(`${path}&page[after]=${begin}&page[before]=${end}&page[size]=5`)
      assert.deepEqual([idsOf(part), part.meta.page], [idsOf(all).slice(4, 9), { rangeTruncated: true }])
      assert.deepEqual(idsOf(await get(part.links.next!)), idsOf(all).slice(9, 14))
    }
  })

  it('meet every record that stays as it is, whatever others write meanwhile', async () => {
    for (const sort of [`${f['text']}`, `-${f['number']},${f['list']}`, `${f['longtext']}`]) {
      const ids: string[] = []
      for (let n = 0; n < 12; n++)
        ids.push(await service.make(type, { [f['text']!]: 'm', [f['longtext']!]: random.pick([long, `${long}c`]) }))
      const moving = ids.filter((_, n) => n % 2 === 0)
      const path = `${type}?sort=${sort}`
      const met = await walk(path, 5, false, async () => {
        const id = moving.pop()
        if (id === undefined) return
        if (moving.length % 2 === 0) await service.remove(`${type}/${id}`)
        else await service.change(type, id, { [f['text']!]: random.pick(['', 'zz']), [f['number']!]: random.pick(['-9', '9']) })
        await service.make(type, { [f['text']!]: random.pick(['', 'm', 'zz']) })
      })
      const staying = new Set((await plain(path)).filter((id) => Number(id) <= RECORDS || (ids.includes(id) && ids.indexOf(id) % 2 === 1)))
      const found = met.filter((id) => staying.has(id))
      assert.deepEqual(found, [...staying])
    }
  })

  it('go on from a record that is gone, and from an option with a new label', async () => {
    const path = `${type}?sort=${f['list']}`
    const first = await get(`${path}&page[size]=20`)
    const all = await plain(path)
    const last = first.data.at(-1)!
    assert.equal((await service.remove(`${type}/${last.id}`)).status, 200)
    const { options } = (await service.get(`field/${f['list']!.slice(1)}`)).json.data.attributes
    const renamed = options.map(({ id, label }: { id: string; label: string }) => ({ id, label: label === 'a' ? 'a2' : label }))
    assert.equal((await service.change('field', f['list']!.slice(1), { options: renamed })).status, 200)
    assert.deepEqual(idsOf(await get(first.links.next!)), all.slice(20, 40))
  })

  it('are refused with what the profile asks for', async () => {
    const { most } = limits.pageSize
    const refused = async (query: string, ...errors: string[]) => assert.deepEqual(errorsOf(await service.get(`${type}?${query}`)), errors)
    const tooLarge = await service.get(`${type}?page[size]=${most + 1}`)
    const [error] = tooLarge.json.errors
    assert.deepEqual([tooLarge.status, error.code, error.source, error.meta], [400, 'page.too_large', { parameter: 'page[size]' }, { page: { maxSize: most } }]) // prettier-ignore
    assert.deepEqual(error.links, { type: 'https://jsonapi.org/profiles/ethanresnick/cursor-pagination/max-size-exceeded' })
    assert.equal((await get(`${type}?page[size]=${most}`)).links.next, null)
    for (const size of ['0', '-1', 'x', '']) await refused(`page[size]=${size}`, '400 parameter.invalid page[size]')
    const { cursor } = (await get(`${type}?sort=${f['text']}&page[size]=1`)).data[0]!.meta.page
    const forged = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
    for (const bad of ['', 'x', '*', cursor, forged(['', 'x']), forged(['', -1]), forged({}), forged(['', 1, 2])])
      await refused(`page[after]=${bad}`, '400 parameter.invalid page[after]')
    await refused(`page[before]=${cursor}&sort=-${f['text']}`, '400 parameter.invalid page[before]')
    const [order] = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    const digest = '0'.repeat(32)
    for (const key of [
      7,
      null,
      '\0',
      'x'.repeat(2_000),
      { beginning: 5 },
      { beginning: '' },
      { beginning: '', digest },
      { beginning: 'x'.repeat(255) },
    ])
      await refused(`page[after]=${forged([order, key, 1])}&sort=${f['text']}`, '400 parameter.invalid page[after]')
    await refused('page[after]=x&page[offset]=2', '400 page.styles_mixed page[offset]')
    await refused('page[size]=2&page[limit]=2', '400 page.styles_mixed page[limit]')
    await refused('page[number]=2&page[limit]=2', '400 page.styles_mixed page[limit]')
    await refused('page[number]=2&page[before]=x', '400 page.styles_mixed page[number]')
  })

  it('go on before what nobody changed where the text of their own record has become another one', async () => {
    const { type: table, field } = await beginnings()
    const same = 'p'.repeat(255)
    const ids: string[] = []
    for (const end of ['a', 'm', 'z']) ids.push(await service.make(table, { [field]: same + end }))
    const { links } = await get(`${table}?sort=${field}&page[size]=1`)
    await service.change(table, ids[0]!, { [field]: `${same}zz` })
    const met = new Set(await walkFromLink(links.next!))
    assert.deepEqual(
      [ids[1], ids[2]].filter((id) => !met.has(id!)),
      [],
    )
  })

  it('that are made up tell nothing about records that the caller may not read', async () => {
    const { type: table, field } = await beginnings()
    const group = Number(await service.make('group', { group_name: 'Own records' }))
    const rights = { create: true, read: true, update: true, read_filter: 'eq(user_id,current_user)' }
    await service.make('access', { group_id: group, table_id: Number(table.slice(4)), ...rights })
    const token = await service.tokenOf(group)
    const secret = 'kestrel'.padEnd(300, '.')
    const hidden = await service.make(table, { [field]: secret })
    const own = (await service.add(table, { [field]: 'm' }, token)).json.data.id
    assert.equal((await service.get(`${table}/${hidden}`, token)).status, 404)
    const page = (await service.get(`${table}?sort=${field}&page[size]=5`, token)).json
    const [order] = JSON.parse(Buffer.from(page.data[0].meta.page.cursor, 'base64url').toString())
    // As of the hidden record, also where its text is known but not how it ends.
    const digest = createHash('sha256').update(secret).digest('hex').slice(0, 32)
    const cursor = (beginning: string) => Buffer.from(JSON.stringify([order, { beginning, digest }, Number(hidden)])).toString('base64url')
    assert.equal((await service.get(`${table}?sort=${field}&page[after]=${cursor('')}`, token)).status, 400)
    const begins = secret.slice(0, 255)
    for (const mine of [begins, `${begins}-`, `${begins}.`, `${begins}zzz`]) {
      await service.change(table, own, { [field]: mine }, token)
      const { data } = (await service.get(`${table}?sort=${field}&page[after]=${cursor(begins)}&page[size]=5`, token)).json
      // Only the beginning counts, which the caller has sent: whatever the hidden text is, the answer is the same.
      assert.equal(data.length, mine === begins && Number(own) < Number(hidden) ? 0 : 1, mine.slice(250))
    }
  })

  it('have fewer records if the table has many fields', async () => {
    const fields = Object.fromEntries(Array.from({ length: 96 }, (_, n) => [`field ${n}`, 'integer']))
    const table = await service.table('Wide', fields)
    const [error] = (await service.get(`data${table.id}?page[size]=1000`)).json.errors
    assert.deepEqual([error.code, error.meta], ['page.too_large', { page: { maxSize: limits.pageValues.most / 100 } }])
  })

  it('of relationships, with include, and of every other list', async () => {
    const [many, back] = [`r${f['several']!.slice(1)}`, `${type}_r${f['one']!.slice(1)}`]
    const holder = (await service.get(`${type}?filter=eq(${f['several']},'-3-2-1-5-4-')`)).json.data[0].id
    for (const path of [
      `${type}/${holder}/${many}`,
      `${type}/${holder}/relationships/${many}`,
      `${other}/1/${back}`,
      `${other}/1/relationships/${back}`,
      'field',
      'field?sort=-field_name,id',
      'field?sort=hint',
      'user',
      'table',
      'trash?sort=-title',
      `${type}/1/history`,
      'batch',
      'audit?sort=detail',
      'group',
      `token?filter=ne(id,0)`,
    ]) {
      // prettier-ignore
      const all = await plain(path)
      assert.deepEqual(await walk(path, 2), all, path)
      assert.deepEqual(await walk(path, 2, true), all, `${path}, backwards`)
    }
    const page = await service.get(`${type}?filter=ne(${f['one']},0)&page[size]=3&include=r${f['one']!.slice(1)}`)
    assert.ok(page.json.included.length > 0)
    const posted = await service.call('POST', `${type}/search?page[size]=2`, { meta: { filter: 'gt(id,10)' } })
    assert.deepEqual(idsOf(posted.json), ['11', '12'])
    const next = await service.send('POST', posted.json.links.next.slice(service.url.length), { body: { meta: { filter: 'gt(id,10)' } } })
    assert.deepEqual(idsOf(next.json), ['13', '14'])
  })
})

describe('numbered pages', () => {
  it('are those of offsets, with links and counts of pages', async () => {
    const { json: plainly } = await service.get(`${type}?page[limit]=7&page[offset]=14&sort=${f['text']}`)
    const { json } = await service.get(`${type}?page[number]=3&page[size]=7&sort=${f['text']}`)
    assert.deepEqual(json.data, plainly.data)
    const { total } = plainly.meta
    const pages = Math.ceil(total / 7)
    assert.deepEqual(json.meta, { number: 3, size: 7, pages, total })
    const number = (link: string) => Number(new URL(link).searchParams.get('page[number]'))
    const { self, first, prev, next, last } = json.links
    assert.deepEqual([self, first, prev, next, last].map(number), [3, 1, 2, 4, pages])
    const end = (await service.get(`${type}?page[number]=${pages}&page[size]=7`)).json
    assert.deepEqual(Object.keys(end.links), ['self', 'describedby', 'first', 'prev', 'last'])
    assert.equal(new URL(json.links.describedby).pathname, `/api/dev/schema/${type}`)
    assert.equal((await service.send('GET', new URL(json.links.describedby).pathname)).status, 200)
    const users = (await service.get('user?page[size]=1')).json.links.describedby
    assert.equal((await service.send('GET', new URL(users).pathname)).json.openapi.slice(0, 3), '3.1')
    const beyond = (await service.get(`${type}?page[number]=${pages + 9}&page[size]=7`)).json
    assert.deepEqual([beyond.data, number(beyond.links.prev)], [[], pages])
    assert.equal((await service.get('user?page[number]=1')).json.meta.size, 20)
    assert.deepEqual(errorsOf(await service.get(`${type}?page[number]=0`)), ['400 parameter.invalid page[number]'])
    assert.deepEqual(errorsOf(await service.get(`${type}?page[number]=1&page[size]=51`)), ['400 page.too_large page[size]'])
    assert.equal((await service.get('change?page[number]=1&page[size]=2')).json.data.length, 2)
    assert.deepEqual(errorsOf(await service.get('change?page[size]=2')), ['400 parameter.invalid page[size]'])
  })
})
