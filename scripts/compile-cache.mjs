/*
 * Keeps the program as compiled, types stripped, between starts. A start that has to strip types takes 0.1 s more and
 * holds on to 20 MiB, so whoever meets a changed source compiles all of it first, in a process that then ends.
 */
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import module from 'node:module'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import { root } from './setup.mjs'

const folder = join(root, '.cache', 'compile')
const sources = readdirSync(join(root, 'src'), { recursive: true }).filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))

if (process.argv[1] === fileURLToPath(import.meta.url)) await (process.argv[2] === 'all' ? compileAll() : compileThreads(process.argv[2]))

/** Without it everything works as well, so where the cache cannot be written nothing is said. */
export function useCompileCache() {
  const stamp = join(folder, 'stamp')
  const now = [process.version, sources.length, ...sources.map((file) => statSync(join(root, 'src', file)).mtimeMs)].join(' ')
  if (read(stamp) !== now) {
    try {
      mkdirSync(folder, { recursive: true })
      for (const what of ['all', 'growing', 'bounded'])
        process
          .getBuiltinModule('node:child_process')
          .spawnSync(process.execPath, [fileURLToPath(import.meta.url), what], { stdio: 'ignore' })
      writeFileSync(stamp, now)
    } catch {
      return
    }
  }
  module.enableCompileCache(folder)
}

async function compileAll() {
  module.enableCompileCache(folder)
  const files = sources.filter((file) => file !== 'main.ts').map((file) => pathToFileURL(join(root, 'src', file)).href)
  await Promise.allSettled(files.map((file) => import(file)))
  process.argv.splice(2, Infinity, '--help')
  await import('../src/main.ts')
  process.exit()
}

/** Programs of threads once more, for those that begin while the heap of the server has other flags than at its start. */
async function compileThreads(heap) {
  const { HEAPS } = await import('../src/cli/commands/serve/small-heap.ts')
  for (const flag of HEAPS[heap]) setFlagsFromString(flag)
  module.enableCompileCache(folder)
  const files = sources.filter((file) => file.endsWith('-thread.ts')).map((file) => pathToFileURL(join(root, 'src', file)).href)
  await Promise.allSettled(files.map((file) => import(file)))
  process.exit()
}

function read(file) {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
