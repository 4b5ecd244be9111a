import assert from 'node:assert/strict'
import { it } from 'node:test'
import { paramsReader, pathPattern, routerPath } from './paths.ts'

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
