import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { routes } from '../../../src/http/routes.ts'
import { startService, type Service } from '../../support/service.ts'

/* HEAD and OPTIONS of every route (RFC 9110, 9.3.2 and 9.3.7). */

let service: Service
let table: number
before(async () => {
  service = await startService()
  table = (await service.table('Records', { text: 'text' })).id
  await service.make(`data${table}`, {})
})
after(() => service.close())

/** An address of the route, with ids that may exist or not. */
const addressOf = (path: string): string =>
  path.replace(/\{(\w+)(:\w+)?\}/g, (_, name: string, text?: string) => (name === 'table' ? String(table) : text ? 'x' : '1'))

/** Answers whose content is another one each time, or that have no end. */
const changing = new Set(['/api/dev/events'])

describe('every route', () => {
  it('answers OPTIONS without a token: 204 and the methods of its address', async () => {
    for (const path of new Set(routes.map((route) => route.path))) {
      const { status, headers, text } = await service.send('OPTIONS', addressOf(path), { token: null })
      assert.deepEqual([status, text], [204, ''], path)
      const allowed = new Set(headers.get('allow')!.split(', '))
      for (const { method } of routes.filter((route) => route.path === path)) assert.ok(allowed.has(method), `${method} ${path}`)
      assert.ok(allowed.has('OPTIONS'))
      assert.equal(allowed.has('HEAD'), allowed.has('GET'), path)
    }
  })

  it('that answers GET answers HEAD with the same status and headers, and no body', async () => {
    const compared = ['content-type', 'etag', 'vary', 'cache-control', 'allow']
    for (const { method, path } of routes)
      if (method === 'GET' && !changing.has(path)) {
        const [get, head] = [await service.send('GET', addressOf(path)), await service.send('HEAD', addressOf(path))]
        assert.deepEqual([head.status, head.text], [get.status, ''], path)
        for (const name of compared) assert.equal(head.headers.get(name), get.headers.get(name), `${name} of ${path}`)
      }
  })

  it('refuses other methods with 405 and the same Allow', async () => {
    for (const address of new Set(routes.map(({ path }) => addressOf(path)))) {
      const allow = (await service.send('OPTIONS', address)).headers.get('allow')!
      const other = ['POST', 'PATCH', 'PUT', 'DELETE'].find((method) => !allow.split(', ').includes(method))
      if (other === undefined) continue
      const { status, headers } = await service.send(other, address)
      assert.deepEqual([status, headers.get('allow')], [405, allow], `${other} ${address}`)
    }
  })
})
