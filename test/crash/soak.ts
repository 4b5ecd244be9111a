/* npm run soak:crash -- [--kills 1000] [--seed n]: the test of kills in its long form. Its last line says what came of it. */
import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'
import { killAgainAndAgain, type Outcome } from './lives.ts'

const { values } = parseArgs({ options: { kills: { type: 'string', default: '1000' }, seed: { type: 'string' } } })
const kills = Number(values.kills)
const seed = Number(values.seed ?? randomInt(2 ** 31))
if (!(Number.isSafeInteger(kills) && kills > 0 && Number.isSafeInteger(seed))) {
  console.error('--kills and --seed take whole numbers.')
  process.exit(2)
}

console.log(`seed ${seed}`)
const began = performance.now()
let told = 0
const outcome = await killAgainAndAgain(kills, seed, (now) => {
  if (now.kills - told < kills / 20) return
  told = now.kills
  console.log(`${now.kills} kills, ${Math.round((performance.now() - began) / 1000)} s: so far so good`)
})
console.log(resultLine(outcome))

function resultLine({ kills, early, answered, done, undone, repeated }: Outcome): string {
  const n = (count: number) => count.toLocaleString('en')
  return [
    `${n(kills)} kills, ${n(early)} of them of a server that was starting:`,
    `${n(answered)} writes acknowledged, 0 lost;`,
    `${n(done + undone)} cut short, ${n(done)} of them done whole, ${n(undone)} not at all, 0 by halves;`,
    `${n(repeated)} creations repeated with their key, 0 doubles.`,
  ].join(' ')
}
