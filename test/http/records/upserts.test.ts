import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { makeTable, refused, type Table } from '../../support/scene.ts'
import { JSON_API, startService, type Answer, type Service } from '../../support/service.ts'

describe('POST with upsertBy', () => {
  let service: Service
  let table: Table
  let f: Readonly<Record<'code' | 'name' | 'number' | 'other' | 'state', string>>

  before(async () => {
    service = await startService()
    const made = await makeTable(service, 'Things', {
      code: { field_type: 'text', unique: true },
      name: { field_type: 'text', required: true },
      number: { field_type: 'integer', unique: true },
      other: { field_type: 'text', unique: true },
      state: { field_type: 'list', options: ['New', 'Old'], default_value: 'New' },
    })
    table = made
    f = made.f
  })
  after(() => service.close())

  type Values = Readonly<Record<string, unknown>>
  const named = (values: Values) =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [f[name as keyof typeof f] ?? name, value]))
  const upsert = (values: Values, by: string = f.code, token?: string) =>
    service.add(table.type, named(values), token, `${table.type}?upsertBy=${by}`)
  const shown = ({ json }: Answer) => [json.data.id, json.data.attributes[f.code], json.data.attributes[f.name]]
  const holds = async (id: string) => (await service.get(`${table.type}/${id}`)).json.data.attributes

  it('creates a record that does not exist with 201, and changes one that does with 200', async () => {
    const made = await upsert({ code: 'A-1', name: 'one' })
    assert.equal(made.status, 201, made.text)
    const { id, links, attributes } = made.json.data
    assert.equal(made.headers.get('location'), links.self)
    assert.equal(attributes[f.state], 'New')
    const changed = await upsert({ code: 'a-1', name: 'two', state: 'Old' })
    assert.deepEqual([changed.status, ...shown(changed)], [200, id, 'a-1', 'two'])
    assert.equal(changed.headers.get('location'), null)
    assert.notEqual(changed.headers.get('etag'), made.headers.get('etag'))
    // What is not sent stays as it is, defaults and required fields too.
    const again = await upsert({ code: 'A-1' })
    assert.deepEqual([again.status, ...shown(again)], [200, id, 'A-1', 'two'])
    assert.equal(again.json.data.attributes[f.state], 'Old')
    const unchanged = await upsert({ code: 'A-1' })
    assert.deepEqual([unchanged.status, unchanged.headers.get('etag')], [200, again.headers.get('etag')])
    const other = await upsert({ code: 'A-1', number: 7 })
    assert.deepEqual([(await upsert({ number: '7', name: 'three' }, f.number)).json.data.id, other.json.data.id], [id, id])
    const actions = (await service.get(`${table.type}/${id}/history`)).json.data.map((one: Answer['json']) => one.attributes.action)
    assert.deepEqual(actions.sort(), ['create', 'update', 'update', 'update', 'update'])
  })

  it('takes fields[…], and refuses what a create or a change refuses', async () => {
    const narrow = await service.add(
      table.type,
      named({ code: 'B', name: 'b' }),
      undefined,
      `${table.type}?upsertBy=${f.code}&fields[${table.type}]=${f.name}`,
    )
    assert.deepEqual(narrow.json.data.attributes, { [f.name]: 'b' }) // prettier-ignore
    await upsert({ code: 'C', name: 'c', other: 'taken' })
    refused(await upsert({ code: 'B', other: 'TAKEN' }), `409 field.not_unique /data/attributes/${f.other}`)
    refused(await upsert({ code: 'new' }), `422 field.required /data/attributes/${f.name}`)
    refused(await upsert({ code: 'B', name: '' }), `422 field.required /data/attributes/${f.name}`)
    refused(await upsert({ code: 'B', state: 'None' }), `422 field.invalid_value /data/attributes/${f.state}`)
    refused(await upsert({ code: 'B', f9999: 'x' }), '400 attribute.unknown /data/attributes/f9999')
    refused(await upsert({ code: 'x'.repeat(300), name: 'x' }), `422 field.invalid_value /data/attributes/${f.code}`)
    refused(await service.call('POST', `${table.type}?upsertBy=${f.code}`, { data: { type: table.type, id: '1', attributes: {} } }), '403 document.client_id /data/id') // prettier-ignore
    assert.equal((await holds((await upsert({ code: 'B' })).json.data.id))[f.name], 'b')
  })

  it('needs a unique field that the caller sees, and a value in it', async () => {
    for (const values of [{ name: 'x' }, { code: '', name: 'x' }, { code: null, name: 'x' }])
      refused(await upsert(values), `422 field.required /data/attributes/${f.code}`)
    refused(await upsert({ code: 'D', name: 'd' }, f.name), '400 parameter.invalid upsertBy')
    refused(await upsert({ code: 'D', name: 'd' }, 'status'), '400 parameter.invalid upsertBy')
    refused(await upsert({ code: 'D', name: 'd' }, 'f9999'), '400 attribute.unknown upsertBy')
    refused(await upsert({ code: 'D', name: 'd' }, ''), '400 attribute.unknown upsertBy')
    const keyed = await service.send('POST', `${table.path}?upsertBy=${f.code}`, {
      headers: { 'Idempotency-Key': 'k' },
      body: { data: { type: table.type, attributes: {} } },
    })
    refused(keyed, '400 header.invalid Idempotency-Key')
    refused(await service.add(table.type, {}, undefined, `${table.type}/1?upsertBy=${f.code}`), '405 request.wrong_method')
  })

  it('needs the right of what it does, and of records that the caller may not read it says what a create says', async () => {
    const { id } = (await upsert({ code: 'E', name: 'e' })).json.data
    const token = async (rights: Values) => {
      const group = Number(await service.make('group', { group_name: JSON.stringify(rights) }))
      await service.make('access', { group_id: group, table_id: table.id, ...rights })
      return service.tokenOf(group)
    }
    const creator = await token({ create: true, read: true })
    const changer = await token({ update: true, read: true })
    const reader = await token({ read: true })
    refused(await upsert({ code: 'E', name: 'x' }, f.code, creator), '403 access.denied')
    assert.equal((await upsert({ code: 'E-1', name: 'x' }, f.code, creator)).status, 201)
    refused(await upsert({ code: 'E-2', name: 'x' }, f.code, changer), '403 access.denied')
    assert.equal((await upsert({ code: 'E', name: 'y' }, f.code, changer)).status, 200)
    refused(await upsert({ code: 'E', name: 'x' }, f.code, reader), '403 access.denied')
    const nobody = await service.tokenOf(Number(await service.make('group', { group_name: 'Nobody' })))
    refused(await upsert({ code: 'E', name: 'x' }, f.code, nobody), '404 table.not_found')

    const both = { create: true, read: true, update: true }
    const hidden = await token({ ...both, read_filter: `ne(${f.code},'E')` })
    const plain = await service.add(table.type, named({ code: 'E', name: 'x' }), hidden)
    refused(await upsert({ code: 'E', name: 'x' }, f.code, hidden), `409 field.not_unique /data/attributes/${f.code}`)
    assert.equal(
      (await upsert({ code: 'E', name: 'x' }, f.code, hidden)).text.replace(/"id":"[^"]*"/, ''),
      plain.text.replace(/"id":"[^"]*"/, ''),
    )
    // Of such a record, those who may only change or only create learn no more than by a change or a create.
    const told = async (values: Values, by: string, token: string) => (await upsert(values, by, token)).text.replaceAll(/"id":"[^"]*"/g, '')
    const blindChanger = await token({ update: true, read: true, read_filter: `ne(${f.code},'E')` })
    assert.equal(await told({ code: 'E', name: 'x' }, f.code, blindChanger), await told({ code: 'None', name: 'x' }, f.code, blindChanger))
    const blindCreator = await token({ create: true })
    refused(await upsert({ code: 'E', name: 'x' }, f.code, blindCreator), `409 field.not_unique /data/attributes/${f.code}`)
    const looker = await token({ ...both, read_filter: `ne(${f.code},'E')`, fields: { [f.code.slice(1)]: 'read_only' } })
    assert.equal((await upsert({ code: 'E-1', name: 'read' }, f.code, looker)).status, 200)
    refused(await upsert({ code: 'E', name: 'x' }, f.code, looker), `400 attribute.read_only /data/attributes/${f.code}`)
    assert.equal(await told({ code: 'E', name: 'x' }, f.code, looker), await told({ code: 'None', name: 'x' }, f.code, looker))
    const limited = await token({ ...both, write_filter: `ne(${f.name},'closed')` })
    assert.equal((await upsert({ code: 'E', name: 'z' }, f.code, limited)).status, 200)
    refused(await upsert({ code: 'E', name: 'closed' }, f.code, limited), '403 access.denied')
    refused(await upsert({ code: 'E-3', name: 'closed' }, f.code, limited), '403 access.denied')
    assert.equal((await holds(id))[f.name], 'z')
    const blind = await token({ ...both, fields: { [f.other.slice(1)]: 'hidden' } })
    refused(await upsert({ name: 'x', other: 'x' }, f.other, blind), '400 attribute.unknown upsertBy')
  })

  it('does not read the body of a caller who has neither right', async () => {
    const announced = async (rights: Values, query: string) => {
      const group = Number(await service.make('group', { group_name: query + JSON.stringify(rights) }))
      await service.make('access', { group_id: group, table_id: table.id, read: true, ...rights })
      const head = `X-Auth-Token: ${await service.tokenOf(group)}\r\nContent-Type: ${JSON_API}\r\nContent-Length: 1000000000`
      return (await service.raw(`POST ${table.path}${query} HTTP/1.1\r\nHost: a\r\n${head}\r\n\r\n`)).slice(9, 12)
    }
    assert.equal(await announced({ update: true }, `?upsertBy=${f.code}`), '413')
    assert.equal(await announced({ create: true }, `?upsertBy=${f.code}`), '413')
    assert.equal(await announced({}, `?upsertBy=${f.code}`), '403')
    assert.equal(await announced({ update: true }, ''), '403')
  })

  it('does not count records in the trash', async () => {
    const { id } = (await upsert({ code: 'F', name: 'f' })).json.data
    await service.remove(`${table.type}/${id}`)
    const again = await upsert({ code: 'F', name: 'f' })
    assert.equal(again.status, 201)
    assert.notEqual(again.json.data.id, id)
  })

  it('makes one record of many requests at once', async () => {
    const answers = await Promise.all(Array.from({ length: 30 }, (_, i) => upsert({ code: i % 2 === 0 ? 'Г-1' : 'г-1', name: String(i) })))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [...Array.from({ length: 29 }, () => 200), 201])
    assert.equal(new Set(answers.map(({ json }) => json.data.id)).size, 1)
  })
})
