import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Shown } from '../../support/oracle/answer.ts'
import { hostileColumns, hostileRecord, systemColumns, type HostileColumn } from '../../support/oracle/hostile.ts'
import { makeHttpTable, makeTargets, withExistingIds, type HttpTable } from '../../support/oracle/http-table.ts'
import { sentOf, shownOf } from '../../support/oracle/shown.ts'
import { startService, type Answer, type Service } from '../../support/service.ts'
import * as fc from '../../support/fast-check.ts'

/* What holds of any record, any list and any number of clients. */

const numRuns = process.env['KARTOTEKA_TEST_QUICK'] ? 20 : 60

describe('what was written is read back', () => {
  let service: Service
  let table: HttpTable
  let records: fc.Arbitrary<Record<string, string>>
  before(async () => {
    service = await startService()
    const columns = [...hostileColumns, ...systemColumns]
    table = await makeHttpTable(service, await makeTargets(service), columns, [], 0)
    const values = table.columns.filter(({ name, type }) => name.startsWith('f') && type !== 'autonumber')
    records = hostileRecord(values).map((record) =>
      Object.fromEntries(values.map((column) => [column.name, possible(column, record[column.name]!)])),
    )
  })
  after(() => service.close())

  const column = (name: string): HostileColumn => table.columns.find((one) => one.name === name)!
  const shown = (record: Readonly<Record<string, string>>): Record<string, string> =>
    Object.fromEntries(Object.entries(record).map(([name, text]) => [name, shownOf(column(name), text)!]))
  const sent = (record: Readonly<Record<string, string>>, typed: boolean) =>
    Object.fromEntries(
      Object.entries(record).map(([name, text]) => [name, typed ? typedOf(column(name), text) : sentOf(column(name), text)]),
    )
  const read = (id: string) => service.get(`${table.type}/${id}`)

  it('of every type, as text or as JSON has it, and may be sent back as it is shown', () =>
    fc.assert(
      fc.asyncProperty(records, fc.boolean(), async (record, typed) => {
        const made = await service.add(table.type, sent(record, typed))
        assert.equal(made.status, 201, made.text)
        const { id, attributes } = made.json.data as { id: string; attributes: Shown }
        const { f22: _, ...rest } = attributes
        const own = Object.fromEntries(Object.keys(record).map((name) => [name, rest[name]]))
        assert.deepEqual(own, shown(record))
        const first = await read(id)
        assert.deepEqual(first.json, made.json)
        const again = await service.change(table.type, id, attributes)
        assert.deepEqual([again.status, again.json, again.headers.get('etag')], [200, first.json, first.headers.get('etag')])
        assert.equal(again.headers.get('etag'), made.headers.get('etag'))
      }),
      { numRuns },
    ))

  it('PATCH changes what it names and nothing else, and a refused one nothing', () =>
    fc.assert(
      fc.asyncProperty(
        records,
        records.chain((record) => fc.subarray(Object.entries(record)).map((some) => Object.fromEntries(some))),
        fc.boolean(),
        fc.constantFrom('a\0b', '\ud800', 'x\udc00'),
        async (record, changes, typed, unfit) => {
          const made = await service.add(table.type, sent(record, false))
          const { id, attributes } = made.json.data as { id: string; attributes: Shown }
          const refused = await service.change(table.type, id, { ...sent(changes, typed), f1: unfit, f19: unfit })
          assert.equal(refused.status, 422, refused.text)
          assert.deepEqual(
            refused.json.errors.map((error: { source: { pointer: string } }) => error.source.pointer).sort(),
            [nameOf(table, 'email'), nameOf(table, 'text')].map((name) => `/data/attributes/${name}`).sort(),
          )
          assert.equal((await read(id)).headers.get('etag'), made.headers.get('etag'))
          const changed = await service.change(table.type, id, sent(changes, typed))
          assert.equal(changed.status, 200, changed.text)
          const wanted = { ...attributes, ...shown(changes) }
          assert.deepEqual(changed.json.data.attributes, wanted)
          assert.deepEqual((await read(id)).json, changed.json)
          const isSame = Object.entries(wanted).every(([name, text]) => attributes[name] === text)
          assert.equal(changed.headers.get('etag') === made.headers.get('etag'), isSame)
        },
      ),
      { numRuns },
    ))
})

const nameOf = (table: HttpTable, type: string): string => table.columns.find((one) => one.type === type)!.name

/** Without options that have been removed, and with ids of what exists. */
function possible(column: HostileColumn, text: string): string {
  if (!column.options) return withExistingIds(column, text)
  const gone = new Set(column.options.filter(({ removed }) => removed).map(({ label }) => label))
  return text
    .split('\r\n')
    .filter((label) => !gone.has(label))
    .join('\r\n')
}

/** The value as a client with types sends it: numbers, booleans, null and arrays. */
function typedOf(column: HostileColumn, text: string): unknown {
  const { type } = column
  if (text === '') return null
  if (type === 'boolean') return text !== '0'
  if (['integer', 'decimal'].includes(type) && String(Number(text)) === text) return Number(text)
  if (['reference', 'user', 'group'].includes(type)) return Number(text)
  if (type === 'references' || type === 'users') return text.slice(1, -1).split('-').map(Number)
  if (type === 'multilist') return text.split('\r\n')
  return sentOf(column, text)
}

describe('pages', () => {
  let service: Service
  before(async () => {
    service = await startService()
  })
  after(() => service.close())

  const tables = new Map<number, string>()
  /** A table of so many records, a third of them gone again. */
  async function tableOf(size: number): Promise<string> {
    const known = tables.get(size)
    if (known) return known
    const { id, fields } = await service.table(`${size} records`, { word: 'text', number: 'integer' })
    const words = ['', 'a', 'A', 'b', 'Ё', 'е']
    const place = `data${id}`
    for (let i = 0; i < size * 1.5; i++) {
      await service.make(place, { [fields['word']!]: words[i % words.length]!, [fields['number']!]: (i * 7) % 5 })
      if (i % 3 === 2) await service.remove(`${place}/${i}`)
    }
    tables.set(size, place)
    return place
  }

  const asked = fc.record({
    size: fc.constantFrom(0, 1, 2, 7, 30),
    limit: fc.oneof(fc.integer({ min: 1, max: 9 }), fc.constantFrom(30, 50)),
    start: fc.nat(35),
    sort: fc.constantFrom('', 'word', '-word', 'number,-word', '-number', '-id'),
    filter: fc.constantFrom('', "gt(word,'')", 'not(eq(number,3))', "eq(word,'nothing')"),
  })

  const named = async (place: string, text: string): Promise<string> => {
    const { json } = await service.get(`field?filter=eq(table_id,${place.slice(4)})`)
    const fields = json.data as { attributes: { field_name: string; int_name: string } }[]
    return fields.reduce((all, { attributes }) => all.replaceAll(attributes.field_name, attributes.int_name), text)
  }
  const ids = ({ json }: Answer): string[] => json.data.map(({ id }: { id: string }) => id)
  const follow = (link: string): Promise<Answer> => service.get(link.slice(`${service.url}/api/dev/`.length))

  it('are walked from link to link, forwards and backwards, and show every record once and in its order', () =>
    fc.assert(
      fc.asyncProperty(asked, async ({ size, limit, start, sort, filter }) => {
        const place = await tableOf(size)
        const query = await named(place, `filter=${encodeURIComponent(filter)}&sort=${sort}`)
        const whole = await service.get(`${place}?${query}&page[limit]=50`)
        const all = ids(whole)
        assert.equal(whole.json.meta.total, all.length)

        const pages = [await service.get(`${place}?${query}&page[limit]=${limit}`)]
        while (pages.at(-1)!.json.links.next) pages.push(await follow(pages.at(-1)!.json.links.next))
        assert.deepEqual(pages.flatMap(ids), all)
        for (const { json } of pages) assert.equal(json.meta.total, all.length)
        assert.equal(pages.length, Math.max(1, Math.ceil(all.length / limit)))

        const backwards = [await follow(pages[0]!.json.links.last)]
        assert.deepEqual(ids(backwards[0]!), ids(pages.at(-1)!))
        while (backwards[0]!.json.links.prev) backwards.unshift(await follow(backwards[0]!.json.links.prev))
        assert.deepEqual(backwards.flatMap(ids), all)

        // From anywhere: prev leads to the first page, next to the last, and nothing is left out between.
        let page = await service.get(`${place}?${query}&page[limit]=${limit}&page[offset]=${start}`)
        assert.deepEqual(ids(page), all.slice(start, start + limit))
        const met = new Set(ids(page))
        while (page.json.links.prev) {
          const before = page.json.meta.offset as number
          page = await follow(page.json.links.prev)
          assert.ok(page.json.meta.offset < before)
          for (const id of ids(page)) met.add(id)
        }
        assert.equal(page.json.meta.offset, 0)
        assert.deepEqual([...met].sort(), all.slice(0, Math.max(start + limit, limit)).sort())
      }),
      { numRuns },
    ))
})

describe('clients at once', () => {
  let service: Service
  let type: string
  let on: string
  let pair: readonly [string, string]
  before(async () => {
    service = await startService()
    const { id, fields } = await service.table('Shared', { on: 'text', first: 'integer', second: 'text' })
    type = `data${id}`
    on = fields['on']!
    pair = [fields['first']!, fields['second']!]
  })
  after(() => service.close())

  it('every list is of one moment: its page is as long as its total says, and no record is half changed', async () => {
    const ROUNDS = 20
    const there = new Set<string>()
    for (let i = 0; i < 10; i++) there.add(await service.make(type, { [on]: 'yes', [pair[0]]: 0, [pair[1]]: '0' }))
    const seen = new Set<number>()
    let writing = true
    const write = async (writer: number) => {
      // As long as the readers have not seen it change.
      for (let i = 0; i < ROUNDS || seen.size <= 3; i++) {
        const n = writer * 1_000 + i
        const made = await service.make(type, { [on]: i % 2 ? 'yes' : 'no', [pair[0]]: n, [pair[1]]: String(n) })
        assert.equal((await service.get(`${type}?filter=eq(id,${made})`)).json.meta.total, 1, 'what was created is listed')
        const changed = await service.change(type, made, { [on]: i % 3 ? 'yes' : 'no', [pair[0]]: -n, [pair[1]]: String(-n) })
        assert.equal(changed.status, 200)
        if (i % 4 === 0) there.add(made)
        else {
          assert.equal((await service.remove(`${type}/${made}`)).status, 200)
          assert.equal((await service.get(`${type}?filter=eq(id,${made})`)).json.meta.total, 0, 'what was deleted is not')
        }
      }
    }
    const read = async (reader: number) => {
      for (let i = 0; writing; i++) {
        const [limit, offset] = [1 + ((i * 7) % 50), (i * 3) % 25]
        const filter = i % 3 === reader % 3 ? `eq(${on},'yes')` : ''
        const sort = ['', `-${pair[0]}`, on, `${pair[1]},-id`][i % 4]!
        const page = `sort=${sort}&page[limit]=${limit}&page[offset]=${offset}`
        const { status, json, text } =
          i % 5 === 0
            ? await service.call('POST', `${type}/search?${page}`, { meta: { filter } })
            : await service.get(`${type}?filter=${filter}&${page}`)
        assert.equal(status, 200, text)
        const { total } = json.meta
        seen.add(total)
        assert.equal(json.data.length, Math.min(limit, Math.max(0, total - offset)), `${filter} ${page} of ${total}`)
        assert.equal(json.links.next !== undefined, offset + limit < total)
        const rows = json.data as { id: string; attributes: Record<string, string> }[]
        assert.equal(new Set(rows.map(({ id }) => id)).size, rows.length)
        for (const { attributes } of rows) {
          assert.equal(attributes[pair[0]], attributes[pair[1]])
          if (filter !== '') assert.equal(attributes[on], 'yes')
        }
        const order = rows.map(({ attributes }) => Number(attributes[pair[0]]))
        if (sort === `-${pair[0]}`)
          assert.deepEqual(
            order,
            [...order].sort((a, b) => b - a),
          )
      }
    }
    const readers = [0, 1, 2].map(read)
    await Promise.all([1, 2, 3, 4].map(write)).finally(() => (writing = false))
    await Promise.all(readers)
    assert.ok(seen.size > 3, 'the readers saw it change')
    assert.equal((await service.get(type)).json.meta.total, there.size)
  })

  it('of many changes to the version they all saw, If-Match lets one through', async () => {
    const id = await service.make(type, { [pair[0]]: 0 })
    const place = `/api/dev/${type}/${id}`
    for (let round = 1; round <= 10; round++) {
      const tag = (await service.send('GET', place)).headers.get('etag')!
      const values = [1, 2, 3, 4].map((client) => round * 10 + client)
      const answers = await Promise.all(
        values.map((value) =>
          service.send('PATCH', place, { body: { data: { type, id, attributes: { [pair[0]]: value } } }, headers: { 'If-Match': tag } }),
        ),
      )
      const through = answers.filter(({ status }) => status === 200)
      assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 412, 412, 412])
      for (const { status, json } of answers) if (status !== 200) assert.equal(json.errors[0].code, 'record.stale')
      assert.deepEqual((await service.send('GET', place)).json, through[0]!.json)
    }
  })

  it('a tag stays as long as the record does: 304 then, and a new one after each change', () =>
    fc.assert(
      fc.asyncProperty(fc.array(fc.record({ value: fc.nat(2), checked: fc.boolean() }), { maxLength: 6 }), async (steps) => {
        const id = await service.make(type, { [pair[0]]: 0 })
        const place = `/api/dev/${type}/${id}`
        const tags = [(await service.send('GET', place)).headers.get('etag')!]
        let value = 0
        for (const step of steps) {
          const body = { data: { type, id, attributes: { [pair[0]]: step.value } } }
          const headers = step.checked ? { 'If-Match': tags.at(-1)! } : {}
          const changed = await service.send('PATCH', place, { body, headers })
          assert.equal(changed.status, 200)
          const tag = changed.headers.get('etag')!
          assert.equal(tag === tags.at(-1), step.value === value)
          if (tag !== tags.at(-1)) assert.ok(!tags.includes(tag))
          value = step.value
          if (tag !== tags.at(-1)) tags.push(tag)
          const same = await service.send('GET', place, { headers: { 'If-None-Match': tag } })
          assert.deepEqual([same.status, same.text, same.headers.get('etag')], [304, '', tag])
          for (const old of tags.slice(0, -1)) {
            assert.equal((await service.send('GET', place, { headers: { 'If-None-Match': old } })).status, 200)
            assert.equal((await service.send('PATCH', place, { body, headers: { 'If-Match': old } })).status, 412)
          }
        }
      }),
      { numRuns: Math.ceil(numRuns / 3) },
    ))
})
