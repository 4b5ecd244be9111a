import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { after, before, describe, it } from 'node:test'

/* The lines of docs/operations.md that make a service, typed with another user's name and below another directory. */

const repository = fileURLToPath(new URL('../../../', import.meta.url))
const isRoot = process.getuid?.() === 0
const hasTools = spawnSync('sh', ['-c', 'command -v useradd userdel setpriv install']).status === 0
const WHY = isRoot ? 'there is no useradd or setpriv here' : 'only root can make a user'
const able = isRoot && hasTools

const section = (page: string) => /### As a service of systemd\n([^]*?)\n### |### As a service of systemd\n([^]*)/.exec(page)![0]

describe('the service of docs/operations.md', () => {
  const user = `kartoteka-${randomBytes(4).toString('hex')}`
  let place: string
  const at = (path: string) => join(place, path)
  /** The same words for this machine. */
  const here = (text: string) =>
    text
      .replaceAll(/\/(opt|var\/lib|etc|usr\/local\/bin)\//g, (path) => at(path))
      .replaceAll(/(--user-group .*|-o |-g |User=)kartoteka\b/g, (words) => words.replace(/kartoteka$/, user))
  let unit: string
  before(() => {
    if (!able) return
    place = mkdtempSync(join(tmpdir(), 'kartoteka-service-'))
    execFileSync('chmod', ['755', place])
    const unpacked = at('unpacked')
    for (const name of [
      'bin',
      'src',
      'client',
      'scripts',
      'docs',
      'runtime/package.json',
      'runtime/package-lock.json',
      'tsconfig.json',
      'package.json',
      'package-lock.json',
      '.npmrc',
    ])
      cpSync(join(repository, name), join(unpacked, name), { recursive: true })
    const installed = join(repository, 'web/node_modules')
    cpSync(join(repository, 'web'), join(unpacked, 'web'), { recursive: true, filter: (path) => path !== installed })
    for (const name of ['node_modules', 'runtime/node_modules', 'web/node_modules'])
      if (statSync(join(repository, name), { throwIfNoEntry: false })) symlinkSync(join(repository, name), join(unpacked, name))
    for (const folder of ['opt', 'etc/systemd/system', 'usr/local/bin', 'var/lib']) mkdirSync(at(folder), { recursive: true })
    writeFileSync(join(unpacked, 'docs/kartoteka.service'), here(readFileSync(join(repository, 'docs/kartoteka.service'), 'utf8')))
    const lines = section(readFileSync(join(repository, 'docs/operations.md'), 'utf8'))
      .match(/^ {4}\S.*$/gm)!
      .slice(0, -1)
    // There is no systemd where the tests run.
    const script = `set -eu\numask 077\nsystemctl() { echo "systemctl $*" >> ${at('called')}; }\n${here(lines.join('\n'))}\n`
    execFileSync('sh', ['-c', script], { cwd: unpacked, env: { PATH: process.env.PATH }, stdio: 'pipe' })
    unit = readFileSync(at('etc/systemd/system/kartoteka.service'), 'utf8')
  })
  after(() => {
    if (!able) return
    spawnSync('userdel', [user])
    rmSync(place, { recursive: true, force: true })
  })

  const said = (name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(unit)![1]!

  /** As systemd would start it. */
  async function start() {
    const words = [
      '--reuid',
      user,
      '--regid',
      user,
      '--init-groups',
      '--reset-env',
      'env',
      said('Environment'),
      'PORT=0',
      ...said('ExecStart').split(' '),
    ]
    const child = spawn('setpriv', words, { cwd: '/', stdio: ['ignore', 'pipe', 'pipe'] })
    let out = ''
    let err = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text))
    child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text))
    const closed = once(child, 'close')
    while (!/listens on/.test(out)) await Promise.race([once(child.stdout, 'data'), closed.then(() => assert.fail(err))])
    return {
      url: /listens on (http:\S+)/.exec(out)![1]!,
      out,
      async stop() {
        child.kill('SIGTERM')
        assert.equal((await closed)[0], 0, err)
      },
    }
  }

  const command = (...args: string[]) =>
    execFileSync(at('usr/local/bin/kartoteka'), [...args, '--data', at('var/lib/kartoteka')], {
      encoding: 'utf8',
      env: { PATH: process.env.PATH },
    }).trim()

  it('starts as its user, keeps its data to itself, and takes commands of root, also while it is stopped', async (context) => {
    if (!able) return context.skip(WHY)
    assert.deepEqual(readFileSync(at('called'), 'utf8').trim().split('\n'), ['systemctl daemon-reload', 'systemctl enable --now kartoteka'])
    const data = at('var/lib/kartoteka')
    const server = await start()
    assert.match(server.out, /^ {2}password: \S+$/m)
    let page: Response
    // It is looked first whether they are those of the sources.
    do page = await fetch(server.url, { headers: { Accept: 'text/html' } })
    while (page.headers.has('Refresh'))
    const shown = await page.text()
    if (!/src="[^"]*assets\/index-/.test(shown)) await server.stop()
    assert.match(shown, /src="[^"]*assets\/index-/)
    command('table', 'create', 'While it runs')
    await server.stop()
    command('table', 'create', 'While it is stopped')
    const token = command('token', 'create', '--login', 'admin')
    const uid = Number(execFileSync('id', ['-u', user], { encoding: 'utf8' }))
    for (const name of ['', ...readdirSync(data, { recursive: true, encoding: 'utf8' })]) {
      const found = statSync(join(data, name))
      assert.deepEqual([name, found.uid, found.mode & 0o077], [name, uid, 0])
    }
    const again = await start()
    const headers = { 'X-Auth-Token': token, 'Content-Type': 'application/vnd.api+json' }
    const body = JSON.stringify({ data: { type: 'category', attributes: { category_name: 'Written' } } })
    assert.equal((await fetch(`${again.url}/api/dev/category`, { method: 'POST', headers, body })).status, 201)
    await again.stop()
  })

  it('has a unit that systemd takes, and that starts with the machine', (context) => {
    if (!able) return context.skip(WHY)
    assert.equal(said('WantedBy'), 'multi-user.target')
    const { error, status, stderr } = spawnSync('systemd-analyze', ['verify', at('etc/systemd/system/kartoteka.service')], {
      encoding: 'utf8',
    })
    if (error) return context.skip('there is no systemd-analyze here')
    assert.deepEqual([status, stderr], [0, ''])
  })
})
