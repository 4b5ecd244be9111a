#!/usr/bin/env node
// Plain JavaScript for any Node from 20: sees to it that dependencies and a suitable Node are there, then runs src/main.ts.
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { ensureDependencies, ensureNode, orExplain } from '../scripts/setup.mjs'

orExplain(() => ensureDependencies({ development: false }))
const node = orExplain(ensureNode)
if (node === process.execPath) await run()
else runUnder(node)

async function run() {
  const { useCompileCache } = await import('../scripts/compile-cache.mjs')
  useCompileCache()
  await import('../src/main.ts')
}

/** The channel tells the server, by closing, that this process is gone even when it was killed. */
function runUnder(node) {
  const child = spawn(node, [...process.execArgv, fileURLToPath(import.meta.url), ...process.argv.slice(2)], {
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
