import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { jsonApiFaults } from '../support/json-api-faults.ts'
import { JSON_API } from '../support/service.ts'
import { startWorld, type World } from './world.ts'

/* JSON:API 1.1, "Errors". */

let world: World
before(async () => void (world = await startWorld()))
after(() => world.service.close())

const jsonapi = { version: '1.1' }
const error = { id: 'x', status: '422', code: 'x', title: 'x', detail: 'x' }
const faults = (document: unknown, status = 422) =>
  jsonApiFaults({ method: 'GET', status, contentType: JSON_API, location: null, document, url: '/' })

describe('JSON:API 1.1, errors', () => {
  it('are an array of objects, which the judge of all answers looks at', () => {
    assert.deepEqual(faults({ errors: [error], jsonapi }), [])
    for (const errors of [{}, [], [{}], [null], [{ ...error, status: 422 }], [{ ...error, more: 1 }], [{ ...error, source: 'x' }]])
      assert.notDeepEqual(faults({ errors, jsonapi }), [], JSON.stringify(errors))
    for (const source of [{ pointer: 'data' }, { pointer: '/~' }, { more: 1 }])
      assert.notDeepEqual(faults({ errors: [{ ...error, source }], jsonapi }), [], JSON.stringify(source))
    assert.notDeepEqual(faults({ errors: [error], jsonapi }, 200), [])
    assert.notDeepEqual(faults({ data: null, jsonapi }, 422), [])
  })

  it('are told together, with the status of the answer', async () => {
    const { service, people, age, home } = world
    const { status, json } = await service.add(people, { [age]: 'x', [home]: 'y' })
    assert.equal(status, 422)
    assert.deepEqual(
      json.errors.map((one: typeof error) => one.status),
      ['422', '422'],
    )
  })

  it('point to a value of the request that exists, or to a member that is missing', async () => {
    const { service, people, age } = world
    const sent = { data: { type: people, attributes: { [age]: 'x' } } }
    const { pointer } = (await service.call('POST', people, sent)).json.errors[0].source
    const value = pointer.slice(1).split('/').reduce((of: Record<string, unknown>, name: string) => of[name], sent) // prettier-ignore
    assert.equal(value, 'x')
    assert.deepEqual((await service.call('POST', people, { data: {} })).json.errors[0].source, { pointer: '/data/type' })
  })

  it('name the parameter or the header that caused them', async () => {
    const { service, people } = world
    assert.deepEqual((await service.get(`${people}?sort=x`)).json.errors[0].source, { parameter: 'sort' })
    assert.deepEqual((await service.get(people, null)).json.errors[0].source, { header: 'X-Auth-Token' })
  })
})
