/* node scripts/run.mjs bench/single-record/run.ts [records]: see README.md beside. */
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { fileURLToPath } from 'node:url'
import { random } from '../customers.ts'
import { importCustomers, serve, start, stop, usage, type Process } from '../installation.ts'
import type { Load, Measured } from '../load.ts'

const ROUNDS = 5
const count = Number(process.argv[2] ?? 100_000)
const folder = mkdtempSync(join(tmpdir(), 'kartoteka-bench-'))
const file = (name: string) => fileURLToPath(new URL(name, import.meta.url))

const next = random(1)
const anywhere = (below: number) => Math.floor(next() * below)
const requests: Readonly<Record<string, () => string>> = {
  'one record': () => `/api/dev/data1/${anywhere(count) + 1}`,
  'page of 20': () => `/api/dev/data1?page%5Blimit%5D=20&page%5Boffset%5D=${anywhere(5) * 20}`,
}

const processes: Process[] = []
try {
  const data = join(folder, 'data')
  const token = await importCustomers(data, count)
  const ours = await serve(data)
  processes.push(ours)
  const floor = await start([file('../floor.ts'), join(folder, 'floor.sqlite'), String(count)], /^(\d+)\n/)
  processes.push(floor)

  console.log(`${count} records, 16 connections, median of ${ROUNDS} rounds\n`)
  console.log('| request | kartoteka /s | floor /s | ratio | kartoteka CPU µs | floor CPU µs | ratio | p50 ms | p99 ms |')
  console.log('|---|---|---|---|---|---|---|---|---|')
  for (const [name, path] of Object.entries(requests)) {
    const paths = Array.from({ length: 1000 }, path)
    const rounds: { mine: Outcome; its: Outcome }[] = []
    for (let round = 0; round <= ROUNDS; round++) {
      const mine = await measure(ours, { paths, token })
      const its = await measure(floor, { paths, token })
      if (round > 0) rounds.push({ mine, its })
    }
    const of = (pick: (round: { mine: Outcome; its: Outcome }) => number) => median(rounds.map(pick))
    const cells = [
      of(({ mine }) => mine.perSecond).toFixed(0),
      of(({ its }) => its.perSecond).toFixed(0),
      of(({ mine, its }) => its.perSecond / mine.perSecond).toFixed(2),
      of(({ mine }) => mine.cpu).toFixed(1),
      of(({ its }) => its.cpu).toFixed(1),
      of(({ mine, its }) => mine.cpu / its.cpu).toFixed(2),
      of(({ mine }) => mine.median).toFixed(2),
      of(({ mine }) => mine.p99).toFixed(2),
    ]
    console.log(`| ${name} | ${cells.join(' | ')} |`)
  }
} finally {
  for (const one of processes) await stop(one)
  rmSync(folder, { recursive: true, force: true })
}

/** With the server's CPU time per request, in microseconds. */
interface Outcome extends Measured {
  readonly cpu: number
}

async function measure({ child, port }: Process, load: Pick<Load, 'paths' | 'token'>): Promise<Outcome> {
  const before = usage(child.pid!).cpu
  const argument: Load = { ...load, port, connections: 16, seconds: 2 }
  const { stdout } = await promisify(execFile)(process.execPath, [file('../load.ts'), JSON.stringify(argument)], { maxBuffer: 2 ** 20 })
  const measured = JSON.parse(stdout) as Measured
  if (measured.failures > 0) throw new Error(`${measured.failures} answers other than 200`)
  return { ...measured, cpu: ((usage(child.pid!).cpu - before) * 1e6) / (measured.perSecond * argument.seconds) }
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!
}
