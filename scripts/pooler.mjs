/*
 * A PgBouncer in transaction mode before a PostgreSQL of the tests, where KARTOTEKA_TEST_PGBOUNCER names the program. It
 * outlives the server behind it, as it does in life.
 */
import { spawn } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { SetupFailure } from './setup.mjs'

/** Few, so that what needs two connections at once would wait for itself. */
const SETTINGS = ['default_pool_size = 6', 'max_client_conn = 1000', 'server_login_retry = 1']

/** Those that run, by the directory of their server. */
const poolers = new Map()

/** The directory of the socket that leads to the server in `place`; undefined where there is no pooler. `user` is whom it runs as. */
export async function poolerBefore(place, user) {
  const program = process.env.KARTOTEKA_TEST_PGBOUNCER
  if (!program) return undefined
  const running = poolers.get(place) ?? (await start(program, place, user))
  poolers.set(place, running)
  return running.directory
}

export async function endPooler(place) {
  const running = poolers.get(place)
  poolers.delete(place)
  await running?.stop()
}

async function start(program, place, user) {
  const directory = `${place}-pooler`
  mkdirSync(directory, { mode: 0o755 })
  chmodSync(directory, 0o755)
  const file = join(directory, 'pgbouncer.ini')
  const lines = [
    '[databases]',
    `* = host=${place} user=kartoteka`,
    '[pgbouncer]',
    'pool_mode = transaction',
    'auth_type = any',
    'listen_addr =',
    'listen_port = 5432',
    `unix_socket_dir = ${directory}`,
    ...SETTINGS,
  ]
  writeFileSync(file, lines.join('\n'))
  if (user.uid !== undefined) chownSync(directory, user.uid, user.gid)
  const pooler = spawn(program, [file], { ...user, cwd: '/', stdio: ['ignore', 'ignore', 'pipe'] })
  const stopNow = () => {
    pooler.kill('SIGKILL')
    rmSync(directory, { recursive: true, force: true })
  }
  process.once('exit', stopNow)
  await ready(pooler)
  const ended = new Promise((done) => pooler.once('exit', done))
  return {
    directory,
    async stop() {
      stopNow()
      process.off('exit', stopNow)
      await ended
    },
  }
}

function ready(pooler) {
  let said = ''
  return new Promise((resolve, reject) => {
    pooler.stderr.on('data', (data) => {
      said = (said + data).slice(-10_000)
      if (/process up/.test(said)) resolve()
    })
    pooler.once('error', (error) => reject(new SetupFailure(`The pooler for the tests does not start: ${error.message}`)))
    pooler.once('exit', () => reject(new SetupFailure(`The pooler for the tests does not start:\n${said}`)))
  })
}
