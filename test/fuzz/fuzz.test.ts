import assert from 'node:assert/strict'
import { it } from 'node:test'
import { routes } from '../../src/http/routes.ts'
import { newTally, ROUND, runRound } from './round.ts'

/*
 * Malformed requests, byte for byte. FUZZ_REQUESTS: how many (default 2,000); FUZZ_SEED: repeats a run; `npm run fuzz`
 * sends as many as one likes.
 */

const requests = Number(process.env['FUZZ_REQUESTS'] ?? (process.env['KARTOTEKA_TEST_QUICK'] ? 1_000 : 2_000))
const seed = Number(process.env['FUZZ_SEED'] ?? Date.now() % 2 ** 31)

it(`whatever is sent, the answer is no fault, refusals say what is wrong and leave all as it was, seed ${seed}`, async () => {
  const tally = newTally()
  for (let done = 0; done < requests; done += ROUND) {
    const faults = await runRound(seed + done / ROUND, Math.min(ROUND, requests - done), tally)
    assert.equal(faults.length, 0, faults.map(({ wrong, exchange }) => `${wrong}\n${exchange}`).join('\n\n'))
  }
  const met = [...tally.routes].filter(([, { refused }]) => refused > 0).map(([name]) => name)
  if (requests >= 2_000)
    assert.deepEqual(
      met.sort(),
      [...new Set(routes.map(({ method, path }) => `${method} ${path}`))].sort(),
      'every route refused something',
    )
})
