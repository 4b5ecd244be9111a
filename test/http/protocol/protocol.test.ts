import assert from 'node:assert/strict'
import { request } from 'node:http'
import { after, before, describe, it } from 'node:test'
import { JSON_API, startService, type Answer, type Service } from '../../support/service.ts'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

describe('the protocol', () => {
  let service: Service
  let path: string
  let type: string

  before(async () => {
    service = await startService({ bodyLimit: 1 << 20 })
    const { id } = await service.table('Things', { name: 'text' })
    type = `data${id}`
    path = `/api/dev/${type}`
  })
  after(() => service.close())

  const refused = (answer: Answer, status: number, code: string, source?: object): void => {
    assert.deepEqual([answer.status, answer.headers.get('content-type')], [status, JSON_API], answer.text)
    const [error] = answer.json.errors
    assert.deepEqual([error.status, error.code, error.source], [String(status), code, source])
    assert.match(error.id, UUID)
    assert.ok(error.title.length > 0 && error.detail.length > 0)
    assert.deepEqual(answer.json.jsonapi, { version: '1.1' })
    assert.ok(
      service.logged.some(({ details }) => details['id'] === error.id),
      'the id is in the log',
    )
  }

  it('asks for a token, and says where it goes', async () => {
    const none = await service.send('GET', path, { token: null })
    refused(none, 401, 'auth.token_missing', { header: 'X-Auth-Token' })
    assert.match(none.headers.get('www-authenticate')!, /^Bearer /)
    const wrong = await service.send('GET', path, { token: 'x'.repeat(48) })
    refused(wrong, 401, 'auth.token_invalid', { header: 'X-Auth-Token' })
    assert.match(wrong.headers.get('www-authenticate')!, /^Bearer .*invalid_token/)
    for (const authorization of [`Bearer ${'x'.repeat(48)}`, 'Basic YTpi', 'Bearer', '']) {
      refused(await service.send('GET', path, { token: null, headers: { Authorization: authorization } }), 401, 'auth.token_invalid', {
        header: 'Authorization',
      })
    }
    for (const token of ['', `${service.token}, ${service.token}`]) {
      refused(await service.send('GET', path, { token: null, headers: { 'X-Auth-Token': token } }), 401, 'auth.token_invalid', {
        header: 'X-Auth-Token',
      })
    }
    assert.equal((await service.send('GET', path, { token: null, headers: { Authorization: `bearer ${service.token}` } })).status, 200)
    assert.equal((await service.send('POST', path, { token: null, body: '{' })).status, 401)
  })

  it('says which methods an address takes', async () => {
    const put = await service.send('PUT', path, { body: {} })
    refused(put, 405, 'request.wrong_method')
    assert.deepEqual(new Set(put.headers.get('allow')!.split(', ')), new Set(['GET', 'HEAD', 'POST', 'PATCH', 'DELETE', 'OPTIONS']))
    const post = await service.send('POST', `${path}/1`, { body: {} })
    refused(post, 405, 'request.wrong_method')
    assert.deepEqual(new Set(post.headers.get('allow')!.split(', ')), new Set(['GET', 'HEAD', 'PATCH', 'DELETE', 'OPTIONS']))
    for (const method of ['PROPFIND', 'TRACE', 'FOO', 'QUERY', 'PURGE', 'LINK']) {
      const text = await service.raw(`${method} ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
      assert.match(text, /^HTTP\/1\.1 40[05] [^]*application\/vnd\.api\+json[^]*"errors"/, method)
    }
    const options = await service.send('OPTIONS', path, { token: null })
    assert.equal(options.status, 204)
    assert.equal(options.headers.get('access-control-allow-origin'), null)
    refused(await service.send('OPTIONS', '/api/dev/nothing'), 404, 'request.no_such_path')
  })

  it('knows no other addresses', async () => {
    for (const address of [
      '/',
      '/api',
      '/api/v1',
      '/api/dev/tableau',
      '/api/dev/data',
      `${path}/1/2`,
      `${path}/search/x`,
      '/api/dev/hello',
      '/api/dev/hello/',
      `/API/DEV/${type}`,
    ]) {
      refused(await service.send('GET', address), 404, 'request.no_such_path')
    }
  })

  it('reads several slashes in a row as one, and shows one in links', async () => {
    const { status, json } = await service.send('GET', '/api//dev///user//?page[limit]=1')
    assert.deepEqual([status, new URL(json.links.self).pathname], [200, '/api/dev/user'])
  })

  it('answers HEAD as GET, without the body', async () => {
    await service.send('POST', path, { body: { data: { type } } })
    for (const address of [path, `${path}/1`, `${path}/999`, '/api/dev/hello/x']) {
      const [get, head] = [await service.send('GET', address), await service.send('HEAD', address)]
      assert.equal(head.status, get.status)
      assert.equal(head.text, '')
      for (const name of ['content-type', 'content-length', 'etag', 'vary'])
        assert.equal(head.headers.get(name), get.headers.get(name), `${address} ${name}`)
    }
  })

  it('takes bodies of its own media type only, without foreign parameters', async () => {
    const body = { data: { type } }
    const source = { header: 'Content-Type' }
    for (const contentType of [
      'application/json',
      'text/plain',
      'application/vnd.api+json; charset=utf-8',
      'application/vnd.api+json;charset=utf-8',
      'application/vnd.api+json; ext="https://jsonapi.org/ext/atomic"',
      'application/vnd.api+json; version=1',
      'application/vnd.api+json; q=1',
      'application/vnd.api+json, application/vnd.api+json',
      'nonsense',
      'application/vnd.api+json; profile',
      '',
    ]) {
      refused(await service.send('POST', path, { body, headers: { 'Content-Type': contentType } }), 415, 'request.wrong_media_type', source)
    }
    for (const contentType of [
      JSON_API,
      'Application/VND.API+JSON',
      'application/vnd.api+json; profile="https://example.com/a https://example.com/b"',
      'application/vnd.api+json;profile=x',
      `${JSON_API};`,
      `${JSON_API}; ext=""`,
    ]) {
      assert.equal((await service.send('POST', path, { body, headers: { 'Content-Type': contentType } })).status, 201, contentType)
    }
    const none = await service.raw(
      `POST ${path} HTTP/1.1\r\nHost: x\r\nX-Auth-Token: ${service.token}\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}`,
    )
    assert.match(none, /^HTTP\/1\.1 415 /)
  })

  it('needs no Content-Type where there is no body, and minds only its own', async () => {
    assert.equal((await service.send('GET', path, { headers: { 'Content-Type': JSON_API } })).status, 200)
    assert.equal((await service.send('GET', path, { headers: { 'Content-Type': 'text/html' } })).status, 200)
    refused(
      await service.send('GET', path, { headers: { 'Content-Type': `${JSON_API}; charset=utf-8` } }),
      415,
      'request.wrong_media_type',
      { header: 'Content-Type' },
    )
    const made = (await service.send('POST', path, { body: { data: { type } } })).json.data.links.self
    assert.equal((await service.send('DELETE', made)).status, 200)
    const text = await service.raw(
      `DELETE ${made} HTTP/1.1\r\nHost: x\r\nX-Auth-Token: ${service.token}\r\nContent-Type: ${JSON_API}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`,
    )
    assert.match(text, /^HTTP\/1\.1 404 /)
    refused(await service.send('POST', path), 400, 'document.invalid_member', { pointer: '' })
  })

  it('refuses an Accept whose every instance of the media type has foreign parameters', async () => {
    const accept = (value: string) => service.send('GET', path, { headers: { Accept: value } })
    for (const value of [
      `${JSON_API}; charset=utf-8`,
      `${JSON_API}; version=1, ${JSON_API}; a=b`,
      `${JSON_API};charset=utf-8, */*`,
      `${JSON_API}; ext="https://jsonapi.org/ext/atomic"`,
      `${JSON_API}; ext="x", ${JSON_API}; charset=utf-8`,
      `${JSON_API};q=0`,
    ]) {
      refused(await accept(value), 406, 'request.not_acceptable', { header: 'Accept' })
    }
    for (const value of [
      JSON_API,
      '*/*',
      'application/*',
      'application/json',
      'text/html,application/xhtml+xml;q=0.9,*/*;q=0.8',
      `${JSON_API};q=0.5`,
      `${JSON_API}; charset=utf-8, ${JSON_API}`,
      `${JSON_API}; profile="https://example.com/x, y"`,
      `${JSON_API}; ext="x", ${JSON_API}; profile=y; q=0.1`,
      'nonsense',
      '',
    ]) {
      const answer = await accept(value)
      assert.deepEqual(
        ['content-type', 'vary', 'cache-control'].map((name) => answer.headers.get(name)),
        [JSON_API, 'Accept', 'private, no-cache'],
        value,
      )
      assert.equal(answer.status, 200, value)
    }
  })

  it('refuses bodies that are no JSON, no UTF-8, or too large, without harm', async () => {
    const document = { pointer: '' }
    for (const body of [
      '{',
      '{"data":}',
      'data',
      '{"a":1}x',
      '\u0000',
      '['.repeat(500_000),
      `{"a":${'['.repeat(100_000)}1e1${']'.repeat(100_000)}}`,
    ]) {
      const answer = await service.send('POST', path, { body })
      refused(answer, 400, 'body.malformed', document)
    }
    refused(await service.send('POST', path, { body: new Uint8Array([0x22, 0xff, 0xfe, 0x22]) }), 400, 'body.malformed', document)
    const deep = await service.send('POST', path, {
      body: `{"data":{"type":"${type}","x":${'['.repeat(100_000)}${']'.repeat(100_000)}}}`,
      headers: { 'Idempotency-Key': 'deep' },
    })
    refused(deep, 400, 'body.malformed', document)
    assert.equal((await service.send('POST', path, { body: `\uFEFF{"data":{"type":"${type}"}}` })).status, 201)
    assert.equal((await service.send('POST', path, { body: `{"data":1,"data":{"type":"${type}"}}` })).status, 201)
    assert.equal(
      (
        await service.send('POST', path, {
          body: `{"__proto__":{"data":1},"data":{"type":"${type}","__proto__":{"attributes":{"f1":"x"}}}}`,
        })
      ).json.data.attributes.f1,
      '',
    )
    refused(await service.send('POST', path, { body: ' '.repeat((1 << 20) + 1) }), 413, 'body.too_large')
    const chunked = await service.raw(
      `POST ${path} HTTP/1.1\r\nHost: x\r\nX-Auth-Token: ${service.token}\r\nContent-Type: ${JSON_API}\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n120000\r\n${' '.repeat(0x120000)}\r\n0\r\n\r\n`,
    )
    assert.match(chunked, /^HTTP\/1\.1 413 [^]*body\.too_large/)
  })

  it('answers a document to what is no HTTP', async () => {
    const filter = encodeURIComponent('я'.repeat(30_000))
    for (const [bytes, status, code] of [
      ['nonsense\r\n\r\n', 400, 'request.malformed'],
      [`GET ${path} x HTTP/1.1\r\nHost: x\r\n\r\n`, 400, 'request.malformed'],
      [`GET ${path}?filter=eq(f1,'Привет') HTTP/1.1\r\nHost: x\r\n\r\n`, 400, 'request.malformed'],
      [`GET ${path} HTTP/1.1\r\nHost: x\r\nBad Header: x\r\n\r\n`, 400, 'request.malformed'],
      [`POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n`, 400, 'request.malformed'],
      [`POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n`, 400, 'request.malformed'],
      [`GET ${path} HTTP/1.1\r\nX-Auth-Token: ${service.token}\r\nConnection: close\r\n\r\n`, 400, 'request.malformed'],
      [`GET ${path} HTTP/1.1\r\nHost: a b\r\nX-Auth-Token: ${service.token}\r\nConnection: close\r\n\r\n`, 400, 'request.malformed'],
      [`GET /api/dev/hello/%E0%A4%A HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`, 400, 'request.malformed'],
      [
        `GET ${path}#?filter=x HTTP/1.1\r\nHost: x\r\nX-Auth-Token: ${service.token}\r\nConnection: close\r\n\r\n`,
        400,
        'request.malformed',
      ],
      [`GET /%FF HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`, 400, 'request.malformed'],
      [`GET ${path}?filter=${filter} HTTP/1.1\r\nHost: x\r\n\r\n`, 431, 'request.headers_too_large'],
      [`GET ${path} HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(140_000)}\r\n\r\n`, 431, 'request.headers_too_large'],
    ] as const) {
      const text = await service.raw(bytes)
      const [head, body] = text.split('\r\n\r\n') as [string, string]
      assert.match(head, new RegExp(`^HTTP/1\\.1 ${status} [^]*content-type: ${JSON_API.replace('+', '\\+')}`, 'i'), bytes.slice(0, 100))
      assert.equal(JSON.parse(body).errors[0].code, code, bytes.slice(0, 100))
    }
  })

  it('takes an absolute address in the request line, HTTP/1.0 without a Host, and Expect', async () => {
    const head = `X-Auth-Token: ${service.token}\r\nConnection: close\r\n\r\n`
    assert.match(
      await service.raw(`GET http://example.com${path} HTTP/1.1\r\nHost: example.com\r\n${head}`),
      /^HTTP\/1\.1 200 [^]*http:\/\/example\.com\/api/,
    )
    assert.match(await service.raw(`GET ${path} HTTP/1.0\r\n${head}`), /^HTTP\/1\.1 200 [^]*http:\/\/127\.0\.0\.1:\d+\/api/)
    assert.match(await service.raw(`GET ${path} HTTP/1.1\r\nHost: x\r\nExpect: miracles\r\n${head}`), /^HTTP\/1\.1 200 /)
  })

  it('tells the address of the client to the log, and internals to nobody', async () => {
    const { db } = service.store
    const failing = Object.assign(service.store, { db: { ...db, read: async () => Promise.reject(new Error('secret internals')) } })
    const answer = await service.send('GET', `${path}/1`)
    Object.assign(failing, { db })
    refused(answer, 500, 'server.internal')
    assert.ok(!answer.text.includes('secret'))
    const entry = service.logged.findLast(({ level }) => level === 'error')!
    assert.match(String((entry.details['err'] as Error).stack), /secret internals/)
    assert.equal(entry.details['address'], '127.0.0.1')
  })

  it('greets without a token', async () => {
    const { json, headers } = await service.send('GET', '/api/dev/hello/%D0%9C%D0%B8%D1%80%20%2F%20%3Cb%3E', { token: null })
    assert.deepEqual(json, { meta: { message: 'Hello, Мир / <b>!' }, jsonapi: { version: '1.1' } })
    assert.equal(headers.get('content-type'), JSON_API)
    refused(await service.send('GET', '/api/dev/hello/x?y=1', { token: null }), 400, 'parameter.unknown', { parameter: 'y' })
  })

  it('offers an entry point with a link for each list the caller may read', async () => {
    const { json } = await service.send('GET', '/api/dev')
    for (const name of [type, 'user', 'table', 'field']) assert.equal(json.links[name], `/api/dev/${name}`)
    assert.ok(json.meta)
    for (const link of Object.values<string>(json.links)) assert.equal((await service.send('GET', link)).status, 200, link)
    assert.equal((await service.send('GET', '/api/dev', { token: await service.tokenOf(3) })).json.links[type], undefined)
  })

  it('lets pipelined requests be answered in their order', async () => {
    const one = (text: string, end = '') => `GET /api/dev/hello/${text} HTTP/1.1\r\nHost: x\r\n${end}\r\n`
    const text = await service.raw(one('first') + one('second') + one('third', 'Connection: close\r\n'))
    assert.deepEqual(text.match(/Hello, \w+/g), ['Hello, first', 'Hello, second', 'Hello, third'])
  })

  it('answers what is no HTTP after the requests before it, which are done and told to be', async () => {
    const create = (body: string) =>
      `POST ${path} HTTP/1.1\r\nHost: x\r\nX-Auth-Token: ${service.token}\r\nContent-Type: ${JSON_API}\r\nContent-Length: ${body.length}\r\n\r\n${body}`
    const statuses = async (bytes: string) =>
      [...(await service.raw(bytes)).matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status))
    const body = JSON.stringify({ data: { type } })
    assert.deepEqual(await statuses(`${create(body)}{"left":"over"}\r\n\r\n`), [201, 400])
    assert.deepEqual(await statuses(`${create(body)}${create(body)}\0\r\n\r\n`), [201, 201, 400])
    const broken = create('').replace('Content-Length: 0', 'Transfer-Encoding: chunked')
    assert.deepEqual(await statuses(`${create(body)}${broken}x\r\n`), [201, 400])
  })

  it('says nothing after the answer to a request that never ends', async () => {
    const text = await service.raw(
      `HEAD ${path} HTTP/1.1\r\nHost: x\r\nX-Auth-Token: ${service.token}\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n`,
    )
    assert.equal(text.match(/HTTP\/1\.1/g)!.length, 1, text)
  })

  it('says what the whole service takes (RFC 9110, 9.3.7)', async () => {
    const text = await service.raw('OPTIONS * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
    const [, allowed = ''] = /^HTTP\/1\.1 204 [^]*\r\nallow: ([^\r]*)\r\n/i.exec(text)!
    assert.deepEqual(allowed.split(', ').sort(), ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT'])
  })

  it('refuses headers of writes that it does not follow, and changes nothing', async () => {
    const before = (await service.send('GET', path)).text
    const type = path.slice(path.lastIndexOf('/') + 1)
    const body = { data: { type, attributes: {} } }
    const send = (method: string, to: string, headers: Record<string, string>) => service.send(method, to, { headers, body })
    for (const [method, to] of [
      ['POST', path],
      ['PATCH', `${path}?filter=gt(id,0)`],
      ['DELETE', `${path}?filter=gt(id,0)`],
      ['POST', '/api/dev/operations'],
      ['POST', '/api/dev/table'],
    ] as const) {
      const typed = to.endsWith('operations') ? { 'Content-Type': `${JSON_API};ext="https://jsonapi.org/ext/atomic"` } : undefined
      refused(await send(method, to, { ...typed, 'If-Match': '"1-x"' }), 400, 'header.invalid', { header: 'If-Match' })
      const coded = await send(method, to, { ...typed, 'Content-Encoding': 'gzip' })
      refused(coded, 415, 'request.wrong_encoding', { header: 'Content-Encoding' })
      assert.equal(coded.headers.get('accept-encoding'), 'identity')
      refused(await send(method, to, { ...typed, 'Content-Range': 'bytes 0-1/9' }), 400, 'header.invalid', { header: 'Content-Range' })
    }
    assert.equal((await service.send('GET', path)).text, before)
  })

  it('is no proxy', async () => {
    const text = await service.raw('CONNECT example.org:443 HTTP/1.1\r\nHost: example.org:443\r\n\r\n')
    assert.match(text, /^HTTP\/1\.1 405 [^]*\r\nAllow: GET, [^]*"request\.wrong_method"/)
  })

  it('survives clients that leave in the middle of a body', async () => {
    await new Promise<void>((resolve) => {
      const sending = request(`${service.url}${path}`, {
        method: 'POST',
        headers: { 'X-Auth-Token': service.token, 'Content-Type': JSON_API, 'Content-Length': 1000 },
      })
      sending.on('error', () => resolve())
      sending.write('{"data":', () => setImmediate(() => sending.destroy()))
    })
    assert.equal((await service.send('GET', path)).status, 200)
  })
})
