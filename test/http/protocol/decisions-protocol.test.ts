import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { JSON_API, startService, type Answer, type Service } from '../../support/service.ts'
import { idsOf, makeTable, person, refused, type Table } from '../../support/scene.ts'

/* The sections Lists and Over HTTP of DECISIONS.md, and errors. What ../lists/lists.test.ts and protocol.test.ts pin already is not repeated. */

describe('parameters, sorting, sparse fields and errors, as decided', () => {
  let service: Service
  let table: Table
  let f: Readonly<Record<string, string>>

  before(async () => {
    service = await startService()
    table = await makeTable(service, 'Things', {
      word: 'text',
      count: 'integer',
      price: { field_type: 'decimal', scale: 1 },
      day: 'date',
      choice: { field_type: 'list', options: ['zeta', 'Alpha', 'beta'] },
    })
    f = table.f
    for (const [word, count, price, day, choice] of [
      ['b', '10', '-1.5', '2024-02-01', 'zeta'],
      ['A', '9', '10', '', 'Alpha'],
      ['ё', '10', '9', '2023-12-31', 'beta'],
      ['е', '-3', '0', '2024-02-01', ''],
      ['', '0', '-10', '2024-01-01', 'zeta'],
    ])
      await service.make(table.type, {
        [f['word']!]: word,
        [f['count']!]: count,
        [f['price']!]: price,
        [f['day']!]: day,
        [f['choice']!]: choice,
      })
  })
  after(() => service.close())

  const sorted = async (...keys: string[]) =>
    idsOf(await service.get(`${table.type}?sort=${keys.map((key) => key.replace(/\w+/, (name) => f[name] ?? name)).join()}`)).join('')

  it('links carry all other parameters along, each once and sorted by name', async () => {
    const query = `sort=-${f['count']}&page[limit]=2&fields[${table.type}]=${f['word']}&filter=gt(id,0)`
    const { json } = await service.get(`${table.type}?${query}`)
    const others = `fields%5B${table.type}%5D=${f['word']}&filter=gt%28id%2C0%29`
    const at = (offset: number) => `${service.url}${table.path}?${others}&page%5Blimit%5D=2&page%5Boffset%5D=${offset}&sort=-${f['count']}`
    assert.deepEqual(json.links, {
      self: `${service.url}${table.path}?${others}&page%5Blimit%5D=2&sort=-${f['count']}`,
      next: at(2),
      last: at(4),
    })
    const next = await service.send('GET', json.links.next.slice(service.url.length))
    assert.deepEqual(
      next.json.data.map(({ attributes }: { attributes: object }) => Object.keys(attributes)),
      [[f['word']], [f['word']]],
    )
  })

  it('links never carry what they were not asked with, and a clamped limit is the clamped one', async () => {
    const { json } = await service.get(`${table.type}/?page[limit]=100&`)
    assert.deepEqual(json.links, {
      self: `${service.url}${table.path}?page%5Blimit%5D=50`,
      last: `${service.url}${table.path}?page%5Blimit%5D=50&page%5Boffset%5D=0`,
    })
  })

  it('a filter of a list by POST and one in the address select the same', async () => {
    const filter = `or(eq(${f['word']},'Е'),gt(${f['count']},9))`
    const posted = await service.call('POST', `${table.type}/search?page[limit]=2&sort=-id`, { meta: { filter } })
    const got = await service.get(`${table.type}?page[limit]=2&sort=-id&filter=${encodeURIComponent(filter)}`)
    assert.deepEqual([posted.json.data, posted.json.meta], [got.json.data, got.json.meta])
    refused(await service.call('POST', `${table.type}/search?filter=eq(id,1)`, { meta: { filter } }), '400 parameter.unknown filter')
  })

  it('sort by numbers as numbers, dates as dates, texts folded, lists by their labels; descending with -', async () => {
    assert.equal(await sorted('count'), '45213')
    assert.equal(await sorted('-count'), '13254')
    assert.equal(await sorted('price'), '51432')
    assert.equal(await sorted('-price'), '23415')
    assert.equal(await sorted('day'), '23514')
    assert.equal(await sorted('word'), '52134')
    assert.equal(await sorted('-word'), '34125')
    assert.equal(await sorted('choice'), '42315')
    assert.equal(await sorted('-choice'), '15324')
    assert.equal(await sorted('-id'), '54321')
  })

  it('sort by several, each in its own direction', async () => {
    assert.equal(await sorted('-count', 'word'), '13254')
    assert.equal(await sorted('-count', '-word'), '31254')
    assert.equal(await sorted('day', '-count'), '23514')
    assert.equal(await sorted('status', '-add_time', 'user_id', '-id'), '54321')
  })

  it('an empty sort is no sort; an unknown or repeated attribute is 400', async () => {
    assert.equal(await sorted(''), '12345')
    for (const sort of ['f999', '-', '--id', 'id,', ',id', '+id', 'id desc', 'ID', `${f['word']},f999`])
      refused(await service.get(`${table.type}?sort=${encodeURIComponent(sort)}`), '400 sort.unknown_attribute sort')
    for (const sort of ['id,id', 'id,-id', `${f['word']},id,${f['word']}`])
      refused(await service.get(`${table.type}?sort=${sort}`), '400 sort.repeated_attribute sort')
  })

  it('fields[type] leaves what was asked for, in the usual order, on every answer that shows the resource', async () => {
    const only = `fields[${table.type}]=${f['count']},status,${f['word']}`
    const names = ['status', f['word'], f['count']]
    const shown = (answer: Answer) => Object.keys([answer.json.data].flat()[0].attributes)
    const data = { type: table.type, attributes: {} }
    const made = await service.call('POST', `${table.type}?${only}`, { data })
    const { id } = made.json.data
    assert.deepEqual(shown(made), names)
    assert.deepEqual(shown(await service.get(`${table.type}/${id}?${only}`)), names)
    assert.deepEqual(shown(await service.get(`${table.type}?${only}`)), names)
    assert.deepEqual(shown(await service.call('PATCH', `${table.type}/${id}?${only}`, { data: { ...data, id } })), names)
    assert.deepEqual(shown(await service.get(`${table.type}/${id}?fields[${table.type}]=`)), [])
    assert.deepEqual(shown(await service.get('user?fields[user]=group_id,fio')), ['fio', 'group_id'])
    assert.deepEqual(shown(await service.get(`table/${table.id}?fields[table]=full_name`)), ['full_name'])
    await service.remove(`${table.type}/${id}`)
  })

  it('parameters of our own carry a capital letter, and are refused where they mean nothing', async () => {
    refused(await service.get(`${table.type}?convertMode=lossy`), '400 parameter.unknown convertMode')
    refused(await service.get(`${table.type}?convertmode=lossy`), '400 parameter.unknown convertmode')
    refused(await service.get(`${table.type}?include=${f['word']}`), '400 parameter.invalid include')
    refused(await service.get('user?include=group'), '400 parameter.unknown include')
  })

  it('answers vary by Accept and have no charset, errors too', async () => {
    for (const path of [table.type, `${table.type}/1`, `${table.type}/999`, 'nothing', 'user', `table/${table.id}`]) {
      const { headers } = await service.get(path)
      assert.deepEqual([headers.get('content-type'), headers.get('vary')], [JSON_API, 'Accept'], path)
    }
  })

  it('an error has id, status, code, title, detail and source, and the document jsonapi', async () => {
    const answer = await service.add(table.type, { f999: 'x' })
    assert.deepEqual(Object.keys(answer.json).sort(), ['errors', 'jsonapi'])
    const [error] = answer.json.errors
    assert.deepEqual(
      { ...error, id: '' },
      {
        id: '',
        status: '400',
        code: 'attribute.unknown',
        title: 'Unknown attribute',
        detail: "There is no attribute 'f999'.",
        source: { pointer: '/data/attributes/f999' },
      },
    )
    assert.ok(service.logged.some(({ details }) => details['id'] === error.id))
  })

  it('every refusal has a code of the form area.what_went_wrong', async () => {
    const { token } = await person(service, 3, 'clem')
    const made = await service.get(`${table.type}/1`)
    const statuses = new Map<number, string>()
    for (const answer of [
      await service.get(`${table.type}?x=1`),
      await service.get(table.type, null),
      await service.add('table', { table_name: 'X' }, token),
      await service.get('nothing'),
      await service.send('PUT', table.path, { body: {} }),
      await service.send('GET', table.path, { headers: { Accept: `${JSON_API}; charset=utf-8` } }),
      await service.call('POST', table.type, { data: { type: 'user' } }),
      await service.send('DELETE', `${table.path}/1`, { headers: { 'If-Match': '"0-x"' } }),
      await service.send('POST', table.path, { body: ' '.repeat((4 << 20) + 1) }),
      await service.send('POST', table.path, { body: '{}', headers: { 'Content-Type': 'text/plain' } }),
      await service.add(table.type, { status: '7' }),
    ]) {
      assert.match(answer.json.errors[0].code, /^[a-z]+(_[a-z]+)*\.[a-z]+(_[a-z]+)*$/)
      assert.equal(answer.json.errors[0].status, String(answer.status))
      statuses.set(answer.status, answer.json.errors[0].code)
    }
    assert.deepEqual([...statuses.keys()], [400, 401, 403, 404, 405, 406, 409, 412, 413, 415, 422])
    assert.equal((await service.get(`${table.type}/1`)).headers.get('etag'), made.headers.get('etag'))
  })

  it('401 says in WWW-Authenticate and source.header where the token goes; 405 says in Allow what goes', async () => {
    for (const token of [null, 'x'.repeat(48), 'short']) {
      const answer = await service.get(table.type, token)
      assert.match(answer.headers.get('www-authenticate')!, /^Bearer/)
      assert.equal(answer.json.errors[0].source.header, 'X-Auth-Token')
    }
    const answer = await service.send('POST', '/api/dev/audit', { body: {} })
    refused(answer, '405 request.wrong_method')
    assert.equal(answer.headers.get('allow'), 'GET, HEAD, OPTIONS')
  })

  it('several faults are told at once, the status being theirs', async () => {
    refused(
      await service.add(table.type, { [f['count']!]: 'x', [f['day']!]: 'y', [f['choice']!]: 'z' }),
      ...['count', 'day', 'choice'].map((name) => `422 field.invalid_value /data/attributes/${f[name]}`),
    )
    refused(
      await service.add(table.type, { f998: '', [f['count']!]: 'x', f999: '' }),
      '400 attribute.unknown /data/attributes/f998',
      '400 attribute.unknown /data/attributes/f999',
    )
  })
})
