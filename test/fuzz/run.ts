import { parseArgs } from 'node:util'
import { newTally, ROUND, runRound } from './round.ts'

/*
 * npm run fuzz -- [--requests 100000] [--seed 1]: malformed requests to servers of its own. Round n has the seed
 * `seed + n`, so that --requests 1000 --seed <that of a fault> meets it again. Prints a summary as Markdown.
 */

const { values } = parseArgs({ options: { requests: { type: 'string', default: '100000' }, seed: { type: 'string', default: '1' } } })
const requests = Number(values.requests)
const seed = Number(values.seed)
const tally = newTally()
/** Faults by what they have in common; of each the first is shown. */
const kinds = new Map<string, number>()
const started = Date.now()

for (let done = 0; done < requests; done += ROUND) {
  for (const { wrong, exchange } of await runRound(seed + done / ROUND, Math.min(ROUND, requests - done), tally)) {
    const kind = wrong.replace(/\d+/g, 'n').slice(0, 80)
    if (!kinds.has(kind)) console.error(`\n${wrong}\n${exchange}`)
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
  }
  if (process.stderr.isTTY) process.stderr.write(`\r${done + ROUND} requests`)
}

const lines = (counts: Iterable<readonly [string, ...(string | number)[]]>) =>
  [...counts].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
const byCount = [...tally.answers].sort(([, a], [, b]) => b - a)
const routes = [...tally.routes].sort().map(([route, { taken, refused }]) => [`\`${route}\``, taken, refused] as const)
console.log(`${requests} requests, seed ${seed}, ${Math.round((Date.now() - started) / 1000)} s.

| answer | times |
|---|---|
${lines(byCount)}

| route | taken | refused |
|---|---|---|
${lines(routes)}`)

for (const [kind, times] of kinds) console.error(`${times} times: ${kind}`)
process.exitCode = kinds.size > 0 ? 1 : 0
