import assert from 'node:assert/strict'
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { startService } from '../http/service.ts'

/* nginx with the lines of docs/guides/proxy.md, where it is installed; only ports, names and the certificate are others. */

const page = readFileSync(new URL('../../docs/guides/proxy.md', import.meta.url), 'utf8')
const lines = /^```nginx\n(.*?)^```$/ms.exec(page)![1]!
const nginx = ['nginx', '/usr/sbin/nginx'].find((program) => spawnSync(program, ['-v']).status === 0)

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

interface Answer {
  readonly status: number
  readonly text: string
}

const ask = (port: number, path: string, headers: Record<string, string>, method = 'GET', body = ''): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const sent = request(
      { host: '127.0.0.1', port, path, method, headers: { Host: 'crm.example.com', ...headers }, rejectUnauthorized: false },
      (answer) => {
        let text = ''
        answer.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
        answer.on('end', () => resolve({ status: answer.statusCode!, text }))
      },
    )
    sent.on('error', reject)
    sent.end(body)
  })

test('the lines for nginx bring requests to the service, with TLS and the address of the client', async (t) => {
  assert.ok(lines.includes('proxy_pass'))
  if (nginx === undefined) {
    t.diagnostic('nginx is not on this machine, so its lines were not tried')
    return
  }
  const service = await startService({ publicUrl: 'https://crm.example.com', trustedProxies: ['127.0.0.1'] })
  const scratch = mkdtempSync(join(tmpdir(), 'kartoteka-nginx-'))
  const [secure, plain] = [await freePort(), await freePort()]
  const certificate = ['-keyout', join(scratch, 'privkey.pem'), '-out', join(scratch, 'fullchain.pem'), '-subj', '/CN=crm.example.com']
  execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1', ...certificate], { stdio: 'ignore' })
  const server = lines
    .replace('127.0.0.1:3000', new URL(service.url).host)
    .replaceAll('/etc/letsencrypt/live/crm.example.com', scratch)
    .replace('listen 443', `listen 127.0.0.1:${secure}`)
    .replace('listen 80', `listen 127.0.0.1:${plain}`)
  const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((kind) => `${kind}_temp_path ${join(scratch, kind)};`).join('\n')
  const user = process.getuid?.() === 0 ? 'user root;\n' : ''
  const configuration = `${user}daemon off;\npid ${join(scratch, 'pid')};\nerror_log stderr error;\nevents {}\nhttp {\naccess_log off;\n${places}\n${server}\n}\n`
  writeFileSync(join(scratch, 'nginx.conf'), configuration)
  const proxy = spawn(nginx, ['-p', scratch, '-c', join(scratch, 'nginx.conf')], { stdio: ['ignore', 'ignore', 'inherit'] })
  try {
    const token = { 'X-Auth-Token': service.token }
    let hello: Answer | undefined
    while (hello === undefined && proxy.exitCode === null)
      hello = await ask(secure, '/api/dev/hello/proxy', {}).catch(
        () => new Promise<undefined>((next) => setTimeout(() => next(undefined), 50)),
      )
    assert.equal(hello?.status, 200)
    const listed = await ask(secure, '/api/dev/user?page[limit]=1', token)
    assert.match(JSON.parse(listed.text).links.self, /^https:\/\/crm\.example\.com\/api\/dev\/user\?/)
    const long = `in(login,${Array.from({ length: 700 }, (_, i) => `'user-${i}'`).join(',')})`
    assert.equal((await ask(secure, `/api/dev/user?filter=${long}`, token)).status, 200)
    const { id } = await service.table('Companies', { papers: 'file' })
    const file = { file_name: 'large.txt', content: 'x'.repeat(3 << 20) }
    const body = JSON.stringify({ data: { type: `data${id}`, attributes: { f1: [file] } } })
    const made = await ask(secure, `/api/dev/data${id}`, { ...token, 'Content-Type': 'application/vnd.api+json' }, 'POST', body)
    assert.equal(made.status, 201, made.text.slice(0, 300))
    await ask(
      secure,
      '/api/dev/token',
      { 'X-Forwarded-For': '203.0.113.7', 'Content-Type': 'application/vnd.api+json' },
      'POST',
      JSON.stringify({ data: { type: 'token', attributes: { login: 'nobody', password: 'nothing at all' } } }),
    )
    const audit = await service.get("audit?filter=eq(action,'sign_in_failed')")
    // The test itself is at 127.0.0.1, which is trusted, so the address before it counts.
    assert.equal(audit.json.data[0].attributes.address, '203.0.113.7')
    const moved = await fetch(`http://127.0.0.1:${plain}/api/dev`, { redirect: 'manual' })
    assert.equal(moved.status, 301)
  } finally {
    proxy.kill('SIGQUIT')
    if (proxy.exitCode === null) await once(proxy, 'exit')
    await service.close()
    rmSync(scratch, { recursive: true })
  }
})
