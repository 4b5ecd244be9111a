/* npm run soak:damage -- [--flips 1000] [--seed 1]: the test of changed bytes in its long form. Its last lines say what came of it. */
import { parseArgs } from 'node:util'
import { flipBytes } from './flip.ts'

const { values } = parseArgs({ options: { flips: { type: 'string', default: '1000' }, seed: { type: 'string', default: '1' } } })
const flips = Number(values.flips)
const seed = Number(values.seed)
if (!(Number.isSafeInteger(flips) && flips > 0 && Number.isSafeInteger(seed))) {
  console.error('--flips and --seed take whole numbers.')
  process.exit(2)
}
const { refused, found, harmless, silent } = await flipBytes(flips, seed, (done) => {
  if (process.stderr.isTTY) process.stderr.write(`\r${done} of ${flips}`)
})
console.log(
  `seed ${seed}: ${flips} files with one changed byte each: ${refused} were refused, ${found} found by check, ${harmless} read as before, ${silent.length} read otherwise unnoticed.`,
)
const where = new Map<string, number>()
for (const tables of silent) where.set(tables, (where.get(tables) ?? 0) + 1)
for (const [tables, times] of where) console.log(`unnoticed ${times} times in: ${tables}`)
