/* node scripts/run.mjs bench/start/run.ts [records]: see README.md beside. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { importCustomers, serve, stop, usage } from '../installation.ts'

const ROUNDS = 5
const count = Number(process.argv[2] ?? 100_000)
const folder = mkdtempSync(join(tmpdir(), 'kartoteka-bench-'))
try {
  const data = join(folder, 'data')
  const began = performance.now()
  const token = await importCustomers(data, count)
  console.log(`${count} records, imported in ${((performance.now() - began) / 1000).toFixed(1)} s\n`)
  console.log('| start | first answer ms | idle memory MiB | after 2,000 requests MiB |')
  console.log('|---|---|---|---|')
  for (let round = 1; round <= ROUNDS; round++) console.log(`| ${round} | ${(await startOnce(data, token)).join(' | ')} |`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}

async function startOnce(data: string, token: string): Promise<string[]> {
  const began = performance.now()
  const server = await serve(data)
  const ask = async (id: number) => {
    const response = await fetch(`http://127.0.0.1:${server.port}/api/dev/data1/${id}`, { headers: { 'x-auth-token': token } })
    if (response.status !== 200) throw new Error(`${response.status}: ${await response.text()}`)
    await response.text()
  }
  await ask(count)
  const first = performance.now() - began
  await sleep(3000)
  const idle = usage(server.child.pid!).memory
  for (let i = 1; i <= 2000; i++) await ask(1 + (i % count))
  const used = usage(server.child.pid!).memory
  await stop(server)
  return [first.toFixed(0), idle.toFixed(0), used.toFixed(0)]
}
