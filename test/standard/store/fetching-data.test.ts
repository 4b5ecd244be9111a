import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { errorsOf } from '../../support/service.ts'
import { startWorld, type World } from '../world.ts'

/* JSON:API 1.1, "Fetching Data"; compound documents have a file of their own. */

let world: World
before(async () => void (world = await startWorld()))
after(() => world.service.close())

const get = (path: string) => world.service.get(path)

describe('JSON:API 1.1, fetching data', () => {
  it('every link that answers give can be fetched: self of resources and documents, related, self of relationships, pages', async () => {
    const { people, ana, toHome, toVisited, cities, porto, inhabitants, service } = world
    const documents = [
      `${people}/${ana}?include=${toHome},${toVisited}`,
      `${people}?page[limit]=1`,
      `${people}?page[number]=1&page[size]=1`,
      `${people}?page[size]=1`,
      `${cities}/${porto}?include=${inhabitants}`,
      `${people}/${ana}/relationships/${toVisited}`,
      `${people}/${ana}/${toVisited}`,
    ]
    for (const path of documents) {
      const { text } = await get(path)
      for (const [, link] of text.matchAll(/"(?:self|related|first|last|next|prev|describedby)":"([^"]+)"/g)) {
        const { status } = await service.send('GET', link!.replace(service.url, ''))
        assert.equal(status, 200, link)
      }
    }
  })

  it('a list is 200 with an array, a resource 200 with an object, an empty related resource 200 with null', async () => {
    const { people, ana, toHome, service } = world
    const list = await get(people)
    assert.deepEqual([list.status, Array.isArray(list.json.data)], [200, true])
    const none = await get(`${people}?filter=eq(id,0)`)
    assert.deepEqual([none.status, none.json.data], [200, []])
    const one = await get(`${people}/${ana}`)
    assert.deepEqual([one.status, one.json.data.id], [200, ana])
    const alone = await service.make(people, {})
    const empty = await get(`${people}/${alone}/${toHome}`)
    assert.deepEqual([empty.status, empty.json.data], [200, null])
  })

  it('404 for a resource, a relationship and a related resource that do not exist', async () => {
    const { people, ana, toHome, toVisited } = world
    for (const path of [`${people}/999`, `${people}/${ana}/r999`, `${people}/${ana}/relationships/r999`, `${people}/999/${toHome}`])
      assert.equal((await get(path)).status, 404, path)
    assert.equal((await get(`${people}/999/relationships/${toVisited}`)).status, 404)
    assert.equal((await get('data999')).status, 404)
  })

  it('an empty relationship is 200 with null, or with an empty array', async () => {
    const { people, toHome, toVisited, service } = world
    const alone = await service.make(people, {})
    const linkage = async (name: string) => {
      const { status, json } = await get(`${people}/${alone}/relationships/${name}`)
      return [status, json.data]
    }
    assert.deepEqual([await linkage(toHome), await linkage(toVisited)], [[200, null], [200, []]]) // prettier-ignore
  })

  it('a related link does not change with the content of its relationship', async () => {
    const { people, ana, toHome, cities, lyon, porto, service } = world
    const links = async () => (await get(`${people}/${ana}?include=${toHome}`)).json.data.relationships[toHome].links
    const before = await links()
    for (const data of [{ type: cities, id: lyon }, null, { type: cities, id: porto }]) {
      assert.equal((await service.call('PATCH', `${people}/${ana}/relationships/${toHome}`, { data })).status, 204)
      assert.deepEqual(await links(), before)
    }
  })

  it('fields[…] shows the fields named and no other, none if it is empty', async () => {
    const { people, ana, name, age } = world
    const shown = async (fields: string) => {
      const { attributes, relationships } = (await get(`${people}/${ana}?fields[${people}]=${fields}`)).json.data
      return Object.keys({ ...attributes, ...relationships }).sort()
    }
    assert.deepEqual(await shown(`${name},${age}`), [age, name].sort())
    assert.deepEqual(await shown(''), [])
    assert.deepEqual(await shown(world.toHome), [world.toHome])
  })

  it('sort is ascending, with - descending, by several fields; by what cannot be sorted it is 400', async () => {
    const { people, name, age, service } = world
    for (const [who, years] of [['Bea', 20], ['Cid', 20]] as const) await service.make(people, { [name]: who, [age]: years }) // prettier-ignore
    const names = async (sort: string) =>
      (await get(`${people}?filter=ne(${name},'')&sort=${sort}`)).json.data.map((one: { attributes: Record<string, string> }) => one.attributes[name]) // prettier-ignore
    assert.deepEqual(await names(name), ['Ana', 'Bea', 'Cid'])
    assert.deepEqual(await names(`-${name}`), ['Cid', 'Bea', 'Ana'])
    assert.deepEqual(await names(`${age},-${name}`), ['Cid', 'Bea', 'Ana'])
    assert.deepEqual(errorsOf(await get(`${people}?sort=nothing`)), ['400 sort.unknown_attribute sort'])
  })

  it('pages have links named first, last, prev and next, left out or null where there is no such page', async () => {
    const { people } = world
    const links = async (query: string) => (await get(`${people}?${query}`)).json.links
    const first = await links('page[limit]=1')
    assert.ok(first.last && first.next && !('prev' in first))
    const middle = await links('page[limit]=1&page[offset]=1')
    assert.ok(middle.first && middle.prev && middle.next)
    assert.equal((await links('page[size]=1')).prev, null)
    assert.ok(!('prev' in (await links('page[number]=1&page[size]=1'))))
  })
})
