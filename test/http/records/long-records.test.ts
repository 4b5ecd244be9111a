import { left } from '../../../src/store/model/record.ts'
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { limits } from '../../../src/limits.ts'
import { join, name, sql } from '../../../src/sql/sql.ts'
import type { Row, Transaction } from '../../../src/store/ground/db.ts'
import { grant } from '../../../src/store/model/access.ts'
import { operator } from '../../../src/store/catalogue/administrator.ts'
import { getRecord } from '../../../src/store/records/read-records.ts'
import { startService, type Service } from '../../support/service.ts'

/* Changes of records with many long values: what they read is what they need, and what they answer is all of it. */

const FIELDS = 12
const LONG = 1_000_000

describe('records with long values', () => {
  let service: Service
  let table: number
  let fields: Record<string, string>
  const texts = Array.from({ length: FIELDS }, (_, i) => `text${i}`)

  before(async () => {
    service = await startService()
    const made = await service.table('Long', {
      name: 'text',
      code: { typeName: 'text', unique: true },
      ...Object.fromEntries(texts.map((one) => [one, 'longtext'])),
    })
    ;({ id: table, fields } = made)
  })
  after(() => service.close())

  const valueOf = (text: string) => `${text} `.padEnd(LONG, 'long ')

  async function makeRecord(): Promise<string> {
    const id = await service.make(`data${table}`, { [fields['name']!]: 'Anna' })
    for (const text of texts) {
      const { status } = await service.change(
        `data${table}`,
        id,
        { [fields[text]!]: valueOf(text) },
        undefined,
        `?fields[data${table}]=status`,
      )
      assert.equal(status, 200)
    }
    return id
  }

  /** Characters that writes read while the work goes on. */
  async function readBy(work: () => Promise<void>): Promise<number> {
    const db = service.store.db as { write: typeof service.store.db.write }
    const { write } = db
    let read = 0
    const counting = (tx: Transaction): Transaction => ({
      ...tx,
      async all(query) {
        const rows = await tx.all(query)
        for (const value of rows.flat() as Row) read += typeof value === 'string' ? value.length : 8
        return rows
      },
    })
    db.write = (inside, options) => write((tx) => inside(counting(tx)), options)
    try {
      await work()
    } finally {
      db.write = write
    }
    return read
  }

  it('a change reads the values that it changes, and answers all of them', async () => {
    const id = await makeRecord()
    const read = await readBy(async () => {
      const { status, json, headers, text } = await service.change(`data${table}`, id, { [fields['name']!]: 'Berta' })
      assert.equal(status, 200)
      assert.equal(json.data.attributes[fields['name']!], 'Berta')
      for (const one of texts) assert.ok(json.data.attributes[fields[one]!] === valueOf(one), one)
      assert.equal(Number(headers.get('content-length')), Buffer.byteLength(text))
      const again = await service.get(`data${table}/${id}`)
      assert.equal(headers.get('etag'), again.headers.get('etag'))
      assert.deepEqual(again.json.data.attributes, json.data.attributes)
    })
    assert.ok(read < 100_000, `${read} characters`)
    const one = fields[texts[3]!]!
    const also = await readBy(async () => {
      const { json } = await service.change(`data${table}`, id, { [one]: 'short' }, undefined, `?fields[data${table}]=${one}`)
      assert.deepEqual(json.data.attributes, { [one]: 'short' })
    })
    assert.ok(also < LONG + 100_000, `${also} characters`)
    const { headers } = await service.get(`data${table}/${id}?fields[data${table}]=status`)
    const same = await service.change(`data${table}`, id, { [one]: 'short', [fields[texts[4]!]!]: valueOf(texts[4]!) })
    assert.ok(same.json.data.attributes[fields[texts[4]!]!] === valueOf(texts[4]!))
    const still = await service.get(`data${table}/${id}?fields[data${table}]=status`)
    assert.equal(still.headers.get('etag'), headers.get('etag'), 'what is sent as it stands is no change')
  })

  it('a value of many labels is long as it is shown, though it is held as ids', async () => {
    const labels = Array.from({ length: limits.listMembers.most }, (_, i) => `${i} `.padEnd(250, 'Ё'))
    const made = await service.table('Chosen', { chosen: { typeName: 'multilist', options: labels.map((label) => ({ label })) } })
    const chosen = made.fields['chosen']!
    const type = `data${made.id}`
    const id = await service.make(type, { [chosen]: labels })
    const short = await service.make(type, { [chosen]: labels.slice(0, 3) })
    const granted = grant('read', made.id, operator, service.store.catalogue())
    assert.ok((await getRecord(service.store, granted, Number(id))).attributes[chosen] === left)
    assert.equal((await getRecord(service.store, granted, Number(short))).attributes[chosen], labels.slice(0, 3).join('\r\n'))
    const { json, headers, text } = await service.get(type)
    assert.equal(Number(headers.get('content-length')), Buffer.byteLength(text))
    assert.ok(json.data[0].attributes[chosen] === labels.join('\r\n'))
    const fewer = await service.change(type, id, { [chosen]: labels.slice(1) })
    assert.ok(fewer.json.data.attributes[chosen] === labels.slice(1).join('\r\n'))
  })

  it('a deletion and a restoration read no long value', async () => {
    const id = await makeRecord()
    const read = await readBy(async () => {
      assert.equal((await service.remove(`data${table}/${id}`)).status, 200)
      const [entry] = (await service.get(`trash?filter=eq(item_id,${id})`)).json.data
      assert.equal((await service.call('POST', `trash/${entry.id}/restore`)).status, 200)
    })
    assert.ok(read < 100_000, `${read} characters`)
    const { json } = await service.get(`data${table}/${id}`)
    for (const one of texts) assert.ok(json.data.attributes[fields[one]!] === valueOf(one), one)
  })

  it('a record that changes while the answer to a change is made is answered as it is then, and changed once', async () => {
    const id = await makeRecord()
    const { headers } = await service.get(`data${table}/${id}?fields[data${table}]=status`)
    const db = service.store.db as { write: typeof service.store.db.write }
    const { write } = db
    db.write = async (inside, options) => {
      const result = await write(inside, options)
      db.write = write
      await write((tx) => tx.run(sql`UPDATE ${name(`data${table}`)} SET version = version + 1, status = 1 WHERE id = ${Number(id)}`))
      return result
    }
    const changed = await service.send('PATCH', `/api/dev/data${table}/${id}`, {
      headers: { 'If-Match': headers.get('etag')! },
      body: { data: { type: `data${table}`, id, attributes: { [fields['name']!]: 'Carla' } } },
    })
    db.write = write
    assert.equal(changed.status, 200, changed.text.slice(0, 300))
    assert.deepEqual([changed.json.data.attributes.status, changed.json.data.attributes[fields['name']!]], ['1', 'Carla'])
    assert.equal(changed.headers.get('etag'), (await service.get(`data${table}/${id}`)).headers.get('etag'))
  })

  it('HEAD of what is long makes no file of it', async () => {
    const id = await makeRecord()
    const { files } = service.store
    const { spool } = files
    let spools = 0
    Object.assign(files, { spool: (...args: Parameters<typeof spool>) => (spools++, spool(...args)) })
    try {
      for (const path of [`/api/dev/data${table}/${id}`, `/api/dev/data${table}?page[limit]=2`]) {
        const head = await service.send('HEAD', path)
        assert.deepEqual([head.status, head.text, spools], [200, '', 0], path)
        const get = await service.send('GET', path)
        assert.deepEqual([get.status, spools], [200, 1], path)
        for (const one of ['content-type', 'etag', 'vary', 'cache-control']) assert.equal(head.headers.get(one), get.headers.get(one), one)
        spools = 0
      }
    } finally {
      Object.assign(files, { spool })
    }
  })

  it('a table that changes while the answer to a change is made leaves the change as it is, done once', async () => {
    const type = `data${table}`
    const id = await makeRecord()
    const { headers } = await service.get(`${type}/${id}?fields[${type}]=status`)
    const moving = texts[5]!
    const db = service.store.db as { write: typeof service.store.db.write }
    const { write } = db
    let made: string | undefined
    db.write = async (inside, options) => {
      const result = await write(inside, options)
      db.write = write
      // The column that the answer is about to read is another one then, and there is one more.
      const converted = await service.change('field', fields[moving]!.slice(1), { field_type: 'text' }, undefined, '?convertMode=lossy')
      assert.equal(converted.status, 200, converted.text)
      made = await service.make('field', { table_id: table, field_name: 'new', field_type: 'text' })
      return result
    }
    const changed = await service.send('PATCH', `/api/dev/${type}/${id}`, {
      headers: { 'If-Match': headers.get('etag')! },
      body: { data: { type, id, attributes: { [fields['name']!]: 'Dora' } } },
    })
    db.write = write
    assert.equal(changed.status, 200, changed.text.slice(0, 300))
    const now = await service.get(`${type}/${id}`)
    assert.deepEqual(changed.json, now.json)
    assert.equal(changed.headers.get('etag'), now.headers.get('etag'))
    const { attributes } = now.json.data
    assert.deepEqual([attributes[fields['name']!], attributes[`f${made}`]], ['Dora', ''])
    assert.ok(attributes[fields[moving]!].length < LONG)
  })

  it('the trash keeps limits.title characters of a title, whole ones, and finds by them', async () => {
    const made = await service.table('Titled', { text: 'longtext' })
    const text = made.fields['text']!
    await service.change('table', String(made.id), { title_field_id: Number(text.slice(1)) })
    const title = '\u{1F600}ё'.repeat(100_000)
    const id = await service.make(`data${made.id}`, { [text]: title })
    assert.equal((await service.remove(`data${made.id}/${id}`)).status, 200)
    const kept = [...title].slice(0, limits.title.most).join('')
    const [entry] = (await service.get(`trash?filter=and(eq(table_id,${made.id}),starts_with(title,'\u{1F600}Ё'))`)).json.data
    assert.ok(entry.attributes.title === kept, `${entry.attributes.title.length}`)
    const [[[row]]] = (await service.store.db.read(sql`SELECT length(titlek) FROM trash WHERE id = ${Number(entry.id)}`)) as [[Row]]
    assert.ok(Number(row) <= limits.title.most)
    const found = await service.get(`trash?filter=and(eq(table_id,${made.id}),eq(title,'${encodeURIComponent(kept)}'))`)
    assert.equal(found.json.meta.total, 1)
    assert.equal((await service.call('POST', `trash/${entry.id}/restore`)).status, 200)
    assert.ok((await service.get(`data${made.id}/${id}`)).json.data.attributes[text] === title)
  })

  it('a record holds no more bytes than the limit: a change beyond it is refused, and one that makes it shorter is not', async () => {
    const wide = await service.table('Wide', Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`t${i}`, 'longtext'])))
    const names = Object.values(wide.fields)
    const id = await service.make(`data${wide.id}`, {})
    const columns = service.store
      .catalogue()
      .tables.get(wide.id)!
      .fields.map(({ column }) => column)
    const text = '\u0434'.repeat(500_000)
    const full = Math.floor(limits.record.most / 1_000_000)
    const set = columns.slice(0, full).map((column) => sql`${name(column)} = ${text}`)
    await service.store.db.write((tx) => tx.run(sql`UPDATE ${name(`data${wide.id}`)} SET ${join(set, ', ')}`))
    const change = (attributes: object) => service.change(`data${wide.id}`, id, attributes, undefined, `?fields[data${wide.id}]=status`)
    const refused = await change({ [names[full]!]: text })
    assert.deepEqual([refused.status, refused.json.errors?.[0].code], [422, 'record.too_large'])
    assert.equal((await service.get(`data${wide.id}/${id}?fields[data${wide.id}]=${names[full]}`)).json.data.attributes[names[full]!], '')
    assert.equal((await change({ [names[0]!]: 'short' })).status, 200)
    assert.equal((await change({ [names[full]!]: text })).status, 200)
  })
})
