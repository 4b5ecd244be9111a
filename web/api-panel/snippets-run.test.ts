import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, it } from 'node:test'
import type { Call } from './call.ts'
import { snippetOf } from './snippets.ts'

/* Programs in Python and PHP are run as a person pastes them, and send what they should. (snippets.test.ts runs curl and JavaScript.) */

/** All in one value: each run of a program takes its time. */
const HOSTILE = [
  `it's "one" $HOME {$x} \${x} \`id\``,
  'a\\b\\\\c \\" \\\' \\u0041 \\x41 %41 &a=b #c @file +',
  '*/ ?> <?php exit(9); # <!-- --> """ %s {0}',
  'one\ntwo\r\t\u2028\u2029\u0000\u001b[201~',
  'שלום \u202eabc\u202c عربي, Ёж, e\u0301, 👩‍👩‍👧 𝒳 \u{e0041}',
].join('; ')
const languages = [
  { language: 'Python', program: 'python3', args: ['-'] },
  { language: 'PHP', program: 'php', args: [] },
] as const
const here = languages.filter(({ program }) => spawnSync(program, ['--version']).status === 0)

interface Asked {
  readonly method: string
  readonly url: URL
  readonly token: string
  readonly body: string
}

describe('a program of the panel, run', () => {
  let server: Server
  let base: string
  /** What was asked last, and what the next is answered. */
  let asked: Asked
  let answer: readonly [status: number, text: string]
  before(async () => {
    server = createServer(async (request, response) => {
      let body = ''
      for await (const chunk of request.setEncoding('utf8')) body += chunk
      const { method = '', url = '', headers } = request
      asked = { method, url: new URL(url, base), token: String(headers['x-auth-token']), body }
      response.writeHead(answer[0], { Connection: 'close' }).end(answer[1])
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  after(() => server.close())

  const listCall = (value: string): Call => ({
    address: `${base}/api/dev/data7`,
    parameters: [['filter', value], ['page[limit]', '50']], // prettier-ignore
    fields: [{ name: 'f1', title: value }],
    isList: true,
  })
  const writeCall = (attributes: readonly (readonly [string, string])[], title = 'Name'): Call => ({
    address: `${base}/api/dev/data7/5`,
    parameters: [],
    fields: [{ name: 'f1', title }],
    isList: false,
    sends: { method: 'PATCH', type: 'data7', id: '5', attributes },
  })
  const run = async ({ language, program, args }: (typeof languages)[number], call: Call) => {
    const env = {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      PYTHONIOENCODING: 'utf-8',
      KARTOTEKA_TOKEN: 'secret',
      no_proxy: '*',
    }
    const child = spawn(program, args, { env })
    let [printed, said] = ['', '']
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => (printed += chunk))
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => (said += chunk))
    child.stdin.end(snippetOf(language, call))
    const [status] = (await once(child, 'close')) as [number]
    return { status, printed, said }
  }
  const record = (value: string) => ({ type: 'data7', id: '5', attributes: { f1: value } })

  it('is tried in the languages that this machine has', (t) => {
    const missing = languages.filter((one) => !here.includes(one)).map(({ program }) => program)
    if (missing.length > 0) t.diagnostic(`not on this machine, so not tried: ${missing.join(', ')}`)
  })

  for (const one of here) {
    it(`in ${one.language} asks for what it is given, and shows what comes`, async () => {
      answer = [200, JSON.stringify({ data: [record('Ёж 👩‍👩‍👧'), record('second')] })]
      const { status, printed, said } = await run(one, listCall(HOSTILE))
      assert.deepEqual([status, said], [0, ''])
      assert.deepEqual([asked.method, asked.url.pathname, asked.token], ['GET', '/api/dev/data7', 'secret'])
      assert.deepEqual([asked.url.searchParams.get('filter'), asked.url.searchParams.get('page[limit]')], [HOSTILE, '50'])
      assert.match(printed, /^5 .*Ёж.*\n5 .*second/)
    })

    it(`in ${one.language} sends the values that it is given, and an empty object where there are none`, async () => {
      answer = [200, JSON.stringify({ data: record('saved') })]
      const { status, printed, said } = await run(one, writeCall([['f1', HOSTILE]], HOSTILE))
      assert.deepEqual([status, said], [0, ''])
      assert.deepEqual([asked.method, asked.url.pathname, asked.token], ['PATCH', '/api/dev/data7/5', 'secret'])
      assert.deepEqual(JSON.parse(asked.body), { data: record(HOSTILE) })
      assert.match(printed, /^5 .*saved/)
      await run(one, writeCall([]))
      assert.deepEqual(JSON.parse(asked.body), { data: { type: 'data7', id: '5', attributes: {} } })
    })

    it(`in ${one.language} fails with what the service said, whatever it was, and where nobody answers`, async () => {
      const refusal = JSON.stringify({ errors: [{ code: 'filter.unknown_attribute', detail: 'Ёж is no attribute.' }] })
      for (const [status, text, call] of [
        [400, refusal, listCall('eq(f9,1)')],
        [502, '<h1>Bad gateway</h1>', writeCall([['f1', 'x']])],
      ] as const) {
        answer = [status, text]
        const ended = await run(one, call)
        assert.notEqual(ended.status, 0)
        assert.ok(`${ended.printed}${ended.said}`.includes(text), `${ended.printed}\n${ended.said}`)
      }
      for (const call of [listCall('eq(f9,1)'), writeCall([['f1', 'x']])]) {
        const nowhere = { ...call, address: call.address.replace(base, 'http://127.0.0.1:1') }
        const ended = await run(one, nowhere)
        assert.notEqual(ended.status, 0)
        assert.match(`${ended.printed}${ended.said}`, /Connection refused/)
      }
    })
  }
})
