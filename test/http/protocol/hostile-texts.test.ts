import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { fold } from '../../../src/fields/fold.ts'
import { name, sql } from '../../../src/sql/sql.ts'
import { errorsOf, startService, type Service } from '../../support/service.ts'

const MARK = '\u0301'
const marked = (count: number) => `a${MARK.repeat(count)}`
/** Two kinds of marks, which have to be sorted. */
const unsorted = `a${'\u0301\u0316'.repeat(50_000)}`
const SECRET = 'hunter2-secret'

describe('texts meant to do harm', () => {
  let service: Service
  before(async () => {
    service = await startService()
  })
  after(() => service.close())

  it('30 combining marks in a row are taken, 31 are not, whatever the text is for', async () => {
    const { id, fields } = await service.table('Marked', {
      text: 'text',
      long: 'longtext',
      list: { typeName: 'list', options: [{ label: 'A' }] },
    })
    for (const name of ['text', 'long']) {
      assert.equal((await service.add(`data${id}`, { [fields[name]!]: marked(30) })).status, 201)
      const refused = [`422 field.invalid_value /data/attributes/${fields[name]!}`]
      for (const text of [marked(31), unsorted])
        assert.deepEqual(errorsOf(await service.add(`data${id}`, { [fields[name]!]: text })), refused)
    }
    assert.deepEqual(errorsOf(await service.add(`data${id}`, { [fields['list']!]: unsorted })), [
      `422 field.invalid_value /data/attributes/${fields['list']}`,
    ])
    for (const fn of ['eq', 'contains', 'starts_with', 'in'])
      assert.deepEqual(errorsOf(await service.get(`data${id}?filter=${encodeURIComponent(`${fn}(${fields['text']},'${marked(31)}')`)}`)), [
        '400 filter.invalid_value filter',
      ])
    const posted = { meta: { filter: `contains(${fields['text']},'${unsorted}')` } }
    assert.deepEqual(errorsOf(await service.call('POST', `data${id}/search`, posted)), ['400 filter.invalid_value /meta/filter'])
  })

  it('names, labels, logins and passwords are refused in the same way, each once', async () => {
    const { id } = await service.table('Named')
    for (const text of [marked(31), unsorted]) {
      assert.deepEqual(errorsOf(await service.add('table', { table_name: text })), ['422 field.invalid_value /data/attributes/table_name'])
      assert.deepEqual(errorsOf(await service.add('category', { category_name: text })), [
        '422 field.invalid_value /data/attributes/category_name',
      ])
      const list = { table_id: Number(id), field_name: 'List', field_type: 'list', options: [text] }
      assert.deepEqual(errorsOf(await service.add('field', list)), ['422 field.invalid_value /data/attributes/options/0'])
      assert.deepEqual(errorsOf(await service.add('user', { login: text, password: 'long enough' })), [
        '422 field.invalid_value /data/attributes/login',
      ])
      assert.deepEqual(errorsOf(await service.add('user', { login: 'marked', password: `12345678${text}` })), [
        '422 field.invalid_value /data/attributes/password',
      ])
    }
  })

  it('who signs in with a login of any length is told so at once', async () => {
    const login = `a${'\u0301\u0316'.repeat(16_000)}`
    const began = process.threadCpuUsage()
    assert.deepEqual(errorsOf(await service.add('token', { login, password: 'x' }, null)), [
      '422 field.invalid_value /data/attributes/login',
    ])
    const { user } = process.threadCpuUsage(began)
    assert.ok(user < 250_000, `${user} µs`)
    // A login that is not too long is refused as any wrong one is, and its audit entry can be stored.
    for (const possible of [marked(40), '🚀'.repeat(200)])
      assert.deepEqual(errorsOf(await service.add('token', { login: possible, password: 'x' }, null)), ['401 auth.login_failed'])
  })

  it('a text that was stored before there was this limit is read, sent back, and deleted as ever', async () => {
    const { id, fields } = await service.table('Old', { text: 'text', long: 'longtext', other: 'text' })
    const [text, long, other] = [fields['text']!, fields['long']!, fields['other']!]
    const type = `data${id}`
    const record = await service.make(type, { [text]: 'a', [long]: 'b' })
    const old = marked(100)
    for (const field of [text, long])
      await service.store.db.write((tx) =>
        tx.run(sql`UPDATE ${name(type)} SET ${name(field)} = ${old}, ${name(`${field}k`)} = ${fold(old)} WHERE id = ${Number(record)}`),
      )
    const shown = (await service.get(`${type}/${record}`)).json.data.attributes
    assert.equal(shown[text], old)
    assert.equal((await service.change(type, record, { [text]: old, [long]: old, [other]: 'c' })).status, 200)
    assert.equal((await service.get(`${type}/${record}`)).json.data.attributes[other], 'c')
    assert.equal((await service.remove(`${type}/${record}`)).status, 200)
    assert.equal((await service.get('trash')).json.data.at(-1).attributes.title.length > 0, true)
  })

  it('nothing of a body that is no JSON is answered or logged', async () => {
    const { id } = await service.table('Secret')
    const bodies = [
      `{"data":{"type":"token","attributes":{"login":"admin","password":${SECRET}}}}`,
      `{"data":{"attributes":{"password":"${SECRET}"`,
      `${SECRET}`,
      `"${SECRET}`,
      `{"password":"${SECRET}","n":12345678901234567890,}`,
    ]
    for (const path of ['/api/dev/token', `/api/dev/data${id}`]) {
      for (const body of bodies) {
        const answer = await service.send('POST', path, { body })
        assert.deepEqual(errorsOf(answer), ['400 body.malformed '])
        assert.ok(!answer.text.includes('hunter2'), answer.text)
      }
    }
    assert.ok(!JSON.stringify(service.logged).includes('hunter2'))
  })

  it('a body of many values or of great depth is refused before anything is made of it', async () => {
    const { id } = await service.table('Wide')
    const path = `/api/dev/data${id}`
    for (const body of [`{"data":[${'{},'.repeat(500_000)}{}]}`, '['.repeat(1_000_000), '{"a":'.repeat(300_000)]) {
      const before = process.memoryUsage().heapUsed
      assert.deepEqual(errorsOf(await service.send('POST', path, { body })), ['400 body.malformed '])
      assert.ok(process.memoryUsage().heapUsed - before < 64 << 20)
    }
  })

  it('a number of more than 400 characters is refused where it begins', async () => {
    const { id } = await service.table('Numbers')
    const body = (number: string) => `{"data":{"type":"data${id}","attributes":{"status":${number}}}}`
    const send = (number: string) => service.send('POST', `/api/dev/data${id}`, { body: body(number) })
    assert.equal((await send(`0.${'0'.repeat(398)}`)).status, 201)
    for (const number of [`0.${'0'.repeat(399)}`, '1'.repeat(2_000_000), `1e${'0'.repeat(400)}`])
      assert.deepEqual(errorsOf(await send(number)), ['400 body.malformed '])
  })

  it('a filter of many values, or of many functions on a list of many options, is refused', async () => {
    const options = Array.from({ length: 1_000 }, (_, i) => `Option ${i}`)
    const { id, fields } = await service.table('Listed', {
      text: 'text',
      list: { typeName: 'list', options: options.map((label) => ({ label })) },
    })
    const [text, list] = [fields['text']!, fields['list']!]
    for (const label of ['Option 1', 'Option 2', 'Option 999', '']) await service.make(`data${id}`, { [list]: label })
    const search = (filter: string) => service.call('POST', `data${id}/search`, { meta: { filter } })
    const values = (count: number) => `in(${text},${Array(count).fill("'x'").join(',')})`
    const or = (count: number, one: string) => `or(${Array(count).fill(one).join(',')})`
    assert.equal((await search(or(10, values(1_000)))).status, 200)
    assert.deepEqual(errorsOf(await search(or(11, values(1_000)))), ['400 filter.too_many_values /meta/filter'])
    assert.deepEqual(errorsOf(await search(or(100, `contains(${list},'')`))), ['400 filter.too_many_options /meta/filter'])
    // Most options hold: the others are named.
    for (const [filter, total] of [
      [or(99, `contains(${list},'')`), 4],
      [or(490, `eq(${list},'option 2')`), 1],
      [`ne(${list},'option 2')`, 3],
      [`contains(${list},'option')`, 3],
      [`not(contains(${list},'OPTION'))`, 1],
      [`nin(${list},'Option 1','option 2')`, 2],
      [`and(gt(${list},'option 1'),lt(${list},'option 99'))`, 1],
    ] as const)
      assert.equal((await search(filter)).json.meta.total, total, filter.slice(0, 80))
  })

  it('millions of ids in one value are 422, as a text, as an array, and for users', async () => {
    const { id } = await service.table('Linked')
    const field = await service.make('field', { table_id: id, field_name: 'Others', field_type: 'references', reference_table_id: id })
    const users = await service.make('field', { table_id: id, field_name: 'Users', field_type: 'users' })
    for (const name of [`f${field}`, `f${users}`]) {
      const refused = [`422 field.invalid_value /data/attributes/${name}`]
      for (const value of [`-${'1-'.repeat(900_000)}`, `-${'1-'.repeat(10_001)}`, Array.from({ length: 10_001 }, (_, i) => i + 1)])
        assert.deepEqual(errorsOf(await service.add(`data${id}`, { [name]: value })), refused)
    }
    const signIn = async (count: number) => {
      const tables = Array.from({ length: count }, () => Number(id))
      return errorsOf(await service.add('token', { login: service.first.login, password: service.first.password, tables }, null))
    }
    assert.deepEqual(await signIn(1_001), ['422 field.invalid_value /data/attributes/tables'])
    // A body without a token has a lower limit of values, which is asked first.
    assert.deepEqual(await signIn(10_000), ['400 body.malformed '])
  })

  it('what is logged of a request has a length of its own', async () => {
    service.logged.length = 0
    const long = 'x'.repeat(60_000)
    await service.get(long)
    await service.get(`data1?${long}=1`)
    await service.get(`data1?filter=${long}`)
    await service.send('GET', `/api/dev/file/1/${long}/1/${long}`)
    await service.send('GET', '/api/dev/data1', { headers: { Accept: long, 'If-None-Match': long } })
    await service.send('GET', '/api/dev/data1', { token: long })
    await service.send('POST', '/api/dev/token', { body: { data: { type: long } }, token: null })
    await service.send('POST', '/api/dev/token', { body: { data: { type: 'token', [long]: 1 } }, token: null })
    assert.ok(service.logged.length >= 6)
    for (const line of service.logged) assert.ok(JSON.stringify(line).length < 2_000, JSON.stringify(line).slice(0, 300))
    service.logged.length = 0
    const crowd = Object.fromEntries(Array.from({ length: 1_000 }, (_, i) => [`a${i}`.padEnd(50, 'x'), 0]))
    await service.add('token', crowd, null)
    assert.ok(JSON.stringify(service.logged).length < 100_000, String(JSON.stringify(service.logged).length))
  })
})
