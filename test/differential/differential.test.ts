import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { describe, it } from 'node:test'
import { newTally, ROUND, runRound } from './round.ts'
import { runStreamRound } from './stream-round.ts'
import { seed } from '../support/seed.ts'

/*
 * What is hidden cannot be told from what is not there: `npm run differential` in small.
 */

const requests = process.env['KARTOTEKA_TEST_QUICK'] ? 800 : 1_500

describe('what is hidden', () => {
  it('gives the same answers as what is not there', async () => {
    const tally = newTally()
    for (let round = 0; tally.sent < requests; round++) {
      const difference = await runRound(seed + round, Math.min(ROUND, requests - tally.sent), tally)
      assert.equal(difference, undefined, difference?.shown)
    }
  })

  it('is not shown to who follows the log, where records leave a read filter and come back', async () => {
    const difference = await runStreamRound(seed, requests / 10, newTally())
    assert.equal(difference, undefined, difference?.shown)
  })

  // All of them: npm run differential -- --plants.
  const inShort = process.env['KARTOTEKA_TEST_QUICK']
    ? ['list-filter-dropped']
    : ['right-not-asked', 'list-filter-dropped', 'hidden-in-sort']
  for (const plant of inShort) {
    it(`is found out about where the fault '${plant}' is planted`, () => {
      const at = (name: string) => new URL(name, import.meta.url)
      const { stdout, stderr } = spawnSync(
        process.execPath,
        ['--import', at('plant.ts').href, at('run.ts').pathname, '--requests', '5000'],
        {
          env: { ...process.env, KARTOTEKA_TEST_PLANT: plant },
          encoding: 'utf8',
        },
      )
      assert.match(stdout, /^Difference after \d+ requests/m, stderr)
    })
  }
})
