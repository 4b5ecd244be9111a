import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startServer, type Application } from '../../../app.ts'
import { usesSqlite, type Config, type ShownSetting } from '../../../config.ts'
import { Failure } from '../../../errors.ts'
import type { Store } from '../../../store/ground/store.ts'
import { withoutSecrets } from '../../../store/open.ts'
import { enterDirectory } from '../../directory/enter-directory.ts'
import { lazyLog } from './lazy-log.ts'
import { serverAnswers, serveSocket, type Perform } from '../../directory/local-socket.ts'
import { shellQuoted } from '../../terminal/shell-quoted.ts'
import { begunIn } from '../../directory/begun.ts'
import { keepHeapSmall } from './small-heap.ts'

/** Attempts, 0.1 s apart, to lock a data directory that another process is about to release. */
const PATIENCE = 100
/** A second signal this many milliseconds after the first one, or later, ends the process at once. */
const INSIST = 1000

/** Runs the server until a signal stops it; resolves when everything is closed. `performOn` runs the commands that arrive on the local socket. */
export async function serve(
  config: Config,
  performOn: (store: Store, directory: string) => Perform,
  shown: readonly ShownSetting[],
): Promise<void> {
  const log = lazyLog(config.logLevel)
  const stopped = stopSignal()
  enterDirectory(config.data)
  const application = await start(config, log, shown)
  const { store } = application
  // Over PostgreSQL commands open the database themselves, and need no socket.
  const closeSocket = usesSqlite(config) ? await serveSocket(config.data, performOn(store, config.data)) : async () => undefined
  warnOfReaders(config.data)
  process.stdout.write((store.isNew ? `${begunIn(config)}\n` : '') + greeting(application, config))
  keepHeapSmall()
  const reason = await stopped
  log.info({ reason }, 'stopping')
  await closeSocket()
  await application.close()
  await log.written()
}

/** Starts the server when it gets the lock of the directory, which a stopping server or a short command may still have. */
async function start(config: Config, log: Parameters<typeof startServer>[1], shown: readonly ShownSetting[]): Promise<Application> {
  for (let patience = PATIENCE; ; patience--) {
    try {
      return await startServer(config, log, shown)
    } catch (error) {
      const taken = error instanceof Failure && error.code === 'server.directory_in_use'
      if (!taken || patience === 0 || (await serverAnswers(config.data))) throw error
      await sleep(100)
    }
  }
}

function greeting({ url, firstAdministrator: first }: Application, config: Config): string {
  const directory = resolve(config.data)
  const place = usesSqlite(config)
    ? `its data in ${directory}`
    : `its records in ${withoutSecrets(config.databaseUrl)}, its files in ${config.s3Bucket === '' ? directory : `the bucket ${config.s3Bucket}`}`
  return [...(first ? introduction(first, url, config) : []), `Kartoteka listens on ${url} and keeps ${place}`, ''].join('\n')
}

function introduction({ login, password, again }: NonNullable<Application['firstAdministrator']>, url: string, config: Config): string[] {
  const way = [
    // An address of a database has a password, which is not printed.
    `To set another password, now or later${usesSqlite(config) ? '' : ', with the same KARTOTEKA_DATABASE_URL'}:`,
    '',
    `  node ${shellQuoted(process.argv[1]!)} user passwd ${login} --data ${shellQuoted(resolve(config.data))}`,
    '',
  ]
  if (password === undefined) return [`Another process has just created the administrator '${login}' and shown the password.`, ...way]
  const body = JSON.stringify({ data: { type: 'token', attributes: { login, password } } })
  const why = again
    ? 'Nobody has signed in yet, so the administrator has a new password; the one shown before is no longer valid:'
    : 'First start: an administrator was created. Until somebody signs in, each start shows a new password:'
  return [
    why,
    '',
    `  login:    ${login}`,
    `  password: ${password}`,
    '',
    `Open ${url} in a browser to sign in. To get an access token for a program:`,
    '',
    `  curl -X POST ${url}/api/dev/token -H 'Content-Type: application/vnd.api+json' -d '${body}'`,
    '',
    ...way,
  ]
}

/** Warns where other users of the machine can read the data, and how to change that. As in PostgreSQL, the group may be allowed to read. */
function warnOfReaders(directory: string): void {
  if (process.platform === 'win32' || (statSync(directory).mode & 0o027) === 0) return
  const path = resolve(directory)
  process.stderr.write(
    `kartoteka: Other users of this machine can read the data directory. To prevent that: chmod -R go-rwx ${shellQuoted(path)}\n`,
  )
}

/** Resolves at a signal, or at the end of the launcher that started this process. */
function stopSignal(): Promise<string> {
  return new Promise((done) => {
    let since: number | undefined
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.on(signal, () => {
        // Ctrl-C arrives twice: from the terminal and from the launcher.
        if (since !== undefined && performance.now() - since > INSIST) process.exit(1)
        since ??= performance.now()
        done(signal)
      })
    }
    if (process.channel) process.once('disconnect', () => done('the launcher ended'))
  })
}
