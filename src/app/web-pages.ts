import { spawn, type ChildProcess } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { constants, setPriority } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { loggable } from '../http/connections/failures.ts'
import type { Log } from '../http/connections/serving.ts'
import type { Pages } from '../http/pages/pages.ts'
import { BUILT, DIST, digestOfSources, type Built } from './web-sources.ts'

/* The web pages of this copy of the program. Where they are not built, or their sources are newer, a process beside builds them. */

const program = fileURLToPath(new URL('../..', import.meta.url))

export interface WebPages extends Pages {
  /** Resolves when they are there, or cannot be built. */
  ready(): Promise<void>
  close(): void
}

export function webPages(log: Log, web: string = join(program, 'web')): WebPages {
  const at = (...names: readonly string[]) => join(web, DIST, ...names)
  let built: Built | undefined
  let missing = 'The web pages are being built. This page shows them when they are there.'
  let building: ChildProcess | undefined
  let isClosed = false
  /** The files are few and small, and the same ones are asked for again and again. */
  let kept = new Map<string, Promise<Uint8Array>>()
  const ready = prepare().catch((error: unknown) => giveUp({ err: loggable(error) }))

  async function prepare(): Promise<void> {
    const sources = await digestOfSources(web)
    if (isClosed || (await read(sources))) return
    const said = await build()
    if (isClosed || (await read(sources))) return
    giveUp({ said })
  }

  function giveUp(details: object): void {
    missing = 'The web pages could not be built: the log of the service says why.'
    log.warn(details, 'the web pages could not be built; npm run build tries it again')
  }

  /** Takes what is built of these sources. */
  async function read(sources: string): Promise<boolean> {
    const text = await readFile(at(BUILT), 'utf8').catch(() => undefined)
    const found = text === undefined ? undefined : (JSON.parse(text) as Built)
    if (found?.sources !== sources) return false
    built = found
    kept = new Map()
    return true
  }

  /** Resolves to what it said, once it has ended. */
  function build(): Promise<string> {
    return new Promise((resolve) => {
      const script = join(program, 'scripts', 'build-web.ts')
      const child = (building = spawn(process.execPath, [script], { cwd: program, stdio: ['ignore', 'ignore', 'pipe'] }))
      let said = ''
      child.stderr!.setEncoding('utf8').on('data', (text: string) => (said = (said + text).slice(-MOST_SAID)))
      child.on('error', (error) => resolve(error.message))
      child.on('close', () => resolve(said.trim()))
      // Requests come first.
      if (child.pid !== undefined && process.platform !== 'win32') setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL)
    })
  }

  function bytesOf(file: string): Promise<Uint8Array> {
    let bytes = kept.get(file)
    if (!bytes) {
      kept.set(file, (bytes = readFile(at(file))))
      bytes.catch(() => kept.delete(file))
    }
    return bytes
  }

  return {
    missing: () => (built ? undefined : missing),
    page: () => bytesOf('index.html'),
    part: (name) => (built && Object.hasOwn(built.parts, name) ? built.parts[name] : undefined),
    bytes: (name, encoding) => bytesOf(encoding === 'identity' ? name : `${name}.${encoding}`),
    ready: () => ready,
    close() {
      isClosed = true
      building?.kill()
    },
  }
}

/** Characters of what a build says that are kept. */
const MOST_SAID = 4_000
