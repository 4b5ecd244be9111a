import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { routes } from '../../src/http/routes.ts'
import { jsonApiFaults } from '../support/json-api-faults.ts'
import { JSON_API } from '../support/service.ts'
import { addressOf, makeOneOfEach, startWorld, type World } from './world.ts'

/*
 * JSON:API 1.1, "Document Structure". What is required of documents is in test/support/json-api-faults.ts, which judges every answer
 * that tests get; here it is shown that it finds what is wrong, and that every route is judged.
 */

let world: World
before(async () => {
  world = await startWorld()
  await makeOneOfEach(world)
})
after(() => world.service.close())

const jsonapi = { version: '1.1' }
const one = { type: 'data1', id: '1' }
const linked = (data: unknown) => ({ ...one, relationships: { r: { data } } })
const faults = (document: unknown, more: object = {}) =>
  jsonApiFaults({ method: 'GET', status: 200, contentType: JSON_API, location: null, document, url: '/', ...more })
const error = { id: 'x', status: '400', code: 'x', title: 'x', detail: 'x' }

/** Documents that break a rule: each is the answer with status 200 unless it has errors. */
const wrong: Readonly<Record<string, readonly unknown[]>> = {
  'a document that is no object': [[], null, 'x'],
  'a document without data, errors and meta': [{ jsonapi }, { links: {}, jsonapi }],
  'data beside errors': [{ data: null, errors: [error], jsonapi }],
  'included without data': [{ meta: {}, included: [], jsonapi }],
  'members that the standard does not know': [
    { data: null, more: 1, jsonapi },
    { data: { ...one, more: 1 }, jsonapi },
    { data: linked({ ...one, more: 1 }), jsonapi },
    { data: { ...one, relationships: { r: { links: { self: '/x' }, more: 1 } } }, jsonapi },
  ],
  'primary data that is no resource': [
    { data: 'x', jsonapi },
    { data: [null], jsonapi },
  ],
  'a resource without type or id': [
    { data: { id: '1' }, jsonapi },
    { data: { type: 'data1' }, jsonapi },
  ],
  'a type or id that is no string': [
    { data: { type: 1, id: '1' }, jsonapi },
    { data: { type: 'data1', id: 1 }, jsonapi },
  ],
  'a type that is no member name': [{ data: { type: 'a.b', id: '1' }, jsonapi }],
  'a resource that is there twice': [
    { data: [one, one], jsonapi },
    { data: linked(one), included: [one], jsonapi },
  ],
  'a field that is called type or id, or an attribute and a relationship of one name': [
    { data: { ...one, attributes: { id: 1 } }, jsonapi },
    { data: { ...one, attributes: { r: 1 }, relationships: { r: { data: null } } }, jsonapi },
  ],
  'attributes or relationships that are no object': [
    { data: { ...one, attributes: [] }, jsonapi },
    { data: { ...one, relationships: [] }, jsonapi },
    { data: { ...one, relationships: { r: null } }, jsonapi },
  ],
  'a relationship without links, data and meta, or with links but neither self nor related': [
    { data: { ...one, relationships: { r: {} } }, jsonapi },
    { data: { ...one, relationships: { r: { links: { next: '/x' } } } }, jsonapi },
  ],
  'linkage that is no identifier': [
    { data: linked('x'), jsonapi },
    { data: linked([{ type: 'data1' }]), jsonapi },
    { data: linked({ id: '1' }), jsonapi },
  ],
  'an included resource that nothing links to': [{ data: one, included: [{ type: 'data2', id: '1' }], jsonapi }],
  'included that is no array': [{ data: one, included: {}, jsonapi }],
  'meta that is no object': [
    { meta: [], jsonapi },
    { data: { ...one, meta: 1 }, jsonapi },
  ],
  'links that are no object, or a link that is none': [
    { data: null, links: [], jsonapi },
    { data: null, links: { self: 1 }, jsonapi },
    { data: null, links: { self: { href: '/x', more: 1 } }, jsonapi },
  ],
  'a jsonapi member that is no object': [
    { data: null, jsonapi: '1.1' },
    { data: null, jsonapi: { ...jsonapi, more: 1 } },
  ],
  'names with reserved characters': [
    { data: { ...one, attributes: { 'a.b': 1 } }, jsonapi },
    { data: { ...one, attributes: { '': 1 } }, jsonapi },
    { data: { ...one, attributes: { _a: 1 } }, jsonapi },
    { meta: { 'a+b': 1 }, jsonapi },
  ],
}

describe('JSON:API 1.1, document structure', () => {
  for (const [what, documents] of Object.entries(wrong))
    it(`the judge of all answers reports ${what}`, () => {
      for (const document of documents) {
        const status = typeof document === 'object' && document !== null && 'errors' in document ? 400 : 200
        assert.notDeepEqual(faults(document, { status }), [], JSON.stringify(document))
      }
    })

  it('the judge reports no fault of right documents', () => {
    for (const document of [
      { data: null, jsonapi },
      { data: [], links: { self: '/x', next: null }, meta: { a: 1 }, jsonapi },
      { data: linked({ ...one, id: '2' }), included: [{ type: 'data1', id: '2' }], jsonapi },
      { data: { ...one, attributes: { 'Имя поля': 1, '@at': 2 } }, jsonapi },
    ])
      assert.deepEqual(faults(document), [])
    assert.deepEqual(faults({ errors: [error], jsonapi }, { status: 400 }), [])
  })

  // The answers are judged by Service.send.
  it('every route that answers GET was judged', async () => {
    for (const { path } of routes.filter(({ method, path: of }) => method === 'GET' && of !== '/api/dev/events')) {
      const { status, text } = await world.service.send('GET', addressOf(world, path))
      assert.ok(status < 500 && text !== '', path)
    }
  })

  it('an answer whose data is a collection has an array, also where it has one resource or none', async () => {
    for (const [filter, count] of [
      ['eq(id,1)', 1],
      ['eq(id,0)', 0],
    ] as const)
      // prettier-ignore
      assert.equal((await world.service.get(`${world.people}?filter=${filter}`)).json.data.length, count)
  })

  it('the self link of every resource leads to it', async () => {
    const { service, people, ana } = world
    const followed = new Set<string>()
    const lists = Object.values<string>((await service.get('')).json.links).filter((path) => !path.endsWith('.json'))
    for (const path of [...lists, '/api/dev/me', `/api/dev/${people}/${ana}/history`, '/api/dev/search?text=ana'])
      for (const { type, id, links } of [(await service.send('GET', path)).json.data].flat().slice(0, 2)) {
        followed.add(type)
        if (links.self === undefined) continue
        const { status, json } = await service.send('GET', links.self)
        assert.deepEqual([status, json?.data?.type, json?.data?.id], [200, type, id], links.self)
      }
    assert.ok(followed.size > 20, [...followed].join())
  })

  it('type and id name one resource: no list shows a pair twice, and what is asked for by them is it', async () => {
    const { json } = await world.service.get('user')
    for (const { type, id } of json.data) assert.deepEqual((await world.service.get(`${type}/${id}`)).json.data.id, id)
  })

  it('members that the standard does not know, and @-members, are ignored in requests', async () => {
    const { service, people, name, toHome, cities, porto } = world
    const linkage = { type: cities, id: porto, '@x': 1, more: 1 }
    const relationships = { [toHome]: { data: linkage, '@x': 1, more: 1 }, '@x': { data: null } }
    const data = { type: people, attributes: { [name]: 'At', '@x': 1 }, relationships, '@x': 1, more: 1, 'ext:more': 1 }
    const made = await service.call('POST', `${people}?include=${toHome}`, { data, '@x': 1, more: 1, 'ext:more': 1 })
    assert.equal(made.status, 201, made.text)
    const { id, attributes } = made.json.data
    assert.equal(attributes[name], 'At')
    assert.equal(attributes['@x'], undefined)
    assert.deepEqual(made.json.data.relationships[toHome].data, { type: cities, id: porto })
    const changed = await service.change(people, id, { '@x': 1, [name]: 'Again' })
    assert.deepEqual([changed.status, changed.json.data.attributes[name]], [200, 'Again'])
    const operations = [{ op: 'update', data: { type: people, id, attributes: { '@x': 1 }, relationships: { '@x': 1 } }, '@x': 1 }]
    const headers = { 'Content-Type': `${JSON_API};ext="https://jsonapi.org/ext/atomic"` }
    assert.equal((await service.send('POST', '/api/dev/operations', { headers, body: { 'atomic:operations': operations } })).status, 200)
    assert.equal((await service.add('category', { category_name: 'At', '@x': 1 })).status, 201)
    const bulk = await service.call('PATCH', `${people}?filter=eq(id,${id})`, { data: { type: people, attributes: { '@x': 1 } } })
    assert.equal(bulk.status, 200, bulk.text)
  })

  it('member names are case sensitive', async () => {
    const { service, people, name } = world
    assert.equal((await service.add(people, { [name.toUpperCase()]: 'x' })).json.errors[0].code, 'attribute.unknown')
    assert.equal((await service.call('POST', people, { Data: { type: people } })).json.errors[0].code, 'document.missing_member')
  })
})
