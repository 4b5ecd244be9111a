import { spawn, type ChildProcess } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { constants, setPriority } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { loggable } from '../http/connections/failures.ts'
import type { Log } from '../http/connections/serving.ts'
import type { Missing, Pages } from '../http/pages/pages.ts'
import { putOffice, type Office } from './office.ts'
import { BUILT, DIST, digestOfSources, filesOf, type Built } from './web-sources.ts'

/* The web pages of this copy of the program. Where they are not built, or their sources are newer, a process beside builds them. */

const program = fileURLToPath(new URL('../..', import.meta.url))
const WEB = join(program, 'web')
const SCRIPT = join(program, 'scripts', 'build-web.ts')

interface Sources {
  readonly web?: string
  readonly script?: string
  readonly office?: Office
}

export interface WebPages extends Pages {
  /** Resolves when they are there, or cannot be built. */
  ready(): Promise<void>
  close(): void
}

/** `web`: the folder of their sources; `script`: what builds them; `office`: what stands in the page for the product. */
export function webPages(log: Log, { web = WEB, script = SCRIPT, office }: Sources = {}): WebPages {
  const at = (...names: readonly string[]) => join(web, DIST, ...names)
  let missing: Missing | undefined = { says: 'The web pages are being built. This page shows them when they are there.', isComing: true }
  let parts: Built['parts'] = {}
  /** The page and the encodings of its parts: another build may replace the files. */
  let files = new Map<string, Uint8Array>()
  let building: ChildProcess | undefined
  let isClosed = false
  const ready = prepare().catch((error: unknown) => giveUp({ err: loggable(error) }))

  async function prepare(): Promise<void> {
    const sources = await digestOfSources(web)
    if ((await read(sources)) || isClosed) return
    const said = await build()
    if ((await read(sources)) || isClosed) return
    giveUp({ said })
  }

  function giveUp(details: object): void {
    missing = { says: 'The web pages could not be built: the log of the service says why.', isComing: false }
    log.warn(details, 'the web pages could not be built; type npm run build as a user who can write there, and restart the service')
  }

  /** Takes what is built of these sources, if all of it is there. */
  async function read(sources: string): Promise<boolean> {
    try {
      const built = JSON.parse(await readFile(at(BUILT), 'utf8')) as Built
      if (built.sources !== sources) return false
      files = new Map(await Promise.all(filesOf(built).map(async (name) => [name, await readFile(at(name))] as const)))
      parts = { ...built.parts, ...(office && putOffice(files, office)) }
      missing = undefined
      return true
    } catch (error) {
      // Nothing is there, or not all of it: it is built again.
      if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === 'ENOENT') return false
      throw error
    }
  }

  /** Resolves to what it said, once it has ended. */
  function build(): Promise<string> {
    return new Promise((resolve) => {
      // A group of its own: it ends with all that it has started, such as npm.
      const detached = process.platform !== 'win32'
      const child = (building = spawn(process.execPath, [script], { cwd: program, stdio: ['ignore', 'ignore', 'pipe'], detached }))
      let said = ''
      child.stderr!.setEncoding('utf8').on('data', (text: string) => (said = (said + text).slice(-MOST_SAID)))
      child.on('error', (error) => resolve(error.message))
      child.on('close', () => resolve(said.trim()))
      letRequestsGoFirst(child)
    })
  }

  /** Browsers take an encoding; for the first client that does not, it is undone. */
  function plain(name: string): Uint8Array {
    const bytes = files.get(name) ?? gunzipSync(files.get(`${name}.gzip`)!)
    files.set(name, bytes)
    return bytes
  }

  return {
    missing: () => missing,
    page: () => files.get('index.html')!,
    part: (name) => (Object.hasOwn(parts, name) ? parts[name] : undefined),
    bytes: (name, encoding) => (encoding === 'identity' ? plain(name) : files.get(`${name}.${encoding}`)!),
    ready: () => ready,
    close() {
      isClosed = true
      if (building?.exitCode === null && building.signalCode === null) stop(building)
    },
  }
}

function letRequestsGoFirst({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL)
  } catch (error) {
    // It has ended, or the system does not allow it.
    if ((error as NodeJS.ErrnoException).code !== 'ERR_SYSTEM_ERROR') throw error
  }
}

function stop({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(process.platform === 'win32' ? pid : -pid)
  } catch (error) {
    // It has just ended.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/** Characters of what a build says that are kept. */
const MOST_SAID = 4_000
