import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { inspect } from 'node:util'
import { after, before, describe, it } from 'node:test'
import { startService, type Service } from '../support/service.ts'

/*
 * Ready-made clients of JSON:API, unmodified from the registry (clients/package.json): each does the same with a table, by the calls that
 * it has for it.
 */

interface Calls {
  create(attributes: object): Promise<string>
  /** Ids of the records with this value in f1. */
  filtered(value: string): Promise<string[]>
  page(number: number, size: number): Promise<string[]>
  /** The value of f1. */
  read(id: string): Promise<string>
  change(id: string, attributes: object): Promise<unknown>
  remove(id: string): Promise<unknown>
}

const folder = new URL('../../clients/', import.meta.url)
const clients = readdirSync(folder).filter((name) => name.endsWith('.mjs') && !['plain.mjs', 'browser.mjs'].includes(name))

let service: Service
before(async () => (service = await startService()))
after(() => service.close())

describe('ready-made clients', () => {
  for (const client of clients)
    it(client.replace('.mjs', ''), async () => {
      const table = await service.table(client, { name: { typeName: 'text', required: true }, age: 'integer' })
      const [f1, f2] = [table.fields['name']!, table.fields['age']!]
      const { default: make } = (await import(new URL(client, folder).href)) as { default(of: object): Calls | Promise<Calls> }
      const calls = await make({ base: `${service.url}/api/dev`, token: service.token, type: `data${table.id}`, f1, f2 })
      const ids: string[] = []
      for (const name of ['Ana', 'Bruno', 'Carla', 'Davi', 'Eva']) ids.push(await calls.create({ [f1]: name, [f2]: '30' }))
      assert.equal(new Set(ids).size, 5)
      assert.deepEqual(await calls.filtered('Carla'), [ids[2]])
      assert.deepEqual(await calls.page(2, 2), [ids[2], ids[3]])
      assert.equal(await calls.read(ids[0]!), 'Ana')
      await calls.change(ids[0]!, { [f1]: 'Anna' })
      const { attributes } = (await service.get(`data${table.id}/${ids[0]}`)).json.data
      assert.deepEqual([attributes[f1], attributes[f2]], ['Anna', '30'])
      await calls.remove(ids[1]!)
      assert.equal((await service.get(`data${table.id}/${ids[1]}`)).status, 404)
      const refused = await calls.create({ [f2]: '7' }).then(
        () => 'created',
        (error: unknown) => inspect(error, { depth: 5, maxStringLength: 2_000 }),
      )
      assert.match(refused, /422|field\.required|must have a value/)
    })
})
