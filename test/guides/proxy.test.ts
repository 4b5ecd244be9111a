import assert from 'node:assert/strict'
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { freePort } from '../support/free-port.ts'
import { startService, type Service } from '../support/service.ts'

/* nginx and Caddy with the lines of docs/guides/proxy.md, where they are installed; only ports, names and the certificate are others. */

const page = readFileSync(new URL('../../docs/guides/proxy.md', import.meta.url), 'utf8')

interface Ports {
  /** Of the service. */
  readonly service: string
  readonly secure: number
  readonly plain: number
}

interface Proxy {
  readonly name: string
  readonly programs: readonly string[]
  readonly version: string
  readonly lines: string
  readonly redirects: number
  /** Its configuration; `scratch`: a folder with the certificate. */
  readonly configuration: (lines: string, scratch: string, ports: Ports) => string
  readonly args: (file: string, scratch: string) => readonly string[]
}

const proxies: readonly Proxy[] = [
  {
    name: 'nginx',
    programs: ['nginx', '/usr/sbin/nginx'],
    version: '-v',
    lines: /^```nginx\n(.*?)^```$/ms.exec(page)![1]!,
    redirects: 301,
    configuration: (lines, scratch, { service, secure, plain }) => {
      const server = lines
        .replace('127.0.0.1:3000', service)
        .replaceAll('/etc/letsencrypt/live/crm.example.com', scratch)
        .replace('listen 443', `listen 127.0.0.1:${secure}`)
        .replace('listen 80', `listen 127.0.0.1:${plain}`)
      const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
        .map((kind) => `${kind}_temp_path ${join(scratch, kind)};`)
        .join('\n')
      const user = process.getuid?.() === 0 ? 'user root;\n' : ''
      return `${user}daemon off;\npid ${join(scratch, 'pid')};\nerror_log stderr error;\nevents {}\nhttp {\naccess_log off;\n${places}\n${server}\n}\n`
    },
    args: (file, scratch) => ['-p', scratch, '-c', file],
  },
  {
    name: 'Caddy',
    programs: ['caddy'],
    version: 'version',
    lines: /^```caddyfile\n(.*?)^```$/ms.exec(page)![1]!,
    redirects: 308,
    configuration: (lines, scratch, { service, secure, plain }) => {
      const options = `admin off\ndefault_bind 127.0.0.1\nhttp_port ${plain}\nhttps_port ${secure}\nskip_install_trust\nstorage file_system ${scratch}\nlog {\nlevel ERROR\n}`
      const certificate = `tls ${join(scratch, 'fullchain.pem')} ${join(scratch, 'privkey.pem')}`
      return `{\n${options}\n}\n${lines.replace('127.0.0.1:3000', service).replace('{\n', `{\n${certificate}\n`)}`
    },
    args: (file) => ['run', '--adapter', 'caddyfile', '--config', file],
  },
]

interface Answer {
  readonly status: number
  readonly text: string
}

/** A request from 127.0.0.2, which the service does not trust. */
const ask = (
  port: number,
  path: string,
  headers: Record<string, string>,
  method = 'GET',
  body: string | Uint8Array = '',
): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const [host, servername] = ['127.0.0.1', 'crm.example.com']
    const sent = request(
      {
        host,
        port,
        path,
        method,
        servername,
        localAddress: '127.0.0.2',
        headers: { Host: servername, ...headers },
        rejectUnauthorized: false,
      },
      (answer) => {
        let text = ''
        answer.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
        answer.on('end', () => resolve({ status: answer.statusCode!, text }))
      },
    )
    sent.on('error', reject)
    sent.end(body)
  })

async function checkThrough(service: Service, secure: number): Promise<void> {
  const token = { 'X-Auth-Token': service.token }
  const typed = { 'Content-Type': 'application/vnd.api+json' }
  const listed = await ask(secure, '/api/dev/user?page[limit]=1', token)
  assert.match(JSON.parse(listed.text).links.self, /^https:\/\/crm\.example\.com\/api\/dev\/user\?/)
  const long = `in(login,${Array.from({ length: 700 }, (_, i) => `'user-${i}'`).join(',')})`
  assert.equal((await ask(secure, `/api/dev/user?filter=${long}`, token)).status, 200)
  const { id } = await service.table('Companies', { papers: 'file' })
  const file = { file_name: 'large.txt', content: 'x'.repeat(3 << 20) }
  const body = JSON.stringify({ data: { type: `data${id}`, attributes: { f1: [file] } } })
  const made = await ask(secure, `/api/dev/data${id}`, { ...token, ...typed }, 'POST', body)
  assert.equal(made.status, 201, made.text.slice(0, 300))
  // One that is larger than other requests may be, as the web pages send it.
  const large = Buffer.alloc(65 << 20, 'x')
  const put = await ask(secure, `/api/dev/file/${id}/f1/1/larger.txt`, token, 'PUT', large)
  assert.deepEqual([put.status, put.text.slice(0, 300).includes(`"size":${large.length}`)], [201, true], put.text.slice(0, 300))
  const wrong = JSON.stringify({ data: { type: 'token', attributes: { login: 'nobody', password: 'nothing at all' } } })
  await ask(secure, '/api/dev/token', { 'X-Forwarded-For': '203.0.113.7', ...typed }, 'POST', wrong)
  const audit = await service.get("audit?filter=eq(action,'sign_in_failed')")
  // What the client itself wrote into X-Forwarded-For does not count.
  assert.equal(audit.json.data[0].attributes.address, '127.0.0.2')
}

for (const { name, programs, version, lines, redirects, configuration, args } of proxies)
  test(`the lines for ${name} bring requests to the service, with TLS and the address of the client`, async (t) => {
    assert.ok(lines.includes('127.0.0.1:3000'))
    const program = programs.find((one) => spawnSync(one, [version]).status === 0)
    if (program === undefined) {
      t.diagnostic(`${name} is not on this machine, so its lines were not tried`)
      return
    }
    const uploadLimit = 1 << 30
    const service = await startService({ publicUrl: 'https://crm.example.com', trustedProxies: ['127.0.0.1'], uploadLimit })
    const scratch = mkdtempSync(join(tmpdir(), 'kartoteka-proxy-'))
    const [secure, plain] = [await freePort(), await freePort()]
    const certificate = ['-keyout', join(scratch, 'privkey.pem'), '-out', join(scratch, 'fullchain.pem'), '-subj', '/CN=crm.example.com']
    const names = ['-addext', 'subjectAltName=DNS:crm.example.com']
    execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1', ...certificate, ...names], { stdio: 'ignore' })
    const file = join(scratch, 'configuration')
    writeFileSync(file, configuration(lines, scratch, { service: new URL(service.url).host, secure, plain }))
    const env = { PATH: process.env.PATH, HOME: scratch }
    const proxy = spawn(program, args(file, scratch), { env, stdio: ['ignore', 'ignore', 'inherit'] })
    try {
      let hello: Answer | undefined
      while (hello === undefined && proxy.exitCode === null)
        hello = await ask(secure, '/api/dev/hello/proxy', {}).catch(
          () => new Promise<undefined>((next) => setTimeout(() => next(undefined), 50)),
        )
      assert.equal(hello?.status, 200)
      await checkThrough(service, secure)
      const moved = await fetch(`http://127.0.0.1:${plain}/api/dev`, { redirect: 'manual', headers: { Host: 'crm.example.com' } })
      assert.equal(moved.status, redirects)
    } finally {
      proxy.kill('SIGQUIT')
      if (proxy.exitCode === null) await once(proxy, 'exit')
      await service.close()
      rmSync(scratch, { recursive: true })
    }
  })
