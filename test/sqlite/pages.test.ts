import assert from 'node:assert/strict'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { gzipSync } from 'node:zlib'
import { environment } from '../../src/app/installation.ts'
import { officeOf } from '../../src/app/office.ts'
import { webPages, type WebPages } from '../../src/app/web-pages.ts'
import { digestOfSources } from '../../src/app/web-sources.ts'
import { buildServer, type HttpServer } from '../../src/http/server.ts'
import { until } from '../support/until.ts'

/* How the service sends the web pages. What they do is in test/browser. */

const BROWSER = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
const settings = { publicUrl: '', trustedProxies: [], corsOrigins: [], bodyLimit: 1 << 20, uploadLimit: 1 << 20, metricsToken: '' }

describe('the web pages over HTTP', () => {
  const web = mkdtempSync(join(tmpdir(), 'kartoteka-web-'))
  const warned: string[] = []
  const log = { info: () => undefined, warn: (_: object, message: string) => void warned.push(message), error: () => undefined }
  let pages: WebPages
  let server: HttpServer
  let url: string

  before(async () => {
    mkdirSync(join(web, 'dist', 'assets'), { recursive: true })
    writeFileSync(join(web, 'index.html'), 'source')
    const put = (file: string, text: string | Buffer) => writeFileSync(join(web, 'dist', file), text)
    put('index.html', '<!doctype html><title>Pages</title>')
    put('assets/a-1.js', 'plain')
    put('assets/a-1.js.br', 'brotli')
    put('assets/a-1.js.gzip', gzipSync('plain'))
    put('assets/service-worker.js.gzip', gzipSync('worker'))
    put('secret.txt', 'secret')
    const parts = {
      'assets/service-worker.js': { media: 'text/javascript; charset=utf-8', encodings: ['gzip'] },
      'assets/a-1.js': { media: 'text/javascript; charset=utf-8', encodings: ['br', 'gzip'] },
    }
    put('built.json', JSON.stringify({ sources: await digestOfSources(web), parts }))
    pages = webPages(log, { web })
    await pages.ready()
    // The store is never there: pages do not need it.
    server = buildServer({ store: new Promise(() => {}), environment, settings, log, pages })
    url = await server.listen('127.0.0.1', 0)
  })
  after(async () => {
    await server.close()
    rmSync(web, { recursive: true })
  })
  const get = async (path: string, headers: Record<string, string> = {}) => {
    const answer = await fetch(`${url}${path}`, { headers: { 'Accept-Encoding': 'identity', ...headers }, redirect: 'manual' })
    return { status: answer.status, headers: answer.headers, bytes: Buffer.from(await answer.arrayBuffer()).toString() }
  }

  it('are one page at all of their addresses, for browsers alone, also while the service starts', async () => {
    for (const path of [
      '/',
      '/sign-in',
      '/invite/abc',
      '/t/7',
      '/t/7/123',
      '/search?q=north',
      '/import',
      '/jobs',
      '/changes',
      '/trash',
      '/profile',
      '/help',
      '/help/start',
      '/admin',
      '/admin/tables/7',
      '/t/7?filter=eq(f1,%27a%27)',
    ]) {
      const { status, headers, bytes } = await get(path, BROWSER)
      assert.deepEqual([path, status, bytes], [path, 200, '<!doctype html><title>Pages</title>'])
      assert.deepEqual([headers.get('content-type'), headers.get('cache-control')], ['text/html; charset=utf-8', 'no-cache'])
      const policy = new Map(headers.get('content-security-policy')!.split('; ').map((one) => [one.split(' ')[0], one.split(' ').slice(1)])) // prettier-ignore
      assert.deepEqual(policy.get('default-src'), ["'none'"])
      assert.deepEqual(policy.get('script-src'), ["'self'"])
      assert.ok(!headers.get('content-security-policy')!.includes('unsafe'))
      assert.deepEqual(policy.get('frame-src'), ["'self'"])
      assert.deepEqual(policy.get('frame-ancestors'), ["'none'"])
      assert.equal((await get(path, { Accept: 'application/vnd.api+json' })).status, 404, path)
    }
    assert.equal((await get('/nowhere', BROWSER)).status, 404)
  })

  it('have the name and the picture of the office, which is text and no page of its own', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'kartoteka-office-'))
    const logo = join(folder, 'our.svg')
    writeFileSync(logo, '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')
    const office = officeOf({ officeName: '"><script>alert(1)</script> & Co $&', officeLogo: logo })
    const found = webPages(log, { web, office })
    await found.ready()
    const other = buildServer({ store: new Promise(() => {}), environment, settings, log, pages: found })
    try {
      const at = await other.listen('127.0.0.1', 0)
      const page = await (await fetch(`${at}/sign-in`, { headers: BROWSER })).text()
      const name = '&#34;&#62;&#60;script&#62;alert(1)&#60;/script&#62; &#38; Co $&#38;'
      const [, file] = /content="\/(assets\/office-[0-9a-f]{12}\.svg)"/.exec(page)!
      const head = `<title>${name}</title><meta name="office-logo" content="/${file}"><meta name="application-name" content="${name}">`
      assert.equal(page, `<!doctype html>${head}`)
      const { headers } = await fetch(`${at}/${file}`)
      assert.match(headers.get('content-security-policy')!, /default-src 'none'.*sandbox/)
      assert.deepEqual([headers.get('content-type'), headers.get('x-content-type-options')], ['image/svg+xml', 'nosniff'])
    } finally {
      found.close()
      await other.close()
    }
    for (const [file, text] of [
      ['none.svg', undefined],
      ['our.html', 'x'],
      ['large.png', Buffer.alloc(262_145)],
    ] as const) {
      if (text !== undefined) writeFileSync(join(folder, file), text)
      assert.throws(() => officeOf({ officeName: '', officeLogo: join(folder, file) }), { code: 'config.invalid' }, file)
    }
    rmSync(folder, { recursive: true })
  })

  it('have the addresses that their router has', () => {
    const routes = readFileSync(new URL('../../web/app/routes.tsx', import.meta.url), 'utf8')
    const paths = Array.from(routes.matchAll(/ path: '([^']+)'/gm), ([, path]) => path!)
    assert.deepEqual(paths.sort(), [
      '/',
      '/admin',
      '/admin/about',
      '/admin/audit',
      '/admin/groups',
      '/admin/indexes',
      '/admin/licences',
      '/admin/rights',
      '/admin/settings',
      '/admin/storage',
      '/admin/tables',
      '/admin/tables/$table',
      '/admin/tokens',
      '/admin/users',
      '/admin/webhooks',
      '/changes',
      '/help',
      '/help/$chapter',
      '/help/keys',
      '/import',
      '/invite/$code',
      '/jobs',
      '/profile',
      '/search',
      '/sign-in',
      '/t/$table',
      '/t/$table/$record',
      '/t/$table/new',
      '/trash',
    ])
  })

  it('have parts in the best encoding that a browser takes, which it keeps for ever', async () => {
    const zipped = gzipSync('plain').toString('latin1')
    const wanted = { 'br, gzip': 'brotli', 'gzip, deflate': zipped, 'br;q=0, gzip;q=0.5': zipped, identity: 'plain', 'br;q=0': 'plain' }
    for (const [accepted, text] of Object.entries(wanted)) {
      const { status, headers, bytes } = await raw('/assets/a-1.js', accepted)
      assert.deepEqual([accepted, status, bytes], [accepted, 200, text])
      assert.deepEqual([headers['content-type'], headers['vary']], ['text/javascript; charset=utf-8', 'Accept-Encoding'])
      assert.equal(headers['cache-control'], 'public, max-age=31536000, immutable')
      assert.equal(headers['content-encoding'], text === 'plain' ? undefined : text === zipped ? 'gzip' : 'br')
    }
  })

  it('have a service worker, which is asked for again each time, may ask this service alone, and is gone with the pages', async () => {
    const { status, headers, bytes } = await get('/service-worker.js')
    assert.deepEqual([status, bytes, headers.get('cache-control')], [200, 'worker', 'no-cache'])
    assert.equal(headers.get('content-security-policy'), "default-src 'none'; connect-src 'self'")
    assert.match(headers.get('content-type')!, /^text\/javascript/)
    assert.equal((await get('/assets/service-worker.js')).status, 404)
    const none = buildServer({ store: new Promise(() => {}), environment, settings, log })
    const at = await none.listen('127.0.0.1', 0)
    assert.equal((await fetch(`${at}/service-worker.js`)).status, 404)
    await none.close()
  })

  it('are nothing but what was built', async () => {
    for (const path of [
      '/assets/none.js',
      '/assets/../secret.txt',
      '/assets/..%2fsecret.txt',
      '/assets/%2e%2e/secret.txt',
      '/assets/a-1.js.br',
      '/assets/constructor',
      '/secret.txt',
      '/built.json',
    ])
      assert.equal((await get(path, BROWSER)).status, 404, path)
  })

  it('say what is missing at each address until they are there, and ask again only while they are coming', async () => {
    for (const isComing of [true, false]) {
      const missing = { ...pages, missing: () => ({ says: 'The web pages are away.', isComing }) }
      const other = buildServer({ store: new Promise(() => {}), environment, settings, log, pages: missing })
      const at = await other.listen('127.0.0.1', 0)
      for (const path of ['/', '/t/7?filter=eq(f1,%27a%27)']) {
        const answer = await fetch(`${at}${path}`, { headers: BROWSER, redirect: 'manual' })
        assert.match(await answer.text(), /<p>The web pages are away\.<\/p>/)
        assert.deepEqual([answer.status, answer.headers.get('refresh')], [200, isComing ? '3' : null])
        assert.match(answer.headers.get('content-security-policy')!, /^default-src 'none'/)
      }
      assert.equal((await fetch(`${at}/assets/a-1.js`)).status, 404)
      await other.close()
    }
  })

  it('are built again where a file is missing or what was written down is not whole', async () => {
    const copy = join(mkdtempSync(join(tmpdir(), 'kartoteka-web-')), 'web')
    const isThere = async () => {
      const found = webPages(log, { web: copy })
      // A build of this folder would be one of the program's: it is not waited for.
      await new Promise((next) => setTimeout(next, 200))
      found.close()
      return found.missing() === undefined
    }
    cpSync(web, copy, { recursive: true })
    assert.equal(await isThere(), true)
    rmSync(join(copy, 'dist', 'assets', 'a-1.js.gzip'))
    assert.equal(await isThere(), false)
    cpSync(web, copy, { recursive: true })
    writeFileSync(join(copy, 'dist', 'built.json'), '{"sources"')
    assert.equal(await isThere(), false)
    rmSync(copy, { recursive: true })
  })

  it('are made of the sources, not of tests and packages', async () => {
    const copy = join(mkdtempSync(join(tmpdir(), 'kartoteka-web-')), 'web')
    cpSync(web, copy, { recursive: true })
    const put = (path: string) => {
      mkdirSync(dirname(join(copy, path)), { recursive: true })
      writeFileSync(join(copy, path), '1')
      return digestOfSources(copy)
    }
    const digest = await digestOfSources(copy)
    for (const path of ['node_modules/a/b.js', 'dist/c.js', 'ui/d.test.ts', '.npmrc']) assert.equal(await put(path), digest, path)
    for (const path of ['ui/deep/e.ts', 'package-lock.json', '../client/f.ts']) assert.notEqual(await put(path), digest, path)
    rmSync(dirname(copy), { recursive: true })
  })

  it('are built by a process that ends with the service, and with all that it has started', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'kartoteka-web-'))
    const script = join(folder, 'build.mjs')
    const told = join(folder, 'pid')
    writeFileSync(
      script,
      `import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
const { pid } = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit' })
writeFileSync(${JSON.stringify(told)}, String(pid))
`,
    )
    const found = webPages(log, { web: folder, script })
    const runs = () => {
      try {
        return process.kill(Number(readFileSync(told, 'utf8')), 0)
      } catch (error) {
        assert.equal((error as NodeJS.ErrnoException).code, 'ESRCH')
        return false
      }
    }
    await until('what the build has started', () => existsSync(told) && readFileSync(told, 'utf8') !== '')
    assert.equal(runs(), true)
    found.close()
    await until('its end', () => !runs())
    rmSync(folder, { recursive: true })
  })

  /** `fetch` decodes what it gets; this does not. */
  async function raw(path: string, encoding: string) {
    const { request } = await import('node:http')
    return new Promise<{ status: number; headers: Record<string, unknown>; bytes: string }>((resolve, reject) => {
      request(`${url}${path}`, { headers: { 'Accept-Encoding': encoding } }, (answer) => {
        let bytes = ''
        answer.setEncoding('latin1').on('data', (text: string) => (bytes += text))
        answer.on('end', () => resolve({ status: answer.statusCode!, headers: answer.headers, bytes }))
      })
        .on('error', reject)
        .end()
    })
  }
})
