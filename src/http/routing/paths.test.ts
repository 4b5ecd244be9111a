import assert from 'node:assert/strict'
import { it } from 'node:test'
import Fastify from 'fastify'
import { paramsReader, pathPattern, routerPath } from './paths.ts'
import type { Params } from './route.ts'

it('paths are spelled for the router and for telling what they answer', () => {
  assert.equal(routerPath('/api/dev/data{table}/{record}'), '/api/dev/data:table(^[1-9]\\d*$)/:record(^[1-9]\\d*$)')
  assert.equal(routerPath('/api/dev/hello/{text:text}'), '/api/dev/hello/:text')
  const pattern = pathPattern('/api/dev/data{table}/{record}')
  for (const path of ['/api/dev/data7/1', '/api/dev/data7/1/']) assert.ok(pattern.test(path))
  for (const path of ['/api/dev/data7/01', '/api/dev/data7', '/api/dev/data7/x', '/api/devXdata7/1']) assert.ok(!pattern.test(path))
})

it('ids are numbers, as far as numbers are exact', () => {
  const read = paramsReader('/api/dev/file/{table}/{field:text}')
  assert.deepEqual(read({ table: '9007199254740991', field: '7' }), { table: 9007199254740991, field: '7' })
  assert.equal(read({ table: '9007199254740992', field: '7' }), undefined)
})

it('a place for the rest of a path takes everything behind it, with slashes, beside ids and after every other route', async () => {
  const path = '/pages/{table}/{path:rest}'
  const params: Params<typeof path> = { table: 7, path: 'a/b' }
  const server = Fastify({ routerOptions: { ignoreTrailingSlash: true } })
  const read = paramsReader(path)
  server.get(routerPath(path), (request, reply) => reply.send(read(request.params as Record<string, string>)))
  server.get(routerPath('/pages/{table}/{name:text}'), (_, reply) => reply.send('one name'))
  const get = async (url: string) => {
    const { statusCode, body } = await server.inject({ url })
    return [statusCode, statusCode === 200 && body.startsWith('{') ? JSON.parse(body) : body]
  }
  try {
    assert.deepEqual(await get('/pages/7/a/b'), [200, params])
    assert.deepEqual(await get('/pages/7/a/b%2Fc%20d/e.js?x=1'), [200, { table: 7, path: 'a/b/c d/e.js' }])
    assert.deepEqual(await get('/pages/7/alone'), [200, 'one name'])
    assert.equal((await get('/pages/x/a/b'))[0], 404)
    for (const one of ['/pages/7/a', '/pages/7/a/b', '/pages/7/a/b/']) assert.ok(pathPattern(path).test(one), one)
    for (const one of ['/pages/7', '/pages/x/a', '/pages/07/a']) assert.ok(!pathPattern(path).test(one), one)
  } finally {
    await server.close()
  }
})
