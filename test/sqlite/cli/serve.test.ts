import assert from 'node:assert/strict'
import { request } from 'node:http'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import { freePort } from '../../support/free-port.ts'
import { scratchProgram, type ScratchProgram, type Server } from '../../support/scratch-program.ts'

describe('serve', () => {
  let program: ScratchProgram
  let server: Server
  let token: string
  before(async () => {
    program = scratchProgram()
    server = await program.serve()
    token = await program.token()
    await program.ok('table', 'create', 'Notes')
    await program.ok('field', 'create', 'Notes', 'Text', 'longtext')
  })
  after(() => program.remove())

  const note = (text: string) => ({ data: { type: 'data1', attributes: { f1: text } } })

  it('a second one on the same directory is refused in a sentence, and the first works on', async () => {
    const { code, out, err } = await program.run('serve')
    assert.deepEqual([code, out], [1, ''])
    assert.equal(err, `kartoteka: Another Kartoteka process is using the data directory '${program.data}'.\n`)
    assert.equal((await server.call(token, 'POST', 'data1', note('still there'))).status, 201)
  })

  it('a port that is taken is refused in a sentence, and the directory is free again', async () => {
    const port = new URL(server.url).port
    const other = { env: { KARTOTEKA_DATA: program.at('elsewhere'), PORT: port } }
    const { code, err } = await program.start(['serve'], other).finished
    assert.deepEqual([code, err], [1, `kartoteka: Port ${port} is in use by another program; choose another with --port or PORT.\n`])
    assert.equal((await program.start(['demo', '--records', '1'], other).finished).code, 0)
  })

  it('on SIGTERM finishes the request it is reading, takes no other, and ends with 0', async () => {
    const first = await beginPost(server.url, token, 'half of it')
    const { status: listed } = await server.call(token, 'GET', 'data1')
    assert.equal(listed, 200)
    const ended = server.stop('SIGTERM')
    // Whoever connects anew is refused as soon as the server stops listening.
    for (;;) {
      const refused = await server.call(token, 'GET', 'data1').then(
        ({ status }) => status === 503,
        () => true,
      )
      if (refused) break
    }
    assert.equal(server.child.exitCode, null)
    const { status, connection, body } = await first.finish()
    // A connection that is kept would be waited for.
    assert.deepEqual([status, connection], [201, 'close'])
    assert.equal(JSON.parse(body).data.attributes.f1, 'half of it')
    const { code, signal, err } = await ended
    assert.deepEqual([code, signal, err], [0, null, ''])
    assert.ok(!existsSync(`${program.data}/kartoteka.sqlite-wal`))
    const exported = await program.ok('export', 'Notes', '--format', 'jsonl')
    assert.match(exported, /still there[^]*half of it/)
  })

  it('on SIGINT ends with 0 too', async () => {
    server = await program.serve()
    const { code, signal } = await server.stop('SIGINT')
    assert.deepEqual([code, signal], [0, null])
  })

  it('PORT and KARTOTEKA_DATA are settings, flags win over them, and ./data is the default', async () => {
    const port = await freePort()
    const here = { env: { PORT: String(port), KARTOTEKA_DATA: program.at('by-variable') } }
    const one = await program.serve(here)
    assert.equal(one.url, `http://127.0.0.1:${port}`)
    assert.ok(existsSync(program.at('by-variable/kartoteka.sqlite')))
    await one.stop()
    const two = await program.serve(here, '--port', '0', '--data', 'by-flag')
    assert.notEqual(two.url, one.url)
    assert.ok(existsSync(program.at('by-flag/kartoteka.sqlite')))
    assert.match(two.said.out, /keeps its data in \/.*\/by-flag$/m)
    await two.stop()
  })

  it('settings count in every answer: public address, time zone', async () => {
    const settings = { KARTOTEKA_PUBLIC_URL: 'https://crm.example/base', KARTOTEKA_TIME_ZONE: 'Asia/Tokyo' }
    server = await program.serve({ env: settings })
    const { body } = await server.call(token, 'GET', 'data1?page[limit]=1')
    assert.ok(body.links.self.startsWith('https://crm.example/base/api/dev/data1?'))
    const before = Date.now()
    const { body: made } = await server.call(token, 'POST', 'data1', note('in Tokyo'))
    const made9 = Date.parse(`${made.data.attributes.add_time.replace(' ', 'T')}+09:00`)
    assert.ok(made9 >= before - 1000 && made9 <= Date.now())
    await server.stop()
  })
})

/** A request of which the server has the headers and half the body. */
async function beginPost(url: string, token: string, text: string) {
  const body = JSON.stringify({ data: { type: 'data1', attributes: { f1: text } } })
  const outgoing = request(`${url}/api/dev/data1`, {
    method: 'POST',
    headers: {
      'X-Auth-Token': token,
      'Content-Type': 'application/vnd.api+json',
      'Content-Length': Buffer.byteLength(body),
      Expect: '100-continue',
    },
  })
  const answered = once(outgoing, 'response')
  outgoing.flushHeaders()
  // That it may go on shows that the server has begun with it.
  await once(outgoing, 'continue')
  outgoing.write(body.slice(0, 20))
  return {
    async finish() {
      outgoing.end(body.slice(20))
      const [response] = (await answered) as [import('node:http').IncomingMessage]
      let said = ''
      for await (const chunk of response.setEncoding('utf8')) said += String(chunk)
      return { status: response.statusCode, connection: response.headers.connection, body: said }
    },
  }
}
