import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { resources } from '../../../src/http/resource-routes.ts'
import type { Member } from '../../../src/http/resources/resource.ts'
import { limits } from '../../../src/limits.ts'
import { faultsOf, jsonSchemas, type Json } from '../../support/openapi.ts'
import { errorsOf, startService, type Service } from '../../support/service.ts'

/* GET /api/dev/openapi.json and GET /api/dev/schema/data7: what they have, for whom, and what they leave out. */

const option = (label: string) => ({ label })

describe('documents of the structure', () => {
  let service: Service
  let table: { id: number; fields: Record<string, string> }
  let other: { id: number; fields: Record<string, string> }
  /** A manager who may read and change the first table, without two of its fields. */
  let manager: string
  let type: string
  const openapi = async (token?: string, query = ''): Promise<Json> => (await service.get(`openapi.json${query}`, token)).json
  before(async () => {
    service = await startService()
    other = await service.table('Secret suppliers', { Code: 'text' })
    table = await service.table('Companies', {
      Name: { typeName: 'text', required: true, maxLength: 40, hint: 'As in the contract.' },
      Stage: { typeName: 'list', options: [option('warm'), option("it's */ cold")], defaultValue: 'warm' },
      Tags: { typeName: 'multilist', options: [option('a'), option('b')] },
      Sum: { typeName: 'decimal', scale: 3, min: '0' },
      Supplier: { typeName: 'reference', referenceTableId: other.id },
      Number: 'autonumber',
      Hidden: 'text',
      Fixed: 'date',
      Papers: { typeName: 'file', maxFiles: 2 },
      Paid: 'boolean',
      When: 'datetime',
      Mail: 'email',
    })
    type = `data${table.id}`
    const { Hidden, Fixed } = table.fields
    const fields = { [Hidden!.slice(1)]: 'hidden', [Fixed!.slice(1)]: 'read_only' }
    await service.make('access', { group_id: 2, table_id: table.id, read: true, update: true, fields })
    manager = await service.tokenOf(2)
  })
  after(() => service.close())

  it('describe attributes by their names, with the title that people gave them', async () => {
    const { status, headers, json } = await service.get(`schema/${type}`)
    assert.equal(status, 200)
    assert.equal(headers.get('content-type'), 'application/schema+json')
    const { properties } = json.$defs.attributes
    const { Name, Stage, Sum, Number: number, Fixed } = table.fields
    assert.equal(properties[Name!].title, 'Name')
    assert.match(properties[Name!].description, /^As in the contract\. /)
    assert.deepEqual(properties[Stage!].enum, ['', 'warm', "it's */ cold"])
    assert.equal(properties[number!].readOnly, true)
    assert.match('12.500', new RegExp(properties[Sum!].pattern))
    assert.doesNotMatch('12.50', new RegExp(properties[Sum!].pattern))
    assert.ok(properties[Fixed!].examples.length > 0)
    const { create, update } = json.$defs
    assert.equal(create.properties[Name!].maxLength, 40)
    assert.deepEqual(create.required, [Name])
    assert.equal(create.properties[Stage!].default, 'warm')
    assert.equal(create.properties[number!], undefined)
    assert.equal(update.required, undefined)
  })

  it('fit what is sent and shown', async () => {
    const { Name, Stage, Tags, Sum, Papers, Paid, When, Fixed } = table.fields
    const attributes = {
      [Name!]: 'Blue Heron',
      [Stage!]: "it's */ cold",
      [Tags!]: ['a', 'b'],
      [Sum!]: 1.5,
      [Papers!]: [{ file_name: 'a.txt', content: 'x' }],
      [Paid!]: true,
      [When!]: '2024-02-29',
      [Fixed!]: null,
    }
    const ajv = jsonSchemas()
    const { json: schema } = await service.get(`schema/${type}`)
    ajv.addSchema(schema, 'table')
    const [shown, create] = [ajv.compile({ $ref: 'table' }), ajv.compile({ $ref: 'table#/$defs/create' })]
    assert.ok(create(attributes), JSON.stringify(create.errors))
    const made = await service.add(type, attributes)
    assert.equal(made.status, 201, made.text)
    assert.ok(shown(made.json.data), JSON.stringify(shown.errors))
    for (const [name, value] of [
      [Name!, ''.padEnd(41, 'x')],
      [Stage!, 'hot'],
      [Sum!, 'much'],
      [Paid!, 'perhaps'],
      ['f999', 'x'],
    ] as const) {
      assert.equal(create({ [Name!]: 'X', [name]: value }), false, name)
      assert.ok([400, 422].includes((await service.add(type, { [Name!]: 'X', [name]: value })).status), name)
    }
    assert.equal(create({}), false)
  })

  it('have what the caller may see and do, and nothing else', async () => {
    const text = JSON.stringify(await openapi(manager))
    const { Name, Hidden, Fixed } = table.fields
    for (const secret of ['Secret suppliers', `data${other.id}`, Hidden!, 'Hidden']) assert.ok(!text.includes(secret), secret)
    const { paths, components } = JSON.parse(text)
    assert.deepEqual(Object.keys(paths[`/api/dev/${type}`]).sort(), ['get', 'patch'])
    assert.deepEqual(Object.keys(paths[`/api/dev/${type}/{record}`]).sort(), ['get', 'patch'])
    assert.ok(paths['/api/dev/user'].get && !paths['/api/dev/user'].post)
    assert.equal(components.schemas[`${type}Create`], undefined)
    const changed = components.schemas[`${type}Update`].properties
    assert.ok(changed[Name!] && !changed[Fixed!])
    assert.equal(components.schemas[`${type}Attributes`].properties[Fixed!].readOnly, true)
    const schema = (await service.get(`schema/${type}`, manager)).text
    assert.ok(!schema.includes('Hidden') && !schema.includes(`data${other.id}`))
  })

  it('are narrower for tokens that only read, and for those limited to some tables', async () => {
    const reading = await openapi(await service.tokenOf(2, { scope: 'read' }))
    assert.deepEqual(Object.keys(reading.paths[`/api/dev/${type}/{record}`]), ['get'])
    const limited = await openapi(await service.tokenOf(1, { tables: [other.id] }))
    assert.equal(limited.paths[`/api/dev/${type}`], undefined)
    assert.equal(limited.paths['/api/dev/user'], undefined)
    assert.ok(limited.paths[`/api/dev/data${other.id}`].post)
  })

  it('of tables that do not exist for the caller are not found', async () => {
    const told = async (id: number) => {
      const answer = await service.get(`schema/data${id}`, manager)
      return [errorsOf(answer), answer.json.errors[0].detail.replace(String(id), 'N')]
    }
    assert.deepEqual(await told(other.id), await told(999))
    assert.deepEqual((await told(999))[0], ['404 table.not_found'])
    assert.equal((await service.get('openapi.json', null)).status, 401)
  })

  it('describe each attribute of the service’s own resources, with its meaning and whether it can be set', async () => {
    const { schemas } = (await openapi()).components
    for (const { type, members } of resources)
      for (const [name, { secret, set }] of Object.entries<Member>(members)) {
        if (secret) continue
        const { description, readOnly } = schemas[type].properties.attributes.properties[name]
        assert.match(description ?? '', /^(?!.*\]\().{4,}$/, `${type}.${name}`)
        assert.equal(readOnly, set === 'never' ? true : undefined, `${type}.${name}`)
      }
    assert.match(schemas.userCreate.properties.password.description, /8 characters/)
    assert.equal(schemas.userCreate.properties.password.writeOnly, true)
  })

  it('show the session of a browser as a way to authenticate, and what a request of another site is refused with', async () => {
    const { paths, components } = await openapi()
    assert.deepEqual([components.securitySchemes.session.in, components.securitySchemes.session.name], ['cookie', 'kartoteka_session'])
    let writing = 0
    for (const operations of Object.values<Json>(paths))
      for (const [method, { security, responses, operationId }] of Object.entries<Json>(operations)) {
        const told = components.responses[responses[403]?.$ref.split('/').at(-1)]?.description.includes('`auth.cross_site`')
        const isOwn = operationId === 'postSession' || (method !== 'get' && security.some((one: object) => 'session' in one))
        writing += Number(isOwn)
        assert.equal(told ?? false, isOwn, operationId)
      }
    assert.ok(writing > 20)
  })

  it('pass a validator', async () => {
    const document = await openapi(undefined, `?tables=${table.id}`)
    assert.ok(document.paths[`/api/dev/${type}`] && document.paths['/api/dev/data{table}'])
    assert.equal(await faultsOf(document), '')
  })

  it('keep their entity tag until the structure changes', async () => {
    for (const place of ['openapi.json', `schema/${type}`]) {
      const tag = (await service.get(place)).headers.get('etag')!
      const again = (condition: string) => service.send('GET', `/api/dev/${place}`, { headers: { 'If-None-Match': condition } })
      assert.equal((await again(tag)).status, 304)
      await service.change('field', table.fields['When']!.slice(1), { field_name: `When ${place}` })
      const { status, text } = await again(tag)
      assert.equal(status, 200)
      assert.ok(text.includes(`When ${place}`))
    }
  })
})

describe('documents of many tables', () => {
  let service: Service
  const ids: number[] = []
  before(async () => {
    service = await startService()
    for (let n = 0; n <= limits.documentTables.most; n++) ids.push((await service.table(`Table ${n}`)).id)
  })
  after(() => service.close())

  it('have as many as they may, say how many they leave out, and have those that are asked for', async () => {
    const { json } = await service.get('openapi.json')
    assert.ok(json.paths[`/api/dev/data${ids[0]}`] && !json.paths[`/api/dev/data${ids.at(-1)}`])
    assert.match(json.info.description, / 1 table is left out/)
    assert.ok(json.paths['/api/dev/data{table}/{record}'].get)
    const asked = await service.get(`openapi.json?tables=${ids.at(-1)}`)
    assert.ok(asked.json.paths[`/api/dev/data${ids.at(-1)}`] && !asked.json.paths[`/api/dev/data${ids[0]}`])
  })

  it('list no more labels than fit, and end with the table in which they have become too long', async () => {
    // Those of one field fit, those of two do not.
    const length = Math.floor(limits.documentLabels.most / 1_300)
    const labels = (letter: string) => Array.from({ length: 1_000 }, (_, n) => option(letter.repeat(length) + n))
    const [a, b] = ['a', 'b'].map((letter) => ({ typeName: 'list', options: labels(letter) }))
    const big = await service.table('Labels', { A: a!, B: b! })
    const { A, B } = big.fields
    const { properties } = (await service.get(`schema/data${big.id}`)).json.$defs.attributes
    assert.equal(properties[A!].enum.length, 1_001)
    assert.equal(properties[B!].enum, undefined)
    assert.equal(properties[B!].type, 'string')
    const many = [big.id]
    for (let n = 0; n < 7; n++) many.push((await service.table(`More ${n}`, { A: a! })).id)
    const { text, json } = await service.get(`openapi.json?tables=${many.join(',')}`)
    assert.ok(text.length > limits.documentBytes.most && text.length < limits.documentBytes.most + 2_000_000)
    assert.equal(json.paths[`/api/dev/data${many.at(-1)}`], undefined)
    assert.match(json.info.description, /tables are left out/)
  })
})
