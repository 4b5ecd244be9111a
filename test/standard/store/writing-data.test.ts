import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { routes } from '../../../src/http/routes.ts'
import { errorsOf } from '../../support/service.ts'
import { makeOneOfEach, startWorld, type World } from '../world.ts'

/* JSON:API 1.1, "Creating, Updating and Deleting Resources". */

let world: World
before(async () => {
  world = await startWorld()
  await makeOneOfEach(world)
})
after(() => world.service.close())

/** The routes of this method with this path, by the type of their resources; a session needs a browser. */
const typesOf = (method: string, path: RegExp): string[] =>
  routes.flatMap((route) => (route.method === method && route.path !== '/api/dev/session' ? (path.exec(route.path)?.[1] ?? []) : []))
const POSTED = /^\/api\/dev\/((?!operations)[a-z]+)$/
const PATCHED = /^\/api\/dev\/([a-z]+)\/\{id\}$/

describe('JSON:API 1.1, creating resources', () => {
  it('201 with the resource, and Location equal to links.self', async () => {
    const { service, people } = world
    const { status, headers, json } = await service.add(people, {})
    assert.deepEqual([status, headers.get('location')], [201, json.data.links.self])
    const category = await service.add('category', { category_name: 'y' })
    assert.deepEqual([category.status, category.headers.get('location')], [201, category.json.data.links.self])
  })

  it('an id that the client gives is 403, for every type', async () => {
    const { service, people } = world
    const types = typesOf('POST', POSTED)
    assert.ok(types.length > 10, types.join())
    for (const type of [people, ...types])
      assert.equal((await service.call('POST', type, { data: { type, id: 'a1', attributes: {} } })).status, 403, type)
  })

  it('another type than that of the collection is 409, for every type', async () => {
    const { service, people } = world
    for (const path of [people, ...typesOf('POST', POSTED)])
      assert.deepEqual(
        errorsOf(await service.call('POST', path, { data: { type: 'other' } })),
        ['409 document.wrong_type /data/type'],
        path,
      )
  })

  it('a document without data or type, with several resources, or with a relationship without data is 400', async () => {
    const { service, people, toHome } = world
    for (const document of [
      {},
      { data: null },
      { data: {} },
      { data: [{ type: people }] },
      { data: { type: people, attributes: [] } },
      { data: { type: people, relationships: [] } },
      { data: { type: people, relationships: { [toHome]: {} } } },
    ])
      assert.equal((await service.call('POST', people, document)).status, 400, JSON.stringify(document))
  })

  it('relationships are set as the document says', async () => {
    const { service, people, cities, porto, toHome } = world
    const relationships = { [toHome]: { data: { type: cities, id: porto } } }
    const { json } = await service.call('POST', people, { data: { type: people, relationships } })
    assert.equal(json.data.attributes[world.home], porto)
  })

  it('one wrong attribute, and nothing is created or changed', async () => {
    const { service, people, ana, name, age } = world
    const count = async () => (await service.get(people)).json.meta.total
    const before = await count()
    assert.equal((await service.add(people, { [name]: 'x', [age]: 'x' })).status, 422)
    assert.equal((await service.change(people, ana, { [name]: 'x', [age]: 'x' })).status, 422)
    assert.equal(await count(), before)
    assert.equal((await service.get(`${people}/${ana}`)).json.data.attributes[name], 'Ana')
  })
})

describe('JSON:API 1.1, updating resources', () => {
  it('200 with the resource; attributes and relationships that are not sent stay', async () => {
    const { service, people, ana, age, toHome } = world
    const whole = async () => (await service.get(`${people}/${ana}?include=${toHome}`)).json.data
    const before = await whole()
    const { status, json } = await service.change(people, ana, { [age]: 31 })
    assert.deepEqual([status, json.data.attributes], [200, { ...before.attributes, [age]: '31' }])
    assert.deepEqual((await whole()).relationships, before.relationships)
    assert.equal((await service.call('PATCH', `${people}/${ana}`, { data: { type: people, id: ana } })).status, 200)
  })

  it('without type or id 400, with another type or id 409, for every type', async () => {
    const { service, people, ana } = world
    const addresses = [[people, ana], ...typesOf('PATCH', PATCHED).map((type) => [type, '1'])] as [string, string][]
    assert.ok(addresses.length > 8)
    for (const [type, id] of addresses) {
      const send = async (data: object) => (await service.call('PATCH', `${type}/${id}`, { data })).status
      if ((await service.get(`${type}/${id}`)).status === 404) continue
      assert.deepEqual([await send({ id }), await send({ type })], [400, 400], type)
      assert.deepEqual([await send({ type: 'other', id }), await send({ type, id: '99' })], [409, 409], type)
    }
  })

  it('a relationship without data is 400, and what cannot be written 403', async () => {
    const { service, people, cities, ana, porto, toHome, inhabitants } = world
    const send = (type: string, id: string, relationships: object) =>
      service.call('PATCH', `${type}/${id}`, { data: { type, id, relationships } })
    assert.equal((await send(people, ana, { [toHome]: {} })).status, 400)
    assert.equal((await send(cities, porto, { [inhabitants]: { data: [] } })).status, 403)
  })

  it('404 where the resource does not exist', async () => {
    const { service, people } = world
    assert.equal((await service.change(people, '999', {})).status, 404)
    assert.equal((await service.change('category', '999', {})).status, 404)
  })
})

describe('JSON:API 1.1, updating relationships', () => {
  const identifiers = (...ids: string[]) => ({ data: ids.map((id) => ({ type: world.cities, id })) })
  const address = () => `${world.people}/${world.ana}/relationships/${world.toVisited}`
  const send = async (method: string, body: object, path = address()) => world.service.call(method, path, body)
  const held = async () => (await world.service.get(address())).json.data.map(({ id }: { id: string }) => id)

  it('PATCH replaces all members, and sets or empties a relationship to one', async () => {
    const { people, ana, cities, porto, lyon, toHome, service } = world
    assert.equal((await send('PATCH', identifiers(lyon))).status, 204)
    assert.deepEqual(await held(), [lyon])
    assert.equal((await send('PATCH', identifiers())).status, 204)
    assert.deepEqual(await held(), [])
    const one = `${people}/${ana}/relationships/${toHome}`
    for (const data of [null, { type: cities, id: porto }]) {
      assert.equal((await send('PATCH', { data }, one)).status, 204)
      assert.deepEqual((await service.get(one)).json.data, data)
    }
  })

  it('POST adds members, those that are there already not again', async () => {
    const { porto, lyon } = world
    await send('PATCH', identifiers())
    assert.equal((await send('POST', identifiers(porto))).status, 204)
    assert.equal((await send('POST', identifiers(lyon, porto, lyon))).status, 204)
    assert.deepEqual(await held(), [porto, lyon])
    assert.equal((await send('POST', identifiers())).status, 204)
    assert.deepEqual(errorsOf(await send('POST', identifiers('999'))), ['422 field.invalid_value /data'])
    assert.deepEqual(await held(), [porto, lyon])
  })

  it('DELETE removes members; those that are not there are no error', async () => {
    const { porto, lyon } = world
    await send('PATCH', identifiers(porto, lyon))
    assert.equal((await send('DELETE', identifiers(porto))).status, 204)
    assert.equal((await send('DELETE', identifiers(porto, '999'))).status, 204)
    assert.deepEqual(await held(), [lyon])
  })

  it('POST and DELETE of two clients at once do not lose each other’s members', async () => {
    const { porto, lyon } = world
    await send('PATCH', identifiers())
    await Promise.all([send('POST', identifiers(porto)), send('POST', identifiers(lyon))])
    assert.deepEqual((await held()).sort(), [porto, lyon].sort())
    await Promise.all([send('DELETE', identifiers(porto)), send('DELETE', identifiers(lyon))])
    assert.deepEqual(await held(), [])
  })

  it('POST and DELETE of a relationship to one are 403, before the body is read', async () => {
    const { people, ana, toHome } = world
    for (const method of ['POST', 'DELETE'])
      assert.deepEqual(errorsOf(await send(method, {}, `${people}/${ana}/relationships/${toHome}`)), ['403 relationship.to_one'], method)
  })

  it('documents without data, with identifiers of another type, or with one instead of several are refused', async () => {
    const { people, ana, cities, porto } = world
    for (const method of ['PATCH', 'POST', 'DELETE']) {
      assert.equal((await send(method, {})).status, 400, method)
      assert.equal((await send(method, { data: null })).status, 400, method)
      assert.equal((await send(method, { data: { type: cities, id: porto } })).status, 400, method)
      assert.equal((await send(method, { data: [{ type: cities }] })).status, 400, method)
      assert.equal((await send(method, { data: [{ type: people, id: ana }] })).status, 409, method)
      assert.equal((await send(method, identifiers(porto), address().replace(`/${ana}/`, '/999/'))).status, 404, method)
    }
  })

  it('take If-Match as a change of the record does', async () => {
    const { service, people, ana, porto } = world
    const etag = (await service.get(`${people}/${ana}`)).headers.get('etag')!
    const add = (tag: string) => service.send('POST', `/api/dev/${address()}`, { headers: { 'If-Match': tag }, body: identifiers(porto) })
    assert.equal((await add(etag)).status, 204)
    assert.equal((await add(etag)).status, 412)
  })
})

describe('JSON:API 1.1, deleting resources', () => {
  it('200 with a document without data; then, and where there was none, 404', async () => {
    const { service, people } = world
    const id = await service.make(people, {})
    const { status, json } = await service.remove(`${people}/${id}`)
    assert.deepEqual([status, 'data' in json], [200, false])
    assert.equal((await service.remove(`${people}/${id}`)).status, 404)
    const category = await service.make('category', { category_name: 'z' })
    assert.deepEqual([(await service.remove(`category/${category}`)).status, (await service.remove('category/999')).status], [200, 404])
  })

  it('what is accepted for later is 202 with a job, and nothing else is', () => {
    const later = routes.flatMap(({ method, path, answers }) =>
      [answers].flat().flatMap(({ status, types }) => (status === 202 ? [[`${method} ${path}`, types] as const] : [])),
    )
    assert.ok(later.length > 0)
    for (const [name, types] of later) assert.deepEqual(types, ['job'], name)
  })
})
