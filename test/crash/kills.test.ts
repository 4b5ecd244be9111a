import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { describe, it } from 'node:test'
import { killAgainAndAgain } from './lives.ts'

const KILLS = 4

describe('a server that is killed', () => {
  it('keeps every write it answered, none by halves, and makes no double of a repeated key', async (context) => {
    const seed = randomInt(2 ** 31)
    const outcome = await killAgainAndAgain(KILLS, seed)
    context.diagnostic(`seed ${seed}: ${JSON.stringify(outcome)}`)
    assert.equal(outcome.kills, KILLS)
    assert.ok(outcome.answered >= outcome.kills - outcome.early)
  })
})
