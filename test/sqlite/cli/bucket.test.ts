import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openInstallation } from '../../../src/app/installation.ts'
import { readConfig } from '../../../src/config.ts'
import { operator } from '../../../src/store/catalogue/administrator.ts'
import { localFiles } from '../../../src/store/files/local-files.ts'
import { ensureFirstAdministrator } from '../../../src/store/people/first-administrator.ts'
import { issueToken } from '../../../src/store/people/tokens.ts'
import { s3Files } from '../../../src/store/s3/s3-files.ts'
import { createField } from '../../../src/store/structure/fields.ts'
import { createTable } from '../../../src/store/structure/tables.ts'
import { checkIntegrity } from '../../../src/store/upkeep/check-integrity.ts'
import { copyAll } from '../../../src/store/upkeep/copy-files.ts'
import { startBucket, type TestBucket } from '../../support/bucket.ts'
import { parseMetrics, valueOf } from '../../support/prometheus.ts'
import { scratchProgram, type ScratchProgram } from '../../support/scratch-program.ts'
import { unnamedFiles } from '../../support/storages.ts'

const SECRET = 'a/secret+of+the/bucket=='

describe('an installation with its files in a bucket', () => {
  let bucket: TestBucket
  let program: ScratchProgram
  let token: string
  /** The settings of all, the key in a file. */
  let settings: Record<string, string>
  const bytes = randomBytes(200_000)
  const hash = createHash('sha256').update(bytes).digest('hex')
  const path = '/api/dev/file/1/f1/1/a.bin'
  before(async () => {
    bucket = await startBucket()
    program = scratchProgram()
    const { KARTOTEKA_S3_SECRET_KEY: _, ...rest } = bucket.environment
    settings = { ...rest, KARTOTEKA_LOG_LEVEL: 'debug', KARTOTEKA_S3_SECRET_KEY_FILE: program.file('secret', 'S3RVER\n') }
    const { store, close } = await open()
    token = (await issueToken(store, operator, { login: (await ensureFirstAdministrator(store))!.login })).token
    await createTable(store, operator, { title: 'Papers' })
    await createField(store, operator, { tableId: 1, title: 'Papers', typeName: 'file' } as never)
    await close()
  })
  after(async () => {
    await program.remove()
    await bucket.close()
  })

  const open = (more: Record<string, string> = {}) =>
    openInstallation(readConfig({}, { KARTOTEKA_DATA: program.data, ...settings, ...more }))
  const typed = (args: readonly string[], more: Record<string, string> = {}) =>
    program.start(args, { env: { ...settings, ...more } }).finished
  const stored = () => bucket.files(program.data)
  async function findings(more: Record<string, string> = {}, readsFiles = true): Promise<string[]> {
    const { store, close } = await open(more)
    const all: string[] = []
    for await (const finding of checkIntegrity(store, { readsFiles })) all.push(finding)
    await close()
    return all
  }
  const gone = ['File 1 (a.bin): its bytes are gone.']

  it('keeps nothing of an upload whose process is killed, and serves what it has stored', async () => {
    let server = await program.serve({ env: settings })
    assert.equal((await server.call(token, 'POST', 'data1', { data: { type: 'data1', attributes: {} } })).status, 201)
    const sent = httpRequest(server.url + path, { method: 'PUT', headers: { 'X-Auth-Token': token, 'Content-Length': 9_000_000 } })
    sent.on('error', () => {}).write(randomBytes(3_000_000))
    const unfinished = () => unnamedFiles(server.child.pid!, program.data)
    for (let i = 0; i < 5_000 && unfinished() === 0; i++) await sleep(10)
    assert.equal(unfinished(), 1)
    await server.stop('SIGKILL')
    for await (const one of stored().list()) assert.fail(`the bucket has ${one}`)
    assert.deepEqual(readdirSync(`${program.data}/files`), [])
    server = await program.serve({ env: settings })
    const put = await fetch(server.url + path, { method: 'PUT', headers: { 'X-Auth-Token': token }, body: bytes })
    assert.equal(put.status, 201, await put.text())
    const metrics = await (await fetch(`${server.url}/metrics`, { headers: { 'X-Auth-Token': token } })).text()
    assert.equal(valueOf(parseMetrics(metrics), 'kartoteka_s3_requests_total', { method: 'PUT', result: '200' }), 1)
    const { err } = await server.stop()
    assert.ok(!`${metrics}${err}`.includes('S3RVER'))
    assert.deepEqual(readdirSync(`${program.data}/files`), [])
  })

  it('is backed up with its files, and restored into another bucket', async () => {
    assert.match((await typed(['backup', program.at('copy')])).out, /the database and 1 files/)
    assert.ok(existsSync(program.at(`copy/files/${hash.slice(0, 2)}/${hash.slice(2)}`)))
    const other = { KARTOTEKA_DATA: program.at('other'), KARTOTEKA_S3_PREFIX: 'other/' }
    const { code, out, err } = await typed(['restore', program.at('copy')], other)
    assert.deepEqual([code, /those of file fields into the bucket papers/.test(out)], [0, true], out + err)
    assert.deepEqual(readdirSync(program.at('other/files')), [])
    assert.deepEqual(await findings(other), [])
  })

  it('is backed up without its files, which a restore expects where they are', async () => {
    assert.match((await typed(['backup', '--without-files', program.at('lean')])).out, /the database, without files/)
    assert.deepEqual(readdirSync(program.at('lean/files')), [])
    const there = await typed(['restore', program.at('lean')], { KARTOTEKA_DATA: program.at('again') })
    assert.equal(there.code, 0, there.out + there.err)
    const astray = await typed(['restore', program.at('lean')], { KARTOTEKA_DATA: program.at('astray'), KARTOTEKA_S3_PREFIX: 'astray/' })
    assert.deepEqual([astray.code, astray.out.split('\n')[0]], [1, gone[0]])
  })

  it('is moved to a directory and back by copy-files', async () => {
    assert.equal((await typed(['copy-files', '--to', 'directory'])).out, 'Copied 1 files; 0 were there already.\n')
    const none = Object.fromEntries(Object.keys(settings).flatMap((name) => (name.startsWith('KARTOTEKA_S3') ? [[name, '']] : [])))
    assert.deepEqual(await findings(none), [])
    const moved = { KARTOTEKA_S3_PREFIX: 'new/' }
    assert.deepEqual(await findings(moved), gone)
    assert.equal((await typed(['copy-files', '--to', 'bucket'], moved)).out, 'Copied 1 files; 0 were there already.\n')
    assert.deepEqual([await findings(moved), await findings(moved, false)], [[], []])
    const [here, there] = [localFiles(`${program.data}/files`), s3Files({ ...bucket.bucket, prefix: 'new/' }, program.data)]
    assert.deepEqual(await copyAll(here, there, async () => {}), { copied: 0, same: 1, damaged: [] })
    // A file whose bytes have changed on the disk.
    const other = createHash('sha256').update('other').digest('hex')
    mkdirSync(`${program.data}/files/${other.slice(0, 2)}`, { recursive: true })
    writeFileSync(`${program.data}/files/${other.slice(0, 2)}/${other.slice(2)}`, 'others')
    assert.deepEqual((await copyAll(here, there, async () => {})).damaged, [other])
    for (const [words, env, says] of [
      [['--to', 'bucket'], none, /There is no bucket/],
      [['--to', 'moon'], {}, /'moon' is neither/],
    ] as const) {
      const { code, err } = await typed(['copy-files', ...words], env)
      assert.deepEqual([code, says.test(err)], [2, true], err)
    }
  })

  it('is checked: bytes that are gone are found, also by their sizes', async () => {
    await stored().sweep(async () => false, 0)
    // What a sweep has put aside is brought back.
    assert.deepEqual(await findings({}, false), [])
    const { code, out } = await typed(['check', '--sizes-only'], { KARTOTEKA_S3_PREFIX: 'empty/' })
    assert.deepEqual([code, out], [1, `${gone[0]}\n1 findings\n`])
  })

  it('that is not there says so, without the key', async () => {
    const wrong = { KARTOTEKA_S3_ENDPOINT: 'http://127.0.0.1:9', KARTOTEKA_S3_SECRET_KEY_FILE: '', KARTOTEKA_S3_SECRET_KEY: SECRET }
    const { code, out, err } = await typed(['check'], wrong)
    assert.equal(code, 1)
    assert.match(err, /The storage of files does not answer/)
    const server = await program.serve({ env: { ...settings, ...wrong } })
    const ready = await fetch(`${server.url}/readyz`)
    const said = await ready.text()
    assert.deepEqual([ready.status, JSON.parse(said).reason], [503, 'files'])
    const ended = await server.stop()
    assert.match(ended.err, /S3: GET: no answer/)
    assert.ok(!`${out}${err}${said}${ended.err}`.includes(SECRET))
  })

  it('passes files through the process in pieces, both ways, that are larger than the memory for them', async () => {
    const server = await program.serve({ env: settings })
    const place = path.replace('a.bin', 'large.bin')
    const [piece, pieces] = [randomBytes(1 << 20), 192]
    const [sent, got] = [createHash('sha256'), createHash('sha256')]
    const peak = () => Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${server.child.pid}/status`, 'utf8'))![1]) / 1024
    const before = peak()
    const headers = { 'X-Auth-Token': token, 'Content-Length': pieces << 20 }
    const upload = httpRequest(server.url + place, { method: 'PUT', headers })
    for (let i = 0; i < pieces; i++) {
      sent.update(piece)
      if (!upload.write(piece)) await once(upload, 'drain')
    }
    upload.end()
    const [answer] = (await once(upload, 'response')) as [IncomingMessage]
    assert.equal(answer.statusCode, 201)
    answer.resume()
    const download = httpRequest(server.url + place, { headers: { 'X-Auth-Token': token } }).end()
    const [received] = (await once(download, 'response')) as [IncomingMessage]
    for await (const chunk of received) got.update(chunk as Buffer)
    assert.equal(got.digest('hex'), sent.digest('hex'))
    // A process that keeps the file grows by its size or more; one that does not, by its buffers (30 to 70 MiB).
    assert.ok(peak() - before < pieces * 0.7, `${before} MiB before, ${peak()} after`)
    await server.stop()
  })
})
