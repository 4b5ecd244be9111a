#!/usr/bin/env node
// Plain JavaScript for any Node from 20: sees to it that dependencies and a suitable Node are there, then runs src/main.ts.
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { ensureDependencies, ensureNode, orExplain } from '../scripts/setup.mjs'

/** The variable that names the process that has begun again. */
const BEGUN = '_KARTOTEKA_BEGUN'

orExplain(() => ensureDependencies({ development: false }))
const node = orExplain(ensureNode)
if (node === process.execPath) await run()
else runUnder(node)

/**
 * The environment of the server. glibc reads it when the process begins. It has each thread take memory of its own, and seldom gives it back: with
 * two such places instead of eight for each core a server holds a tenth to a sixth less. A block of more than 128 KiB, such as an order of records, is
 * given back when it is freed: without the setting, glibc raises that limit to the largest block that was freed. So is what is free at the end of the
 * heap, from 1 MiB on.
 */
function environment() {
  if (process.platform !== 'linux' || process.argv[2] !== 'serve') return process.env
  return { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '131072', MALLOC_TRIM_THRESHOLD_: '1048576', ...process.env }
}

/**
 * The same process begins again with its memory so bounded, once: a loader may take such variables away from a program with privileges. Not where it
 * talks to another one, which this would cut off.
 */
function boundMemory() {
  const bounded = environment()
  const hasBegunAgain = process.env[BEGUN] === String(process.pid)
  if (hasBegunAgain || Object.keys(bounded).every((name) => name in process.env) || process.channel || !process.execve) return
  const args = [process.execPath, ...process.execArgv, ...process.argv.slice(1)]
  process.execve(process.execPath, args, { ...bounded, [BEGUN]: String(process.pid) })
}

async function run() {
  boundMemory()
  const { useCompileCache } = await import('../scripts/compile-cache.mjs')
  useCompileCache()
  await import('../src/main.ts')
}

/** The channel tells the server, by closing, that this process is gone even when it was killed. */
function runUnder(node) {
  const child = spawn(node, [...process.execArgv, fileURLToPath(import.meta.url), ...process.argv.slice(2)], {
    env: environment(),
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('error', (error) => {
    process.stderr.write(`kartoteka: ${node} could not be started: ${error.message}\n`)
    process.exit(1)
  })
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code)
    process.removeAllListeners(signal)
    process.kill(process.pid, signal)
  })
}
