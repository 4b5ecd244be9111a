import { parseArgs } from 'node:util'
import { startWorlds } from './remote-world.ts'
import type { Attempt } from './requests.ts'
import { newTally, runRound } from './round.ts'
import { bytesOf } from './wire.ts'
import type { FuzzStop } from './world-process.ts'

/*
 * npm run fuzz -- [--requests 100000] [--seed 1]: malformed requests to a server process of its own. Round n has the seed
 * `seed + n`, so that --requests 2000 --seed <that of a fault> meets it again. Prints a summary as Markdown.
 */

const { values } = parseArgs({ options: { requests: { type: 'string', default: '100000' }, seed: { type: 'string', default: '1' } } })
const requests = Number(values.requests)
const seed = Number(values.seed)
if (!(Number.isSafeInteger(requests) && requests > 0 && Number.isSafeInteger(seed))) {
  console.error('--requests and --seed take whole numbers.')
  process.exit(2)
}
/** Requests to one installation, and every how many what was written is looked at whole. */
const ROUND = 2_000
const EVERY = 20
/** Milliseconds that the serving thread may work at a stretch. */
const BAR = 50

const tally = newTally()
/** Faults by what they have in common; of each the first is shown. */
const kinds = new Map<string, number>()
const started = Date.now()
const worlds = startWorlds()
/** By kind of request, the stop in which the thread worked longest, and the one that lasted longest. */
const stops = new Map<string, FuzzStop>()
let longest: FuzzStop = { wall: 0, worked: 0, collecting: 0 }
/** That in which the thread worked longer, and how long the longer of them lasted. */
const worse = (one: FuzzStop, other: FuzzStop): FuzzStop => ({
  ...(one.worked > other.worked ? one : other),
  wall: Math.max(one.wall, other.wall),
})
const memory: number[] = []
let peak = 0

/** A stop is told a moment later than the answer: of the last requests the largest is shown. */
const recent: Attempt[] = []
const after = (kind: string, attempts: readonly Attempt[]): void => {
  recent.splice(0, Infinity, ...[...recent, ...attempts].slice(-4 - attempts.length))
  for (const stop of worlds.takeStops()) {
    stops.set(kind, worse(stop, stops.get(kind) ?? stop))
    longest = worse(stop, longest)
    if (stop.worked > BAR)
      complain(
        `the thread worked over ${BAR} ms: ${kind}`,
        `${stop.worked.toFixed(0)} ms of ${stop.wall.toFixed(0)}, in ${stop.collecting.toFixed(0)} of which garbage was collected\n${shown(recent.toSorted((a, b) => (b.body?.length ?? 0) - (a.body?.length ?? 0))[0]!)}`,
      )
  }
}

const shown = (attempt: Attempt): string => {
  const bytes = bytesOf(attempt)
  return `${bytes.toString('latin1', 0, 1_500)}${bytes.length > 1_500 ? ` … (${bytes.length} bytes)` : ''}`
}

function complain(wrong: string, exchange: string): void {
  const kind = wrong.replace(/\d+/g, 'n').slice(0, 120)
  if (!kinds.has(kind)) console.error(`\n${wrong}\n${exchange}`)
  kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
}

for (let round = 0; tally.sent < requests; round++) {
  const rounds = { make: worlds.make, every: EVERY, crowds: 10, after }
  for (const { wrong, exchange } of await runRound(seed + round, Math.min(ROUND, requests - tally.sent), tally, rounds))
    complain(wrong, exchange)
  const { rss = 0, peakRss = 0 } = worlds.holding() ?? {}
  memory.push(rss)
  peak = Math.max(peak, peakRss)
  if (process.stderr.isTTY) process.stderr.write(`\r${tally.sent} requests`)
}
worlds.close()

const mib = (bytes: number | undefined): string => ((bytes ?? 0) / 2 ** 20).toFixed(0)
const lines = (counts: Iterable<readonly [string, ...(string | number)[]]>) =>
  [...counts].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
const byCount = [...tally.answers].sort(([, a], [, b]) => b - a)
const routes = [...tally.routes].sort().map(([route, { taken, refused }]) => [`\`${route}\``, taken, refused] as const)
const seconds = (Date.now() - started) / 1000
const worst = [...stops].sort(([, a], [, b]) => b.worked - a.worked).slice(0, 12)
console.log(`${requests} requests, seed ${seed}, ${seconds.toFixed(0)} s (${(requests / seconds).toFixed(0)} a second).

Memory of the server after the first, the middle and the last installation of ${memory.length}: ${[memory[0], memory[memory.length >> 1], memory.at(-1)].map(mib).join(', ')} MiB; at most ${mib(peak)} MiB.
The serving thread worked at most ${longest.worked.toFixed(0)} ms at a stretch and stood still for at most ${longest.wall.toFixed(0)} ms, waiting for its turn on this machine included.

| stops over 20 ms, with | worked, ms | lasted, ms | garbage was collected for, ms |
|---|--:|--:|--:|
${lines(worst.map(([kind, { wall, worked, collecting }]) => [kind, worked.toFixed(0), wall.toFixed(0), collecting.toFixed(0)]))}

| answer | times |
|---|---|
${lines(byCount)}

| route | taken | refused |
|---|---|---|
${lines(routes)}`)

for (const [kind, times] of kinds) console.error(`${times} times: ${kind}`)
process.exitCode = kinds.size > 0 ? 1 : 0
