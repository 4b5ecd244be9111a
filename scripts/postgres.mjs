/*
 * A real PostgreSQL for the tests: the pinned one of postgres/, or one that the system has. It listens on a Unix socket in a
 * temporary directory, loses everything in a power failure, and is gone with the process that started it.
 */
import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, chownSync, cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { endPooler, poolerBefore } from './pooler.mjs'
import { ensurePostgres, SetupFailure } from './setup.mjs'

export const fast = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'max_connections=300', 'shared_buffers=64MB']

const PREFIX = 'kartoteka-postgres-'

/**
 * Starts a new, empty cluster. `settings` are lines of postgresql.conf after those that make it fast; `stop` removes it; `onDisk`: never in memory;
 * `programs`: the folder of another PostgreSQL; `disk`: where its data are, and its log of writes unless `logElsewhere` (root only).
 * `url` names the database `postgres`, by way of a pooler where there is one (pooler.mjs); `direct` never does.
 */
export async function startPostgres({ settings = fast, directory, onDisk = false, programs = findPrograms(), disk } = {}) {
  const user = unprivileged()
  if (!directory) removeAbandoned()
  const place = directory ?? makePlace(`${PREFIX}${process.pid}-`, user, onDisk)
  const data = join(disk?.directory ?? place, 'data')
  const dataHere = join(disk?.here ?? place, 'data')
  const [before, as] = disk ? [[...disk.through, 'setpriv', ...privileges(user), '--'], {}] : [[], user]
  if (!existsSync(dataHere)) {
    if (disk) chownSync(disk.here, user.uid, user.gid)
    const wal = disk?.logElsewhere ? [`--waldir=${join(place, 'wal')}`] : []
    const [command, ...words] = [...before, join(programs, 'initdb'), '-D', data, ...wal, ...(disk ? ['--wal-segsize=1'] : [])]
    const made = spawnSync(command, [...words, '-U', 'kartoteka', '-A', 'trust', '--locale=C.UTF-8', '--encoding=UTF8', '--no-sync'], {
      ...as,
      cwd: '/',
      encoding: 'utf8',
      env: { PATH: process.env.PATH },
    })
    if (made.status !== 0) throw new SetupFailure(`PostgreSQL for the tests could not be made: ${made.error?.message ?? made.stderr}`)
  }
  // Shared memory in its own directory, so that a server that is killed leaves nothing elsewhere.
  const options = ['listen_addresses=', 'dynamic_shared_memory_type=mmap', ...settings].flatMap((setting) => ['-c', setting])
  const [command, ...words] = [...before, join(programs, 'postgres'), '-D', data, '-k', place, ...options]
  const start = () => spawn(command, words, { ...as, cwd: '/', env: { PATH: process.env.PATH }, stdio: ['ignore', 'ignore', 'pipe'] })
  const server = await started(start)
  const stopNow = () => {
    server.kill('SIGQUIT')
    if (!directory) rmSync(place, { recursive: true, force: true })
  }
  process.once('exit', stopNow)
  // One that was killed is started again in its directory, perhaps often.
  if (directory) server.once('exit', () => process.off('exit', stopNow))
  const ended = new Promise((done) => server.once('exit', done))
  const host = (await poolerBefore(place, user)) ?? place
  const addressBy = (by, database) => `postgres://kartoteka@localhost/${database}?host=${encodeURIComponent(by)}`
  return {
    directory: place,
    host,
    version: readFileSync(join(dataHere, 'PG_VERSION'), 'utf8').trim(),
    process: server,
    /** The address of one of its databases. */
    url: (database = 'postgres') => addressBy(host, database),
    direct: (database = 'postgres') => addressBy(place, database),
    /** Ends it as the signal says (SIGINT: at once, nothing lost); the directory stays. */
    async halt(signal = 'SIGINT') {
      server.kill(signal)
      await ended
      process.off('exit', stopNow)
    },
    async stop() {
      server.kill('SIGQUIT')
      await ended
      process.off('exit', stopNow)
      await endPooler(place)
      rmSync(place, { recursive: true, force: true })
    },
  }
}

/** How often a server is started again whose directory is still held by children of one that was killed, and milliseconds in between. */
const STARTS = 50
const PAUSE = 200

async function started(start) {
  for (let left = STARTS; ; left--) {
    const server = start()
    const stopNow = () => server.kill('SIGQUIT')
    process.once('exit', stopNow)
    try {
      await ready(server)
      return server
    } catch (error) {
      if (left === 0 || !/pre-existing shared memory block/.test(error.message)) throw error
    } finally {
      process.off('exit', stopNow)
    }
    await new Promise((next) => setTimeout(next, PAUSE))
  }
}

function ready(server) {
  let said = ''
  return new Promise((resolve, reject) => {
    server.stderr.on('data', (data) => {
      said = (said + data).slice(-10_000)
      if (/ready to accept (read-only )?connections/.test(said)) resolve()
    })
    server.once('error', (error) => reject(new SetupFailure(`PostgreSQL for the tests does not start: ${error.message}`)))
    server.once('exit', () => reject(new SetupFailure(`PostgreSQL for the tests does not start:\n${said}`)))
  })
}

/** PostgreSQL refuses to run as root. */
function unprivileged() {
  if (process.getuid?.() !== 0) return {}
  const people = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
  const found = people.find(([name]) => name === 'postgres') ?? people.find(([name]) => name === 'nobody')
  if (!found) throw new SetupFailure('PostgreSQL does not run as root, and this machine has no user postgres or nobody to run it as.')
  return { uid: Number(found[2]), gid: Number(found[3]) }
}

/** For a process that begins as root, as it has to where it enters a disk of its own. */
const privileges = ({ uid, gid }) => [`--reuid=${uid}`, `--regid=${gid}`, '--clear-groups']

/** What was left by a process that was killed. */
function removeAbandoned() {
  for (const place of [inMemory() ?? tmpdir(), tmpdir()].flatMap((folder) => abandonedIn(folder, PREFIX))) {
    try {
      process.kill(Number.parseInt(readFileSync(join(place, 'data', 'postmaster.pid'), 'utf8')), 'SIGQUIT')
    } catch {
      // It has ended by itself.
    }
    rmSync(place, { recursive: true, force: true, maxRetries: 3 })
  }
}

/** What is called after this prefix and the id of a process, and whose process has ended. */
export function abandonedIn(folder, prefix) {
  return readdirSync(folder)
    .filter((name) => name.startsWith(prefix) && !isRunning(Number.parseInt(name.slice(prefix.length))))
    .map((name) => join(folder, name))
}

function isRunning(pid) {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error.code === 'EPERM'
  }
}

function makePlace(prefix, { uid, gid }, onDisk) {
  const place = mkdtempSync(join((onDisk ? undefined : inMemory()) ?? tmpdir(), prefix))
  chmodSync(place, 0o755)
  if (uid !== undefined) chownSync(place, uid, gid)
  return place
}

/** Where Debian and its kin put them, the newest version. */
function ofTheSystem() {
  const system = '/usr/lib/postgresql'
  const versions = existsSync(system) ? readdirSync(system).sort((one, other) => Number(other) - Number(one)) : []
  return versions.map((version) => join(system, version, 'bin')).find((bin) => existsSync(join(bin, 'postgres')))
}

/** The folder of a PostgreSQL here that comes with its tools, such as pg_dump; the pinned one has none. */
export function programsWithTools() {
  return [process.env.KARTOTEKA_TEST_POSTGRES, ofTheSystem()].find((bin) => bin && existsSync(join(bin, 'pg_dump')))
}

/** A file system in memory, where there is one with room: a new database takes a tenth of the time there. */
export function inMemory() {
  try {
    const { bavail, bsize } = statfsSync('/dev/shm')
    return bavail * bsize > 2 ** 31 ? '/dev/shm' : undefined
  } catch {
    return undefined
  }
}

/** The folder of `initdb` and `postgres`. @throws SetupFailure that says what to do */
function findPrograms() {
  const chosen = process.env.KARTOTEKA_TEST_POSTGRES
  if (chosen) return chosen
  let native
  try {
    native = ensurePostgres()
  } catch (error) {
    const here = ofTheSystem()
    if (!here) throw error
    return here
  }
  if (Object.keys(unprivileged()).length === 0) return join(native, 'bin')
  // The other user may not see into the folders of this one.
  const copy = join(tmpdir(), `${PREFIX}${process.pid}-programs`)
  if (existsSync(copy)) return join(copy, 'bin')
  mkdirSync(copy, { mode: 0o755 })
  process.once('exit', () => rmSync(copy, { recursive: true, force: true }))
  cpSync(native, copy, { recursive: true, verbatimSymlinks: true })
  return join(copy, 'bin')
}
