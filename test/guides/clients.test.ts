import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { programsOf } from '../support/page-programs.ts'
import { startService, type Service } from '../support/service.ts'

/* Runs the programs of docs/guides/clients.md against a service with 120 records, which they reach with difficulties. */

const page = programsOf('guides/clients.md', [
  { language: 'js', file: 'client.mjs', program: process.execPath },
  { language: 'python', file: 'client.py', program: 'python3' },
  { language: 'php', file: 'client.php', program: 'php' },
])
/**
 * Stands before the service: the first GET is answered 503, the answer to the first POST is lost, and before the first PATCH
 * somebody else changes the record.
 */
function difficulties(service: Service): Server {
  const met = new Set<string>()
  return createServer(async (request, response) => {
    const { method = '', url = '', headers } = request
    let body = ''
    for await (const chunk of request.setEncoding('utf8')) body += chunk
    const first = !met.has(method)
    met.add(method)
    if (first && method === 'GET') {
      response.writeHead(503, { 'Retry-After': '0' }).end('{}')
      return
    }
    if (first && method === 'PATCH') await service.change('data1', url.split('/').at(-1)!, { f1: 'Grey Heron' })
    const names = ['idempotency-key', 'if-match'].filter((name) => headers[name] !== undefined)
    const answer = await service.send(method, url, {
      ...(body !== '' && { body }),
      headers: Object.fromEntries(names.map((name) => [name, String(headers[name])])),
    })
    if (first && method === 'POST') request.socket.destroy()
    else response.writeHead(answer.status, { ETag: answer.headers.get('ETag') ?? '' }).end(answer.text)
  })
}

describe('docs/guides/clients.md', () => {
  let service: Service
  let scratch: string
  before(async () => {
    scratch = mkdtempSync(join(tmpdir(), 'kartoteka-clients-'))
    service = await startService()
    const { id } = await service.table('Companies', { name: 'text' })
    assert.equal(id, 1)
    for (let i = 1; i <= 120; i++) await service.make('data1', { f1: `Company ${i}` })
  })
  after(async () => {
    await service.close()
    rmSync(scratch, { recursive: true })
  })

  page.itHasEach()

  for (const [i, { language, file, program }] of page.here.entries())
    it(`${file} pages, retries and sees conflicts`, async () => {
      const text = page.programIn(language)
      // Each program has an order of its own.
      writeFileSync(join(scratch, file), text.replace('order-4711', `order-${language}`))
      const front = difficulties(service).listen(0, '127.0.0.1')
      await once(front, 'listening')
      const url = `http://127.0.0.1:${(front.address() as AddressInfo).port}`
      const env = { PATH: process.env.PATH, HOME: process.env.HOME, KARTOTEKA_URL: url, KARTOTEKA_TOKEN: service.token }
      const run = spawn(program, [join(scratch, file)], { env, stdio: ['ignore', 'pipe', 'inherit'] })
      let printed = ''
      run.stdout.setEncoding('utf8').on('data', (chunk: string) => (printed += chunk))
      const ended = await once(run, 'close')
      front.close()
      assert.deepEqual(ended, [0, null])
      assert.equal(printed, `${120 + i} records\ncreated once: true\nrenamed: Grey Heron & Sons\n`)
    })
})
