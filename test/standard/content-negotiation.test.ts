import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { ATOMIC_TYPE } from '../../src/http/answers/jsonapi.ts'
import { errorsOf, JSON_API } from '../support/service.ts'
import { startWorld, type World } from './world.ts'

/* JSON:API 1.1, "The JSON:API Media Type" and "Content Negotiation". */

const CURSORS = 'https://jsonapi.org/profiles/ethanresnick/cursor-pagination'

let world: World
before(async () => void (world = await startWorld()))
after(() => world.service.close())

const accepting = (accept: string, path = world.people) => world.service.send('GET', `/api/dev/${path}`, { headers: { Accept: accept } })
const sending = (contentType: string, path = world.people) =>
  world.service.send('POST', `/api/dev/${path}`, {
    headers: { 'Content-Type': contentType },
    body: path === 'operations' ? { 'atomic:operations': [{ op: 'add', data: { type: world.people } }] } : { data: { type: world.people } },
  })

describe('JSON:API 1.1, content negotiation', () => {
  it('answers with the media type, without parameters unless an extension or a profile is applied', async () => {
    for (const path of [world.people, `${world.people}/${world.ana}`, 'user', '', 'nothing'])
      assert.equal((await world.service.get(path)).headers.get('content-type'), JSON_API, path)
    assert.equal((await sending(JSON_API)).headers.get('content-type'), JSON_API)
  })

  it('names the extension in the answer that uses it', async () => {
    const { status, headers } = await sending(ATOMIC_TYPE, 'operations')
    assert.deepEqual([status, headers.get('content-type')], [200, ATOMIC_TYPE])
  })

  it('names the profile in the answer to which it is applied', async () => {
    const named = `${JSON_API};profile="${CURSORS}"`
    for (const path of [
      `${world.people}?page[size]=1`,
      'user?page[size]=1',
      `${world.people}/${world.ana}/${world.toVisited}?page[size]=1`,
    ])
      assert.equal((await world.service.get(path)).headers.get('content-type'), named, path)
    for (const path of [`${world.people}?page[number]=1&page[size]=1`, `${world.people}?page[limit]=1`])
      assert.equal((await world.service.get(path)).headers.get('content-type'), JSON_API, path)
  })

  it('refuses a Content-Type with other parameters than ext and profile, and one with an unsupported extension: 415', async () => {
    for (const parameter of ['charset=utf-8', 'version=1', 'ext="https://example.com/x"', 'profile="https://example.com/x"; q=1'])
      assert.deepEqual(errorsOf(await sending(`${JSON_API}; ${parameter}`)), ['415 request.wrong_media_type Content-Type'], parameter)
  })

  it('ignores instances in Accept with other parameters: 406 where all have one, or an unsupported extension', async () => {
    for (const accept of [`${JSON_API}; charset=utf-8`, `${JSON_API}; ext="https://example.com/x"`, `${JSON_API}; a=b, ${JSON_API}; c=d`])
      assert.deepEqual(errorsOf(await accepting(accept)), ['406 request.not_acceptable Accept'], accept)
    for (const accept of [`${JSON_API}; charset=utf-8, ${JSON_API}`, `text/html, ${JSON_API}; q=0.5`, '*/*', 'application/json'])
      assert.equal((await accepting(accept)).status, 200, accept)
  })

  it('ignores profiles that it does not know, several too, in Accept and in Content-Type', async () => {
    const profiles = `${JSON_API}; profile="https://example.com/a https://example.com/b"`
    assert.equal((await accepting(profiles)).status, 200)
    assert.equal((await sending(profiles)).status, 201)
  })

  it('says that answers vary by Accept', async () =>
    assert.equal((await accepting(JSON_API)).headers.get('vary')?.split(', ').includes('Accept'), true))

  it('takes no extension or profile from the jsonapi member of a document', async () => {
    const jsonapi = { version: '1.1', ext: ['https://example.com/x'], profile: [CURSORS] }
    const { status, headers } = await world.service.call('POST', world.people, { data: { type: world.people }, jsonapi })
    assert.deepEqual([status, headers.get('content-type')], [201, JSON_API])
  })
})
