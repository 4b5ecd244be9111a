/*
 * npm run soak:lists -- [--store sqlite|postgres] [--lists 100000] [--seed n] [--memory MiB] [--kills n] [--records n] [--minutes n]: random lists beside random
 * writes and all that administrators do, compared with the oracle. The exit code tells whether any answer was wrong, or too few were answered from sets.
 */
import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'
import { Soak, type Outcome } from './soak.ts'
import { verdict } from './verdict.ts'

const { values } = parseArgs({
  options: {
    store: { type: 'string', default: 'sqlite' },
    lists: { type: 'string', default: '100000' },
    seed: { type: 'string' },
    memory: { type: 'string', default: '0' },
    kills: { type: 'string', default: '0' },
    records: { type: 'string', default: '10000' },
    minutes: { type: 'string', default: '600' },
  },
})
const { store } = values
const { lists, memory, kills, records, minutes, seed } = {
  lists: Number(values.lists),
  memory: Number(values.memory),
  kills: Number(values.kills),
  records: Number(values.records),
  minutes: Number(values.minutes),
  seed: Number(values.seed ?? randomInt(2 ** 31)),
}
if (
  (store !== 'sqlite' && store !== 'postgres') ||
  ![lists, memory, kills, records, minutes, seed].every((one) => Number.isSafeInteger(one) && one >= 0)
) {
  console.error('--store takes sqlite or postgres; --lists, --seed, --memory, --kills, --records and --minutes take whole numbers.')
  process.exit(2)
}

console.log(`seed ${seed}; ${store}; ${records} records${memory > 0 ? `; ${memory} MiB for sets` : ''}`)
const soak = await Soak.open({ store, lists, seed, memory, kills, records, minutes })
// Ctrl+C ends it with a verdict on what was asked until then; a second one at once.
process.once('SIGINT', () => soak.stop())
try {
  let toldWrong = 0
  const tellWrong = ({ wrong }: Outcome) => {
    for (const one of wrong.slice(toldWrong)) console.log(`WRONG (seed ${seed}): ${one.what}\n  ${one.request}\n  ${one.detail}`)
    toldWrong = wrong.length
  }
  const outcome = await soak.run((now) => {
    // At once: a run that ends by a fault would not tell it.
    tellWrong(now)
    if (now.rounds % 5 === 1) console.log(progress(now))
  })
  tellWrong(outcome)
  console.log(progress(outcome))
  const counted = await outcome.nodes.counted()
  const counts = (of: ReadonlyMap<string, number>) => [...of].map(([what, times]) => `${what}: ${times}`).join('; ')
  console.log(`Writes and chores: ${counts(outcome.chores.done)}.\nNot done: ${counts(outcome.chores.refused)}.`)
  const { told, wrong } = verdict({ ...outcome, counted, memory, failed: outcome.nodes.failed, said: outcome.nodes.said() })
  for (const one of told) console.log(`- ${one}`)
  for (const one of wrong) console.log(`WRONG: ${one}`)
  if (wrong.length === 0) console.log('Nothing is wrong.')
  process.exitCode = wrong.length > 0 ? 1 : 0
} finally {
  await soak.close()
}

function progress({ asked, wrong, seconds, rounds, nodes, chores }: Outcome): string {
  const { exact, beside, marked, bySql } = asked
  const writes = [...chores.done.values()].reduce((sum, one) => sum + one, 0)
  const n = (count: number) => count.toLocaleString('en')
  return `${Math.round(seconds)} s, ${rounds} rounds: ${n(exact + beside + marked)} lists: ${n(exact)} compared exactly (${n(bySql)} with SQL too), ${n(beside + marked)} beside writes (${n(marked)} of known states); ${n(writes)} writes and chores; ${nodes.kills.service} kills of the service, ${nodes.kills.postgres} of PostgreSQL; ${n(wrong.length)} wrong`
}
