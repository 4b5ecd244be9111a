import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { after, before, beforeEach, test } from 'node:test'
import { root } from './setup.mjs'

/** Stands for npm: "installs" by writing the record that npm writes, or fails as NPM_FAILS says. */
const npm = `#!${process.execPath}
const { appendFileSync, mkdirSync, readFileSync, writeFileSync } = require('node:fs')
appendFileSync(process.env.NPM_LOG, process.argv.slice(2).join(' ') + '\\n')
console.log('added 1 package')
if (process.env.NPM_FAILS) { console.error('npm error code ' + process.env.NPM_FAILS + '\\nnpm error more'); process.exit(1) }
const { packages } = JSON.parse(readFileSync('package-lock.json'))
const left = Object.entries(packages).filter(([path, pack]) => path && !(pack.dev && process.argv.includes('--omit=dev')))
mkdirSync('node_modules/one', { recursive: true })
writeFileSync('node_modules/.package-lock.json', JSON.stringify({ packages: Object.fromEntries(left) }))
`

let folder
let place
before(() => (folder = mkdtempSync(join(tmpdir(), 'setup-'))))
after(() => rmSync(folder, { recursive: true, force: true }))
beforeEach(() => {
  place = mkdtempSync(join(folder, 'project-'))
  for (const name of ['scripts', 'bin', 'src', 'npm']) mkdirSync(join(place, name))
  for (const file of ['scripts/setup.mjs', 'scripts/compile-cache.mjs', 'bin/kartoteka.mjs', '.npmrc'])
    copyFileSync(join(root, file), join(place, file))
  writeFileSync(join(place, 'npm', 'npm'), npm, { mode: 0o755 })
  writeFileSync(join(place, 'npm', 'package.json'), '{"type":"commonjs"}')
  writeFileSync(join(place, 'src', 'main.ts'), "console.log(['ran', ...process.argv.slice(2)].join(' '))\n")
  writeFileSync(join(place, 'package.json'), '{"type":"module"}')
  lock('sha512-1')
})

test('a fresh clone installs what it needs to run, once, and says so on stderr only', async () => {
  const first = await start()
  assert.deepEqual([first.code, first.out], [0, 'ran token create\n'])
  assert.match(first.err, /^kartoteka: installing dependencies[^\n]*\n$/)
  const second = await start()
  assert.deepEqual([second.code, second.out, second.err], [0, 'ran token create\n', ''])
  assert.deepEqual(installs(), ['ci --ignore-scripts --no-audit --no-fund --loglevel=error --omit=dev'])
})

test('an install older than the lockfile is replaced', async () => {
  await start()
  lock('sha512-2')
  assert.match((await start()).err, /installing/)
  assert.equal((await start()).err, '')
})

test('starts at the same time all succeed and leave one install and nothing else', async () => {
  const all = await Promise.all([start(), start(), start()])
  assert.deepEqual(
    all.map(({ code, out }) => [code, out]),
    [1, 2, 3].map(() => [0, 'ran token create\n']),
  )
  assert.deepEqual(readdirSync(join(place, '.cache')), ['compile'])
  assert.equal((await start()).err, '')
})

test('a start is not disturbed by another one that takes its folder away meanwhile', async () => {
  mkdirSync(join(place, '.cache'))
  // It is listed, and there is nothing behind it: so is a folder that goes before it is looked at.
  symlinkSync(join(place, 'nowhere'), join(place, '.cache', 'setup-gone'))
  const { code, out } = await start()
  assert.deepEqual([code, out], [0, 'ran token create\n'])
})

test('an install that fails says why in one sentence and leaves what was there', async () => {
  await start()
  const before = readFileSync(join(place, 'node_modules', '.package-lock.json'), 'utf8')
  lock('sha512-2')
  const failed = await start({ NPM_FAILS: 'ENOTCACHED' })
  assert.deepEqual([failed.code, failed.out], [1, ''])
  assert.match(
    failed.err,
    /\nkartoteka: npm could not install the dependencies \(ENOTCACHED: more\); is the package registry within reach\?\n$/,
  )
  assert.equal(readFileSync(join(place, 'node_modules', '.package-lock.json'), 'utf8'), before)
})

test('a machine without npm is told so', async () => {
  const failed = await start({ PATH: '/nowhere' })
  assert.equal(failed.code, 1)
  assert.match(failed.err, /npm could not be started \(ENOENT\); it comes with Node\./)
})

test('where nothing can be written, that is what is said', async () => {
  writeFileSync(join(place, '.cache'), 'a file where the folder should be')
  const failed = await start()
  assert.equal(failed.code, 1)
  assert.match(failed.err, /cannot write to .+, so nothing can be installed/)
  assert.ok(!existsSync(join(place, 'node_modules')))
})

function lock(integrity) {
  const packages = { '': {}, 'node_modules/one': { integrity }, 'node_modules/tool': { integrity: 'sha512-t', dev: true } }
  writeFileSync(join(place, 'package-lock.json'), JSON.stringify({ packages }))
}

function installs() {
  return readFileSync(join(place, 'npm.log'), 'utf8').trimEnd().split('\n')
}

async function start(environment = {}) {
  const env = { PATH: `${join(place, 'npm')}${delimiter}${process.env.PATH}`, NPM_LOG: join(place, 'npm.log'), ...environment }
  const child = spawn(process.execPath, [join(place, 'bin', 'kartoteka.mjs'), 'token', 'create'], { env })
  const [out, err] = [child.stdout, child.stderr].map((stream) => stream.setEncoding('utf8').toArray())
  const code = await new Promise((resolve) => child.on('close', resolve))
  return { code, out: (await out).join(''), err: (await err).join('') }
}
