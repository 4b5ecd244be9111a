import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openInstallation } from '../../src/app/installation.ts'
import { readConfig } from '../../src/config.ts'
import { cluster, distribution, scratchDatabase } from './scratch-database.ts'

const program = fileURLToPath(new URL('../../bin/kartoteka.mjs', import.meta.url))

export interface Finished {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly out: string
  readonly err: string
}

/** A process that runs, and what it has said so far. */
export interface Running {
  readonly child: ChildProcess
  readonly said: { out: string; err: string }
  readonly finished: Promise<Finished>
}

export interface Answer {
  readonly status: number
  readonly headers: Headers
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into documents of every shape
  readonly body: any
}

export interface Server extends Running {
  readonly url: string
  /** A request to a path below /api/dev/. */
  call(token: string, method: string, path: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<Answer>
  /** Sends a signal and waits for the end. */
  stop(signal?: NodeJS.Signals): Promise<Finished>
}

/** How a process is started; its settings are those of the installation and `env`, none of the shell's. */
export interface Starting {
  readonly env?: Readonly<Record<string, string>>
  /** What it reads from stdin; `open` leaves it to the test. */
  readonly input?: string | 'open'
  /** Words before the command, after those of all. */
  readonly through?: readonly string[]
}

export type ScratchProgram = ReturnType<typeof scratchProgram>

/**
 * The real program on an installation in a directory of its own, each command a process as a person would start it;
 * `given` are settings of all of them, `through` words before each.
 */
export function scratchProgram(given: Readonly<Record<string, string>> = {}, through: readonly string[] = []) {
  const root = mkdtempSync(join(tmpdir(), 'kartoteka-program-'))
  const data = join(root, 'data')
  const running = new Set<ChildProcess>()

  function start(args: readonly string[], { env = {}, input, through: more = [] }: Starting = {}): Running {
    const [command, ...words] = [...through, ...more, process.execPath, program, ...args]
    const child = spawn(command!, words, {
      cwd: root,
      env: {
        PATH: process.env.PATH,
        HOME: root,
        KARTOTEKA_DATA: data,
        KARTOTEKA_LOG_LEVEL: 'error',
        PORT: '0',
        KARTOTEKA_PAGES: 'no',
        ...given,
        ...env,
      },
      stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    })
    running.add(child)
    const said = { out: '', err: '' }
    child.stdout!.setEncoding('utf8').on('data', (text: string) => (said.out += text))
    child.stderr!.setEncoding('utf8').on('data', (text: string) => (said.err += text))
    // A process that is killed reads no further.
    child.stdin?.on('error', () => {})
    if (input !== undefined && input !== 'open') child.stdin!.end(input)
    const finished = once(child, 'close').then(([code, signal]): Finished => {
      running.delete(child)
      return { code: code as number | null, signal: signal as NodeJS.Signals | null, ...said }
    })
    return { child, said, finished }
  }

  const run = (...args: readonly string[]): Promise<Finished> => start(args).finished

  /** A command that must be done and must say nothing is wrong; what it printed. */
  async function ok(...args: readonly string[]): Promise<string> {
    const { code, out, err } = await run(...args)
    if (code !== 0) throw new Error(`kartoteka ${args.join(' ')} ended with ${code}:\n${out}${err}`)
    return out
  }

  /** Makes the installation, as a first start does, unless it is there; one in a directory of the test's own is the test's to make. */
  async function begin(): Promise<void> {
    if (existsSync(data) || given['KARTOTEKA_DATA'] !== undefined) return
    const { close } = await openInstallation(readConfig({}, { KARTOTEKA_DATA: data, ...given }))
    await close()
  }

  async function serve(starting: Starting = {}, ...flags: readonly string[]): Promise<Server> {
    const process = start(['serve', ...flags], starting)
    return { ...process, ...(await listening(process)) }
  }

  return {
    root,
    data,
    at: (name: string) => join(root, name),
    /** Writes a file beside the data directory; its path. */
    file(name: string, text: string | Uint8Array): string {
      const path = join(root, name)
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, text)
      return path
    },
    start,
    run,
    ok,
    serve,
    begin,
    async token(login = 'admin') {
      await begin()
      return (await ok('token', 'create', '--login', login)).trim()
    },
    async remove() {
      for (const child of running) child.kill('SIGKILL')
      for (const child of running) await once(child, 'close')
      rmSync(root, { recursive: true, force: true })
    },
  }
}

/** The same on the store that the run is about: PostgreSQL is a database of its own. */
export async function programOfRun(): Promise<ScratchProgram> {
  if (cluster === undefined) return scratchProgram()
  const { url, drop } = await scratchDatabase()
  const program = scratchProgram({ KARTOTEKA_DATABASE_URL: url, KARTOTEKA_DISTRIBUTION: distribution })
  return {
    ...program,
    async remove() {
      await program.remove()
      await drop()
    },
  }
}

/** The same with its server, and a token of the administrator. */
export async function servedProgram(): Promise<{ program: ScratchProgram; server: Server; token: string }> {
  const program = await programOfRun()
  const server = await program.serve()
  return { program, server, token: await program.token() }
}

/** Waits until a server says where it listens. */
async function listening({ child, said, finished }: Running): Promise<Pick<Server, 'url' | 'call' | 'stop'>> {
  const ended = finished.then(({ out, err }): never => {
    throw new Error(`The server ended before it listened:\n${out}${err}`)
  })
  // Told only to whoever still waits.
  ended.catch(() => {})
  const url = () => /listens on (http:\S+)/.exec(said.out)?.[1]
  while (url() === undefined) await Promise.race([once(child.stdout!, 'data'), ended])
  const base = url()!
  return {
    url: base,
    async call(token, method, path, body, headers = {}) {
      const answer = await fetch(`${base}/api/dev/${path}`, {
        method,
        headers: { 'Content-Type': 'application/vnd.api+json', 'X-Auth-Token': token, ...headers },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      const text = await answer.text()
      return { status: answer.status, headers: answer.headers, body: text === '' ? undefined : JSON.parse(text) }
    },
    async stop(signal = 'SIGTERM') {
      child.kill(signal)
      return finished
    },
  }
}
