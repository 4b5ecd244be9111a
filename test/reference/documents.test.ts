import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { DocumentCheck, faultsOf, type Json } from '../support/openapi.ts'
import { startSteady } from '../support/service.ts'
import { addressOf, byFetch, methodOf, play, type Ask } from './play.ts'
import { pages } from './pages.ts'
import { BASE } from './write.ts'

/* The OpenAPI document and what is really sent and answered: every request of docs/reference is held against it. */

describe('the OpenAPI document', () => {
  it('has every request and answer of docs/reference, and is valid all the while', async () => {
    const service = await startSteady(BASE)
    const faults: string[] = []
    let [check, tag]: [DocumentCheck | undefined, string] = [undefined, '']
    let document: Json
    const send = byFetch(service)
    // Structure changes as the pages are played, and what the document has of tables with it.
    const current = async (path: string) => {
      if (check && !path.startsWith('data')) return check
      const headers = tag === '' ? {} : { 'If-None-Match': tag }
      const answer = await service.send('GET', '/api/dev/openapi.json', { headers })
      if (answer.status === 304) return check!
      tag = answer.headers.get('etag')!
      document = answer.json
      return (check = new DocumentCheck(document))
    }
    let exchanges = 0
    const watched: Ask = async (request, tokens) => {
      const now = await current(request.path)
      const heard = await send(request, tokens)
      exchanges++
      const { path, headers = {}, body } = request
      // What watches the service is beside the interface.
      if (!addressOf(path).startsWith('/api/dev')) return heard
      const method = methodOf(request)
      const answered = { type: heard.headers.get('content-type') ?? '', text: heard.text }
      for (const fault of now.faults({ method, address: addressOf(path), headers, body, status: heard.status, answered }))
        faults.push(`${method} ${path} ${heard.status}: ${fault}`)
      return heard
    }
    try {
      await play(service, pages, watched, watched)
      assert.deepEqual(faults, [])
      assert.ok(exchanges > 150)
      assert.equal(await faultsOf(document), '')
    } finally {
      await service.close()
    }
  })
})
