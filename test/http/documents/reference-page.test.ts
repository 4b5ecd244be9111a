import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import { startService, type Service } from '../../support/service.ts'

/* GET /reference: the page and its parts. What it shows is the OpenAPI document, which has tests of its own. */

const BROWSER = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

describe('GET /reference', () => {
  let service: Service
  before(async () => void (service = await startService()))
  after(() => service.close())
  const get = (path: string, headers: Record<string, string> = {}) => service.send('GET', path, { token: null, headers })

  it('is a page for browsers, and nothing for other clients', async () => {
    const { status, headers } = await get('/reference', BROWSER)
    assert.deepEqual([status, headers.get('content-type'), headers.get('cache-control')], [200, 'text/html; charset=utf-8', 'no-store'])
    for (const accept of ['*/*', 'application/vnd.api+json', 'application/json'])
      assert.equal((await get('/reference', { Accept: accept })).status, 404, accept)
  })

  it('is where /docs leads to, for browsers', async () => {
    const answer = await get('/docs', BROWSER)
    assert.deepEqual([answer.status, answer.headers.get('location')], [302, 'reference'])
    assert.equal((await get('/docs', { Accept: 'application/json' })).status, 404)
  })

  it('allows scripts, styles and requests of this service alone, and none within the page', async () => {
    const { headers, text } = await get('/reference', BROWSER)
    const policy = new Map(headers.get('content-security-policy')!.split('; ').map((one) => [one.split(' ')[0], one.split(' ').slice(1)])) // prettier-ignore
    assert.deepEqual(policy.get('default-src'), ["'none'"])
    for (const name of ['script-src', 'style-src', 'connect-src']) assert.deepEqual(policy.get(name), ["'self'"], name)
    for (const name of ['base-uri', 'form-action', 'frame-ancestors']) assert.deepEqual(policy.get(name), ["'none'"], name)
    assert.doesNotMatch(text, /<style|style=|<script[^>]*>[^<]|\son\w+=|javascript:|https?:/i)
  })

  it('names its parts by their content, and browsers keep them', async () => {
    const { text } = await get('/reference', BROWSER)
    const parts = Array.from(text.matchAll(/(?:src|href)="(reference\/[^"]+)"/g), ([, path]) => path!)
    assert.deepEqual(
      parts.map((one) => one.split('?')[0]),
      ['reference/reference.css', 'reference/reference.mjs'],
    )
    for (const part of parts) {
      const answer = await get(`/${part}`)
      assert.match(part, /\?[0-9a-f]{16}$/)
      assert.deepEqual([answer.status, answer.headers.get('cache-control')], [200, 'public, max-age=31536000, immutable'])
      assert.equal(answer.headers.get('x-content-type-options'), 'nosniff')
      assert.match(answer.headers.get('content-type')!, /^text\/(css|javascript); charset=utf-8$/)
      // Nothing comes from elsewhere, and nothing is written as HTML or run as text.
      assert.doesNotMatch(
        answer.text,
        /https?:|\/\/[a-z]|innerHTML|outerHTML|insertAdjacent|document\.write|eval\(|new Function|\.style\b|localStorage|sessionStorage|cookie/,
      )
    }
  })

  it('shows what the caller may see: the script asks for the document with the token, or with the session', () => {
    const script = readFileSync(new URL('../../../src/http/documents/reference.mjs', import.meta.url), 'utf8')
    assert.match(script, /'api\/dev\/openapi\.json'/)
    assert.match(script, /'X-Auth-Token': token/)
    assert.match(script, /'X-Requested-With': 'kartoteka'/)
  })

  it('is what the front page links to', async () => assert.match((await get('/', BROWSER)).text, /href="reference"/))
})
