import { spawnSync } from 'node:child_process'
import { parseArgs } from 'node:util'
import { startPostgres } from '../../scripts/postgres.mjs'
import { plants, slowPlants } from './plants.ts'

/*
 * npm run differential -- [--requests 100000] [--seed 1] [--postgres] [--plants] [--without-timing] [--timing] [--crossing]: the same requests to
 * an installation with and one without hidden things, then pairs of requests by the time they take; --timing: these alone; --crossing: only rounds of stream-round.ts. --plants
 * looks instead for each fault of plants.ts, in a process of its own.
 * Prints a summary as Markdown; the exit code tells whether an answer differed, or a planted fault was not found.
 */

const { values } = parseArgs({
  options: {
    requests: { type: 'string' },
    seed: { type: 'string', default: '1' },
    postgres: { type: 'boolean', default: false },
    plants: { type: 'boolean', default: false },
    'without-timing': { type: 'boolean', default: false },
    timing: { type: 'boolean', default: false },
    crossing: { type: 'boolean', default: false },
  },
})
const requests = Number(values.requests ?? (values.plants ? 5_000 : 100_000))
const seed = Number(values.seed)
if (!(Number.isSafeInteger(requests) && requests > 0 && Number.isSafeInteger(seed))) {
  console.error('--requests and --seed take whole numbers.')
  process.exit(2)
}
const postgres = values.postgres ? await startPostgres() : undefined
if (postgres) process.env['KARTOTEKA_TEST_DATABASE_URL'] = postgres.url()
try {
  process.exitCode = (await (values.plants ? findPlants() : values.timing ? compareTimes() : compare())) ? 0 : 1
} finally {
  await postgres?.stop()
}

async function compare(): Promise<boolean> {
  // Which store is meant is read as the modules load.
  const { newTally, ROUND, runRound } = await import('./round.ts')
  const { runStreamRound } = await import('./stream-round.ts')
  const tally = newTally()
  const began = performance.now()
  const planted = process.env['KARTOTEKA_TEST_PLANT']
  let same = true
  for (let round = 0; tally.sent < requests && same; round++) {
    const run = values.crossing || round % 4 === 3 ? runStreamRound : runRound
    const difference = await run(seed + round, Math.min(ROUND, requests - tally.sent), tally)
    if (!difference) continue
    same = false
    console.log(
      `\nDifference after ${tally.sent} requests (seed ${seed + round}, ${difference.after} of its round):\n\n${difference.shown}\n`,
    )
  }
  if (planted !== undefined) return same
  const seconds = Math.round((performance.now() - began) / 1000)
  console.log(
    `${tally.sent} requests, seed ${seed}, ${values.postgres ? 'PostgreSQL' : 'SQLite'}, ${seconds} s: ${same ? 'no answer differed' : 'ANSWERS DIFFER'}.`,
  )
  for (const [what, times] of tally.exceptions) console.log(`${times} times the documented exception: ${what}.`)
  console.log(`\n| request and status | times |\n|---|--:|`)
  for (const [what, times] of [...tally.answers].sort()) console.log(`| ${what} | ${times} |`)
  return same && (values['without-timing'] || (await compareTimes()))
}

async function compareTimes(): Promise<boolean> {
  const { measureTimings } = await import('./timing.ts')
  const timings = await measureTimings(seed)
  console.log(`\n| hidden, and not there | repeats | hidden, ms | absent, ms | hidden was slower in | tells |\n|---|--:|--:|--:|--:|---|`)
  for (const { says, repeats, hidden, absent, rank, tells } of timings)
    console.log(
      `| ${says} | ${repeats} | ${hidden.toFixed(3)} | ${absent.toFixed(3)} | ${(100 * rank).toFixed(0)} % | ${tells ? '**tells**' : ''} |`,
    )
  return timings.every(({ tells }) => !tells)
}

function findPlants(): boolean {
  let all = true
  const show = (name: string, says: string, found: string | undefined, stderr: string) => {
    all &&= found !== undefined
    console.log(`| ${says} (\`${name}\`) | ${found ?? `**not found** ${stderr.slice(0, 400)}`} |`)
  }
  console.log('| planted fault | found after |\n|---|--:|')
  for (const [name, { says, crossing }] of Object.entries(plants)) {
    const { stdout, stderr } = planted(name, crossing ? ['--requests', '200', '--crossing'] : ['--requests', String(requests)])
    const after = /^Difference after (\d+) requests/m.exec(stdout)?.[1]
    show(name, says, after && `${after} requests`, stderr)
  }
  for (const [name, { says, by }] of Object.entries(slowPlants)) {
    const { stdout, stderr } = planted(name, ['--timing'])
    const told = stdout.split('\n').some((line) => line.startsWith(`| ${by} |`) && line.includes('**tells**'))
    show(name, says, told ? `by the time that ${by} takes` : undefined, stderr)
  }
  return all
}

function planted(name: string, args: readonly string[]) {
  const all = ['--import', new URL('plant.ts', import.meta.url).href, import.meta.filename, ...args, '--seed', String(seed)]
  return spawnSync(process.execPath, [...all, ...(values.postgres ? ['--postgres'] : [])], {
    env: { ...process.env, KARTOTEKA_TEST_PLANT: name },
    encoding: 'utf8',
  })
}
