import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { errorsOf, startService, type Service } from '../../support/service.ts'

/* JSON:API 1.1, as far as it is about compound documents and relationships. */

let service: Service
let cities: string
let people: string
let city: string
let home: string
let friends: string
let back: string
let name: string

before(async () => {
  service = await startService()
  const towns = await service.table('Cities', { city: 'text' })
  cities = `data${towns.id}`
  city = towns.fields['city']!
  const of = await service.table('People', { name: 'text', home: { typeName: 'reference', referenceTableId: towns.id } })
  people = `data${of.id}`
  name = of.fields['name']!
  home = `r${of.fields['home']!.slice(1)}`
  back = `${people}_${home}`
  const more = { table_id: of.id, field_name: 'friends', field_type: 'references', reference_table_id: of.id }
  friends = `r${await service.make('field', more)}`
  await service.make(cities, { [city]: 'Porto' })
  for (const attributes of [{}, { [`f${friends.slice(1)}`]: '-1-' }, { [`f${friends.slice(1)}`]: '-2-1-' }])
    await service.make(people, { [name]: 'x', [`f${home.slice(1)}`]: '1', ...attributes })
})
after(() => service.close())

const get = async (path: string) => (await service.get(path)).json

/** Every resource object of a document. */
const resources = ({ data, included = [] }: { data: unknown; included?: unknown[] }) =>
  [...[data].flat(), ...included] as { type: string; id: string; relationships?: Record<string, { data: object; links: object }> }[]

describe('JSON:API 1.1, compound documents', () => {
  it('relationships: a relationship object has links or data; self and related are its addresses', async () => {
    const { data } = await get(`${people}/1?include=${home}`)
    const { links } = data.relationships[home]
    assert.deepEqual(links, { self: `/api/dev/${people}/1/relationships/${home}`, related: `/api/dev/${people}/1/${home}` })
    for (const address of Object.values<string>(links)) assert.equal((await service.send('GET', address)).status, 200)
  })

  it('related links: the related link of a relationship names the resource of its linkage', async () => {
    const { data } = await get(`${people}/1?include=${home}`)
    const related = await service.send('GET', data.relationships[home].links.related)
    const { type, id } = related.json.data
    assert.deepEqual(data.relationships[home].data, { type, id })
  })

  it('resource linkage: null for an empty to-one relationship, an empty array for an empty to-many one', async () => {
    const alone = await service.make(people, {})
    const { data } = await get(`${people}/${alone}?include=${home},${friends}`)
    assert.equal(data.relationships[home].data, null)
    assert.deepEqual(data.relationships[friends].data, [])
    await service.remove(`${people}/${alone}`)
  })

  it('compound documents: full linkage, and each resource once, those of the primary data not again', async () => {
    const document = await get(`${people}?include=${home},${friends},${friends}.${home},${home}.${back}`)
    const all = resources(document).map(({ type, id }) => `${type}/${id}`)
    assert.equal(new Set(all).size, all.length)
    const linked = new Set(
      resources(document).flatMap(({ relationships = {} }) =>
        Object.values(relationships).flatMap(({ data }) => [data].flat().map((one) => Object.values(one as object).join('/'))),
      ),
    )
    for (const one of document.included) assert.ok(linked.has(`${one.type}/${one.id}`))
    assert.deepEqual(
      document.included.map(({ type }: { type: string }) => type),
      [cities],
    )
  })

  it('fetching resources: a related link of an empty to-one relationship answers 200 with null', async () => {
    const alone = await service.make(people, {})
    const answer = await service.get(`${people}/${alone}/${home}`)
    assert.deepEqual([answer.status, answer.json.data], [200, null])
    await service.remove(`${people}/${alone}`)
  })

  it('fetching relationships: the linkage, with links; 404 where there is no such relationship', async () => {
    assert.deepEqual(
      (await get(`${people}/3/relationships/${friends}`)).data,
      [2, 1].map((id) => ({ type: people, id: String(id) })),
    )
    const one = await get(`${people}/3/relationships/${home}`)
    assert.deepEqual(one.data, { type: cities, id: '1' })
    assert.deepEqual(Object.keys(one.links), ['self', 'related'])
    for (const path of ['r999', 'data999_r1', 'x', 'name']) {
      assert.equal((await service.get(`${people}/3/relationships/${path}`)).status, 404)
      assert.equal((await service.get(`${people}/3/${path}`)).status, 404)
    }
  })

  it('inclusion: without include nothing is included, and an empty include has an empty array', async () => {
    const plain = await get(`${people}/1`)
    assert.deepEqual(Object.keys(plain), ['data', 'jsonapi'])
    assert.deepEqual(Object.keys(plain.data), ['type', 'id', 'attributes', 'links'])
    const empty = await get(`${people}/1?include=`)
    assert.deepEqual(empty.included, [])
    assert.deepEqual(empty.data, plain.data)
    assert.deepEqual((await get(`${people}?include=`)).included, [])
  })

  it('inclusion: only what was asked for; the resources along a path too', async () => {
    const document = await get(`${cities}/1?include=${back}.${friends}`)
    assert.deepEqual(
      document.included.map(({ type, id }: Record<string, string>) => `${type}/${id}`).sort(),
      [1, 2, 3].map((id) => `${people}/${id}`),
    )
    for (const one of document.included) assert.deepEqual(Object.keys(one.relationships), [friends])
  })

  it('inclusion: 400 with source.parameter for a path that does not exist', async () => {
    for (const path of [
      'x',
      'r999',
      'data999_r1',
      name,
      `${home}.x`,
      `${home}.${home}`,
      `${home},`,
      '.',
      `${home}.`,
      `${friends}.${friends}.${friends}`,
    ])
      for (const from of [`${people}/1`, people])
        assert.deepEqual(errorsOf(await service.get(`${from}?include=${path}`)), ['400 parameter.invalid include'], path)
    const many = (count: number) => service.get(`${people}/1?include=${Array.from({ length: count }, () => home).join(',')}`)
    assert.equal((await many(16)).status, 200)
    assert.deepEqual(errorsOf(await many(17)), ['400 parameter.invalid include'])
    assert.deepEqual(errorsOf(await service.call('POST', `${people}/search?include=x`, { meta: {} })), ['400 parameter.invalid include'])
  })

  it('sparse fieldsets: fields names attributes and relationships of every type of the document', async () => {
    const document = await get(`${people}/1?include=${home}&fields[${people}]=${home}&fields[${cities}]=${city}`)
    assert.deepEqual(document.data.attributes, {})
    assert.deepEqual(document.data.relationships[home].data, { type: cities, id: '1' })
    assert.deepEqual(document.included[0].attributes, { [city]: 'Porto' })
    const without = await get(`${people}/1?include=${home}&fields[${people}]=${name}`)
    assert.equal(without.data.relationships, undefined)
    assert.equal(without.included.length, 1)
    // A relationship that is named and not included has links only.
    const named = await get(`${people}/1?fields[${people}]=${name},${home}`)
    assert.deepEqual(Object.keys(named.data.relationships[home]), ['links'])
    assert.equal(named.included, undefined)
    assert.deepEqual(errorsOf(await service.get(`${people}/1?fields[${cities}]=${city}`)), [`400 parameter.unknown fields[${cities}]`])
    assert.deepEqual(errorsOf(await service.get(`${people}/1?include=${home}&fields[${cities}]=x`)), [
      `400 attribute.unknown fields[${cities}]`,
    ])
  })

  it('updating relationships: 204 without a body', async () => {
    const answer = await service.call('PATCH', `${people}/1/relationships/${friends}`, { data: [{ type: people, id: '3' }] })
    assert.deepEqual([answer.status, answer.text], [204, ''])
    assert.deepEqual((await get(`${people}/1/relationships/${friends}`)).data, [{ type: people, id: '3' }])
  })
})
