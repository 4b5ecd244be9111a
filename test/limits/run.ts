import { readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { limits } from '../../src/limits.ts'
import { scratchProgram } from '../support/scratch-program.ts'
import { watch, watchable, type Watch } from '../support/watched/watched.ts'
import { limitsPage, type Figures } from './page.ts'
import { makePlace, type Place } from './place.ts'
import { inputs, probes, type Measured } from './probes.ts'
import { sender, told } from './send.ts'

/*
 * npm run limits: sends the worst request at each limit to a server of its own, and writes docs/limits.md.
 * npm run limits -- name …: these limits or inputs only, each sending by itself, and nothing is written. What else the machine does
 * makes all processor time longer: compare it with that of the yardstick in the same run.
 */

const TIMES = 3
/** Milliseconds of work after which once is enough. */
const ENOUGH = 500
const MIB = 2 ** 20
const page = new URL('../../docs/limits.md', import.meta.url)
const wanted = process.argv.slice(2)

const program = scratchProgram({ KARTOTEKA_LOG_LEVEL: 'silent', KARTOTEKA_TIME_ZONE: 'Europe/Berlin' })
try {
  const token = await program.token()
  const server = await program.serve({ env: watchable(program.at('watch')) })
  const seen = await watch(program.at('watch'))
  const client = sender(Number(new URL(server.url).port), token)
  const measuring: Measuring = { client, seen, place: await makePlace(server, token) }
  const figures = new Map<string, Figures>()
  const all = [
    ...Object.entries(probes).flatMap(([name, probe]) =>
      name in limits && 'sent' in probe ? [{ name, probe, most: limits[name as keyof typeof limits].most }] : [],
    ),
    ...inputs.map(({ says, probe }) => ({ name: says, probe, most: 0 })),
  ]
  for (const { name, probe, most } of all) {
    if (wanted.length > 0 && !wanted.includes(name)) continue
    if (wanted.length > 0) console.log(`yardstick: ${yardstick().toFixed(1)} ms`)
    const found = await measure(measuring, probe, most)
    figures.set(name, found)
    console.log(
      `${name}: worked ${found.worked.toFixed(1)} ms, stood still ${found.stood.toFixed(1)} ms, ${found.memory.toFixed(0)} MiB; answered ${found.answered}${most > 0 ? `; one more ${found.beyond}` : ''}`,
    )
  }
  client.close()
  seen.close()
  await server.stop()
  if (wanted.length === 0)
    writeFileSync(page, limitsPage(text(), figures, `${availableParallelism()} cores, Node ${process.versions.node}`))
  const over = [...figures].filter(([, { worked, memory, bar }]) => worked > bar || memory > 64)
  for (const [name] of over) console.log(`OVER THE BAR: ${name}`)
  process.exitCode = over.length > 0 ? 1 : 0
} finally {
  await program.remove()
}

interface Measuring {
  readonly client: ReturnType<typeof sender>
  readonly seen: Watch
  readonly place: Place
}

/** Of each sending the least of three tries, since a machine with others on it only ever adds; of all sendings the worst. */
async function measure(
  { client, seen, place }: Measuring,
  { sent, beyond: more = sent }: Measured,
  most: number,
): Promise<Figures & { readonly answered: string }> {
  const sendings = sent(place, most)
  const worst = { worked: 0, stood: 0, memory: 0 }
  const answered = new Set<string>()
  for (const [i, sending] of sendings.entries()) {
    const tries: { worked: number; stood: number; memory: number }[] = []
    for (let i = 0; i < TIMES; i++) {
      const before = await seen.look(true)
      await seen.look()
      answered.add(told(await client.one(sending)))
      const { worked, wall, peakRss } = await seen.look()
      tries.push({ worked, stood: wall, memory: Math.max(0, peakRss - before.rss) / MIB })
      if (worked > ENOUGH) break
    }
    const least = (what: keyof typeof worst) => Math.min(...tries.map((one) => one[what]))
    if (wanted.length > 0) console.log(`  ${i + 1}: worked ${least('worked').toFixed(1)} ms, ${least('memory').toFixed(0)} MiB`)
    for (const what of ['worked', 'stood', 'memory'] as const) worst[what] = Math.max(worst[what], least(what))
  }
  const refused = new Set<string>()
  if (most > 0) for (const sending of more(place, most + 1)) refused.add(told(await client.one(sending)))
  const bar = sendings.some(({ open }) => open) ? 10 : 50
  return { ...worst, answered: [...answered].join(', '), beyond: [...(most > 0 ? refused : answered)].join(', '), bar }
}

/** Processor time of work that is always the same, in milliseconds. */
function yardstick(): number {
  const before = process.threadCpuUsage()
  let sum = 0
  for (let i = 0; i < 20_000_000; i++) sum = (sum * 31 + i) | 0
  const { user, system } = process.threadCpuUsage(before)
  return Number.isInteger(sum) ? (user + system) / 1_000 : NaN
}

function text(): string {
  try {
    return readFileSync(page, 'utf8')
  } catch {
    return ''
  }
}
