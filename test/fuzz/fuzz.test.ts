import assert from 'node:assert/strict'
import { it } from 'node:test'
import { routes } from '../../src/http/routes.ts'
import { refusedRequest } from './requests.ts'
import { inProcess, newTally, ROUND, runRound } from './round.ts'
import type { World } from './world.ts'
import type { Random } from '../support/random.ts'
import { seed } from '../support/seed.ts'

/*
 * Malformed requests, byte for byte. FUZZ_REQUESTS: how many (default 2,000); `npm run fuzz`
 * sends as many as one likes.
 */

const requests = Number(process.env['FUZZ_REQUESTS'] ?? (process.env['KARTOTEKA_TEST_QUICK'] ? 1_000 : 2_000))

it('whatever is sent, the answer is no fault, refusals say what is wrong and leave all as it was', async () => {
  const tally = newTally()
  for (let done = 0; done < requests; done += ROUND) {
    const faults = await runRound(seed + done / ROUND, Math.min(ROUND, requests - done), tally)
    assert.equal(faults.length, 0, faults.map(({ wrong, exchange }) => `${wrong}\n${exchange}`).join('\n\n'))
  }
})

it('every route refuses a request that is wrong', async () => {
  const tally = newTally()
  const each = { ...inProcess, crowds: 0, attempt: (random: Random, world: World, i: number) => refusedRequest(random, world, routes[i]!) }
  assert.deepEqual(await runRound(seed, routes.length, tally, each), [])
  const met = [...tally.routes].filter(([, { refused }]) => refused > 0).map(([name]) => name)
  assert.deepEqual(met.sort(), [...new Set(routes.map(({ method, path }) => `${method} ${path}`))].sort())
})
