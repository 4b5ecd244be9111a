import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { routes } from '../../src/http/routes.ts'
import { addressOf, startWorld, type World } from './world.ts'

/* JSON:API 1.1, "Query Parameters" and "Query Parameters Details". */

let world: World
before(async () => void (world = await startWorld()))
after(() => world.service.close())

/** The families of the standard. */
const families = /^(filter|sort|include|page\[\w+\]|fields\[\w+\])$/

/** Parameters of our own with small letters only (DECISIONS H46). Every other one has a capital letter. */
const small = [
  'after', 'filename', 'function', 'lifetime', 'link', 'record', 'table', 'tables', 'text', 'thumbnail', 'user',
] // prettier-ignore

/** Which routes are refused for something else before their parameters are read: rights and existence come first (DECISIONS A21). */
const before400 = [403, 404, 415]

describe('JSON:API 1.1, query parameters', () => {
  it('those of our own have a character other than a-z in their names, except the ones listed', () => {
    const names = new Set(routes.flatMap(({ query }) => Object.keys(query)).filter((name) => !families.test(name)))
    assert.deepEqual([...names].filter((name) => /^[a-z]+$/.test(name)).sort(), small)
    for (const name of names) assert.match(name, /^[a-zA-Z_]+$/)
  })

  it('every route answers 400 to a parameter that it does not know, and to one of the standard that it does not support', async () => {
    const { service } = world
    let refused = 0
    for (const route of routes.filter(({ path }) => !path.startsWith('/api/dev/session')))
      for (const parameter of ['unknown', 'include', 'sort', 'page[other]', 'fields[other]', 'Own']) {
        if (parameter in route.query) continue
        const address = `${addressOf(world, route.path)}?${parameter}=other`
        const { status, json } = await service.send(route.method, address, route.takes ? { body: {} } : {})
        if (before400.includes(status)) continue
        refused++
        assert.deepEqual([status, json.errors[0].source], [400, { parameter }], `${route.method} ${address}`)
      }
    assert.ok(refused > routes.length * 3, String(refused))
  })

  it('square brackets may stand bare or percent-encoded, and mean the same', async () => {
    const { service, people } = world
    const [bare, encoded] = [await service.get(`${people}?page[limit]=1`), await service.get(`${people}?page%5Blimit%5D=1`)]
    assert.deepEqual(bare.json, encoded.json)
    assert.equal(bare.json.meta.limit, '1')
  })

  it('are form-decoded: + is a blank, and so is %20', async () => {
    const { service, people, name } = world
    await service.make(people, { [name]: 'two words' })
    for (const text of ['two+words', 'two%20words'])
      assert.equal((await service.get(`${people}?filter=eq(${name},'${text}')`)).json.data.length, 1, text)
  })
})
