import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import Database from 'better-sqlite3'

const here = (path: string) => new URL(`../../../${path}`, import.meta.url).href

/** A thread that reads a database, in a process like the server's, at its start, and while its heap grows or is bounded. */
const program = `
  import { setFlagsFromString } from 'node:v8'
  import { useCompileCache } from '${here('scripts/compile-cache.mjs')}'
  useCompileCache()
  const { HEAPS } = await import('${here('src/cli/commands/serve/small-heap.ts')}')
  const { startThread } = await import('${here('src/store/scheduling/thread.ts')}')
  for (const flags of [['--no-expose-gc'], HEAPS.growing, HEAPS.bounded]) {
    for (const flag of flags) setFlagsFromString(flag)
    const thread = startThread(new URL('${here('src/store/sqlite/reading-thread.ts')}'), { workerData: { file: process.argv[2], signal: new Int32Array(new SharedArrayBuffer(4)) } })
    thread.postMessage({ queries: [], limit: 1000 })
    await new Promise((answered) => thread.once('message', answered))
    await thread.terminate()
    console.log('answered')
  }
`

it('a thread runs what was compiled before, and loads no compiler', () => {
  const folder = mkdtempSync(join(tmpdir(), 'kartoteka-thread-'))
  const [file, script] = [join(folder, 'some.sqlite'), join(folder, 'program.mjs')]
  new Database(file).exec('CREATE TABLE t (id)').close()
  writeFileSync(script, program)
  const { NODE_COMPILE_CACHE: _, ...env } = process.env
  const { stdout, stderr } = spawnSync(process.execPath, [script, file], {
    encoding: 'utf8',
    timeout: 60_000,
    env: { ...env, NODE_DEBUG_NATIVE: 'COMPILE_CACHE' },
  })
  rmSync(folder, { recursive: true })
  assert.equal(stdout, 'answered\n'.repeat(3), stderr.slice(0, 2000))
  const compiled = (what: string) => stderr.split('\n').filter((line) => line.includes(`${what} transpile cache for StrippedTypeScript`))
  assert.deepEqual(compiled('no'), [])
  assert.ok(compiled('retrieving').filter((line) => line.includes('reading-thread.ts')).length >= 3, stderr.slice(0, 2000))
})
