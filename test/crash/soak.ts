/*
 * npm run soak:crash -- [--kills 1000] [--seed n] [--postgres] [--records]: the test of kills in its long form, over SQLite or over a real PostgreSQL,
 * which is then killed with the server at times. --records: nobody changes the structure or signs in, and check does not run, so more records
 * are written in the same time. Every twentieth of the way a line says what came of it so far, the last one of all.
 */
import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'
import { killAgainAndAgain, type Outcome } from './lives.ts'
import { killablePostgres } from './killable-postgres.ts'

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '1000' },
    seed: { type: 'string' },
    postgres: { type: 'boolean', default: false },
    records: { type: 'boolean', default: false },
  },
})
const kills = Number(values.kills)
const seed = Number(values.seed ?? randomInt(2 ** 31))
if (!(Number.isSafeInteger(kills) && kills > 0 && Number.isSafeInteger(seed))) {
  console.error('--kills and --seed take whole numbers.')
  process.exit(2)
}

console.log(`seed ${seed}`)
const began = performance.now()
let told = 0
const database = values.postgres ? await killablePostgres() : undefined
try {
  const outcome = await killAgainAndAgain(kills, seed, report, database?.settings, database, values.records ? 'records' : undefined)
  const seconds = (performance.now() - began) / 1000
  console.log(`${(seconds / kills).toFixed(1)} s for each kill, what it was about and the look at what is there included`)
  console.log(resultLine(outcome))
} finally {
  await database?.stop()
}

function report(now: Outcome): void {
  if (now.kills - told < kills / 20) return
  told = now.kills
  console.log(`${Math.round((performance.now() - began) / 1000)} s: ${resultLine(now)}`)
}

function resultLine({ kills, early, databases, answered, done, undone, repeated, followed, followers }: Outcome): string {
  const n = (count: number) => count.toLocaleString('en')
  return [
    `${n(kills)} kills, ${n(early)} of them of a server that was starting${databases > 0 ? `, ${n(databases)} with PostgreSQL` : ''}:`,
    `${n(answered)} writes acknowledged, 0 lost;`,
    `${n(done + undone)} cut short, ${n(done)} of them done whole, ${n(undone)} not at all, 0 by halves;`,
    `${n(repeated)} creations repeated with their key, 0 doubles;`,
    `a follower, killed ${n(followers)} times itself, rebuilt the table from ${n(followed)} changes after each.`,
  ].join(' ')
}
