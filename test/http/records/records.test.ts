import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { operator } from '../../../src/store/catalogue/administrator.ts'
import { createRule } from '../../../src/store/structure/access-rules.ts'
import { JSON_API, startService, type Answer, type Service } from '../../support/service.ts'

const pointers = ({ json }: Answer) => json.errors.map((error: { source: { pointer: string } }) => error.source.pointer)
const codes = ({ json }: Answer) => json.errors.map((error: { code: string }) => error.code)

describe('records over HTTP', () => {
  let service: Service
  let path: string
  let type: string
  let f: Record<string, string>
  let companies: string

  before(async () => {
    service = await startService()
    const { id: companyTable } = await service.table('Companies', { name: 'text' })
    companies = `data${companyTable}`
    const table = await service.table('People', {
      name: 'text',
      age: 'integer',
      pay: 'decimal',
      born: 'date',
      met: 'datetime',
      active: 'boolean',
      tags: { typeName: 'multilist', options: [{ label: 'a' }, { label: 'b' }] },
      company: { typeName: 'reference', referenceTableId: companyTable },
      companies: { typeName: 'references', referenceTableId: companyTable },
      papers: 'file',
      code: { typeName: 'text', unique: true },
      must: { typeName: 'text', required: true },
    })
    type = `data${table.id}`
    path = `/api/dev/${type}`
    f = table.fields
  })
  after(() => service.close())

  const create = (attributes: Record<string, unknown> = {}, headers: Record<string, string> = {}) =>
    service.send('POST', path, { body: { data: { type, attributes: { [f.must!]: 'x', ...attributes } } }, headers })
  const patch = (id: string, attributes: Record<string, unknown>, headers: Record<string, string> = {}) =>
    service.send('PATCH', `${path}/${id}`, { body: { data: { type, id, attributes } }, headers })
  const make = async (attributes: Record<string, unknown> = {}): Promise<{ id: string; attributes: Record<string, string> }> =>
    (await create(attributes)).json.data

  it('creates with 201, the complete record, its own id and a Location equal to links.self', async () => {
    const made = await create({ [f.name!]: 'Anna' })
    assert.equal(made.status, 201)
    const { data, jsonapi } = made.json
    assert.deepEqual(jsonapi, { version: '1.1' })
    assert.equal(data.type, type)
    assert.equal(data.links.self, `${path}/${data.id}`)
    assert.equal(made.headers.get('location'), data.links.self)
    assert.equal(made.headers.get('content-type'), JSON_API)
    assert.deepEqual(data.attributes, {
      user_id: '1',
      add_time: '2024-05-01 09:30:15',
      status: '0',
      [f.name!]: 'Anna',
      [f.age!]: '0',
      [f.pay!]: '0.00',
      [f.born!]: '0000-00-00',
      [f.met!]: '0000-00-00 00:00:00',
      [f.active!]: '0',
      [f.tags!]: '',
      [f.company!]: '0',
      [f.companies!]: '',
      [f.papers!]: '',
      [f.code!]: '',
      [f.must!]: 'x',
    })
    const got = await service.send('GET', data.links.self)
    assert.equal(got.status, 200)
    assert.deepEqual(got.json, made.json)
  })

  it('changes what is sent and keeps the rest; a document without attributes changes nothing', async () => {
    const { id, attributes } = await make({ [f.name!]: 'Boris' })
    const changed = await patch(id, { [f.age!]: '42' })
    assert.equal(changed.status, 200)
    assert.deepEqual(changed.json.data.attributes, { ...attributes, [f.age!]: '42' })
    const same = await service.send('PATCH', `${path}/${id}`, { body: { data: { type, id } } })
    assert.equal(same.status, 200)
    assert.deepEqual(same.json, changed.json)
  })

  it('deletes with 200 and meta; then the record is gone for good', async () => {
    const { id } = await make()
    const deleted = await service.send('DELETE', `${path}/${id}`, { headers: { 'Content-Type': JSON_API } })
    assert.equal(deleted.status, 200)
    assert.deepEqual(deleted.json, { meta: { type, id }, jsonapi: { version: '1.1' } })
    for (const method of ['GET', 'DELETE']) assert.equal((await service.send(method, `${path}/${id}`)).status, 404)
    assert.deepEqual(codes(await patch(id, {})), ['record.not_found'])
    assert.notEqual((await make()).id, id)
  })

  it('takes back everything a response shows', async () => {
    const company = (await service.send('POST', `/api/dev/${companies}`, { body: { data: { type: companies } } })).json.data.id
    const { id, attributes } = await make({
      [f.tags!]: 'a\r\nb',
      [f.company!]: company,
      [f.companies!]: `-${company}-`,
      [f.papers!]: [
        { file_name: 'a.txt', content: 'x' },
        { file_name: 'b.txt', content: 'y' },
      ],
      [f.pay!]: '123456789012345.12',
    })
    assert.equal(attributes[f.papers!], 'a.txt\r\nb.txt')
    const again = await patch(id, attributes)
    assert.equal(again.status, 200, again.text)
    assert.deepEqual(again.json.data.attributes, attributes)
    assert.equal(again.headers.get('etag'), (await service.send('GET', `${path}/${id}`)).headers.get('etag'))
  })

  it('reads JSON scalars as their text and arrays as several values', async () => {
    const company = Number((await service.send('POST', `/api/dev/${companies}`, { body: { data: { type: companies } } })).json.data.id)
    const { attributes } = await make({
      [f.name!]: 7,
      [f.age!]: 42,
      [f.pay!]: 12.5,
      [f.active!]: true,
      [f.tags!]: ['b', 'a'],
      [f.company!]: company,
      [f.companies!]: [company],
      [f.code!]: null,
    })
    assert.deepEqual(
      [f.name, f.age, f.pay, f.active, f.tags, f.company, f.companies, f.code].map((name) => attributes[name!]),
      ['7', '42', '12.50', '1', 'b\r\na', String(company), `-${company}-`, ''],
    )
  })

  it('never rounds a number: long ones are read from their source text', async () => {
    const sent = `{"data":{"type":"${type}","attributes":{"${f.must}":"x","${f.pay}":123456789012345.12,"${f.age}":900719925474099312}}}`
    const { json } = await service.send('POST', path, { body: sent })
    assert.equal(json.data.attributes[f.pay!], '123456789012345.12')
    assert.equal(json.data.attributes[f.age!], '900719925474099312')
    const tooLong = await service.send('POST', path, { body: sent.replace('900719925474099312', '9007199254740993123') })
    assert.equal(tooLong.status, 422)
    const exponent = await service.send('POST', path, { body: sent.replace('900719925474099312', '12e2') })
    assert.equal(exponent.json.data.attributes[f.age!], '1200')
  })

  it('empties with null', async () => {
    const { id } = await make({ [f.name!]: 'x', [f.age!]: 3, [f.born!]: '2024-02-29', [f.papers!]: [{ file_name: 'a', content: '' }] })
    const { json } = await patch(id, { [f.name!]: null, [f.age!]: null, [f.born!]: null, [f.papers!]: null })
    assert.deepEqual(
      [f.name, f.age, f.born, f.papers].map((name) => json.data.attributes[name!]),
      ['', '0', '0000-00-00', ''],
    )
  })

  it('reports every attribute that does not fit, at once and with its pointer, and writes nothing', async () => {
    const { id, attributes } = await make({ [f.name!]: 'before' })
    const refused = await patch(id, {
      [f.name!]: 'after',
      [f.age!]: 'many',
      [f.born!]: '2024-02-30',
      [f.active!]: { a: 1 },
      [f.company!]: '999999',
      [f.must!]: '',
      [f.tags!]: ['a', {}],
      [f.papers!]: [{ file_name: 'a', content: 'not base64', binary: true }],
    })
    assert.equal(refused.status, 422)
    assert.deepEqual(
      pointers(refused).sort(),
      [f.age, f.born, f.active, f.company, f.must, `${f.tags}/1`, f.papers].map((name) => `/data/attributes/${name}`).sort(),
    )
    assert.ok(codes(refused).every((code: string) => ['field.invalid_value', 'field.required'].includes(code)))
    assert.deepEqual((await service.send('GET', `${path}/${id}`)).json.data.attributes, attributes)
  })

  it('refuses shapes that are no value', async () => {
    for (const [name, value, pointer] of [
      [f.name, {}, f.name],
      [f.name, ['a'], f.name],
      [f.name, [[]], `${f.name}/0`],
      [f.tags, [null], `${f.tags}/0`],
      [f.papers, ['a.txt'], `${f.papers}/0`],
      [f.papers, 'other.txt', f.papers],
      [f.papers, {}, f.papers],
      [f.papers, [{ content: '' }], `${f.papers}/0/file_name`],
      [f.papers, [{ file_name: 1, content: '' }], `${f.papers}/0/file_name`],
      [f.papers, [{ file_name: 'a' }], `${f.papers}/0/content`],
      [f.papers, [{ file_name: 'a', content: '', binary: 'yes' }], `${f.papers}/0/binary`],
      [f.papers, [{ file_name: 'a', content: '', 'b/c': 1 }], `${f.papers}/0/b~1c`],
      [f.papers, [{ file_name: 'a/b', content: '' }], f.papers],
      [f.name, [{ file_name: 'a', content: '' }], `${f.name}/0`],
    ] as const) {
      const refused = await create({ [name!]: value })
      assert.equal(refused.status, 422, `${JSON.stringify(value)}: ${refused.text}`)
      assert.deepEqual(pointers(refused), [`/data/attributes/${pointer}`], JSON.stringify(value))
    }
  })

  it('names unknown attributes with 400, whatever they hold', async () => {
    const refused = await service.send('POST', path, {
      body: `{"data":{"type":"${type}","attributes":{"f999":{},"__proto__":{"a":1},"constructor":1,"a/b~":"","id":"1"}}}`,
    })
    assert.equal(refused.status, 400)
    assert.deepEqual(
      pointers(refused),
      ['f999', '__proto__', 'constructor', 'a~1b~0', 'id'].map((name) => `/data/attributes/${name}`),
    )
    assert.ok(codes(refused).every((code: string) => code === 'attribute.unknown'))
    const details = refused.json.errors.map(({ detail }: { detail: string }) => detail)
    assert.deepEqual([details[0], details[4]], ["There is no attribute 'f999'.", "There is no attribute 'id'."])
    assert.match(details[2], /^There is no attribute 'constructor'\. Fields have names such as f\d+ here\.$/)
    const { detail } = (await service.get(`${type}?sort=-Name`)).json.errors[0]
    assert.match(detail, /^There is no attribute 'Name' to sort by\. Fields have names such as f\d+ here\.$/)
    for (const asked of [`${type}?fields[${type}]=Name`, `${type}/export?fields[${type}]=Name`]) {
      const { status, json } = await service.get(asked)
      assert.equal(status, 400, asked)
      assert.match(json.errors[0].detail, /^There is no attribute 'Name'\. Fields have names such as f\d+ here\.$/)
    }
  })

  it('refuses other values for what the service sets', async () => {
    const { id } = await make()
    const refused = await patch(id, { add_time: '2020-01-01 00:00:00' })
    assert.equal(refused.status, 400)
    assert.deepEqual(codes(refused), ['attribute.read_only'])
    assert.deepEqual(pointers(refused), ['/data/attributes/add_time'])
  })

  it('answers 409 for a value that is taken, naming the record', async () => {
    const { id } = await make({ [f.code!]: 'Einmalig' })
    const refused = await create({ [f.code!]: 'EINMALIG' })
    assert.equal(refused.status, 409)
    assert.deepEqual(pointers(refused), [`/data/attributes/${f.code}`])
    assert.deepEqual(refused.json.errors[0].meta, { record_id: id })
  })

  it('holds documents to their shape', async () => {
    const { id } = await make()
    const rows: [method: string, body: unknown, status: number, code: string, pointer: string][] = [
      ['POST', undefined, 400, 'document.invalid_member', ''],
      ['POST', [], 400, 'document.invalid_member', ''],
      ['POST', 'null', 400, 'document.invalid_member', ''],
      ['POST', {}, 400, 'document.missing_member', '/data'],
      ['POST', { data: null }, 400, 'document.invalid_member', '/data'],
      ['POST', { data: [{ type }] }, 400, 'document.invalid_member', '/data'],
      ['POST', { data: {} }, 400, 'document.missing_member', '/data/type'],
      ['POST', { data: { type: 7 } }, 400, 'document.invalid_member', '/data/type'],
      ['POST', { data: { type: 'data999' } }, 409, 'document.wrong_type', '/data/type'],
      ['POST', { data: { type, id: '5' } }, 403, 'document.client_id', '/data/id'],
      ['POST', { data: { type, attributes: [] } }, 400, 'document.invalid_member', '/data/attributes'],
      ['POST', { data: { type, attributes: null } }, 400, 'document.invalid_member', '/data/attributes'],
      ['POST', { data: { type, relationships: { r1: { data: null } } } }, 400, 'relationship.unknown', '/data/relationships/r1'],
      ['POST', { data: { type, relationships: 1 } }, 400, 'document.invalid_member', '/data/relationships'],
      ['PATCH', { data: { type } }, 400, 'document.missing_member', '/data/id'],
      ['PATCH', { data: { type, id: {} } }, 400, 'document.invalid_member', '/data/id'],
      ['PATCH', { data: { type, id: '999' } }, 409, 'document.wrong_id', '/data/id'],
      ['PATCH', { data: { type, id: `0${id}` } }, 409, 'document.wrong_id', '/data/id'],
      ['PATCH', { data: { type: 'user', id } }, 409, 'document.wrong_type', '/data/type'],
    ]
    for (const [method, body, status, code, pointer] of rows) {
      const refused = await service.send(method, method === 'POST' ? path : `${path}/${id}`, { body })
      const said = [refused.status, refused.json.errors[0].code, refused.json.errors[0].source.pointer]
      assert.deepEqual(said, [status, code, pointer], `${method} ${JSON.stringify(body)}`)
    }
    assert.equal((await service.send('PATCH', `${path}/${id}`, { body: { data: { type, id: Number(id) } } })).status, 200)
    assert.equal(
      (
        await service.send('PATCH', `${path}/${id}`, {
          body: { data: { type, id, relationships: {}, lid: 'a', meta: { x: 1 } }, extra: 1 },
        })
      ).status,
      200,
    )
  })

  it('does not know ids that are no ids', async () => {
    for (const id of ['0', '01', '-1', '1.0', 'abc', '9007199254740993', '99999999999999999999', '1%2F2', '']) {
      const answer = await service.send('GET', `${path}/${id}x`.slice(0, -1))
      assert.equal(answer.status, id === '' ? 200 : 404, id)
    }
    for (const table of ['0', '07', '9999', '9007199254740993', 'abc', '']) {
      const answer = await service.send('GET', `/api/dev/data${table}/1`)
      assert.equal(answer.status, 404, table)
      assert.match(answer.json.errors[0].code, /^(table\.not_found|request\.no_such_path)$/)
    }
  })

  it('shows what does not exist for the caller as what does not exist at all', async () => {
    const token = await service.tokenOf(2)
    const { id } = await make()
    const [hidden, missing] = await Promise.all([
      service.send('GET', `${path}/${id}`, { token }),
      service.send('GET', '/api/dev/data9999/1', { token }),
    ])
    assert.equal(hidden.status, 404)
    assert.equal(hidden.json.errors[0].code, missing.json.errors[0].code)
    await createRule(service.store, operator, { groupId: 2, tableId: Number(type.slice(4)), read: true })
    assert.equal((await service.send('GET', `${path}/${id}`, { token })).status, 200)
    const refused = await service.send('DELETE', `${path}/${id}`, { token })
    assert.deepEqual([refused.status, refused.json.errors[0].code], [403, 'access.denied'])
  })

  it('leaves out fields not asked for, on reading and on writing, and refuses those that are none', async () => {
    const { id } = await make({ [f.name!]: 'Clara' })
    const only = `fields[${type}]=${f.name},status`
    assert.deepEqual((await service.send('GET', `${path}/${id}?${only}`)).json.data.attributes, { status: '0', [f.name!]: 'Clara' })
    assert.deepEqual((await service.send('GET', `${path}/${id}?fields[${type}]=`)).json.data.attributes, {})
    const changed = await service.send('PATCH', `${path}/${id}?${only}`, { body: { data: { type, id, attributes: { status: 1 } } } })
    assert.deepEqual(changed.json.data.attributes, { status: '1', [f.name!]: 'Clara' })
    for (const bad of [
      `fields[${type}]=f999`,
      'fields[user]=login',
      'fields[]=x',
      'fields=x',
      `fields[${type}]=status&fields[${type}]=status`,
      'fields[__proto__]=x',
    ]) {
      const refused = await service.send('PATCH', `${path}/${id}?${bad}`, { body: { data: { type, id, attributes: { status: 0 } } } })
      assert.equal(refused.status, 400, bad)
      assert.equal(refused.json.errors[0].source.parameter, bad.split('=')[0])
    }
    assert.equal((await service.send('GET', `${path}/${id}`)).json.data.attributes.status, '1')
  })
})
