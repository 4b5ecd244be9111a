import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { killAgainAndAgain } from './lives.ts'
import { seed } from '../support/seed.ts'

const KILLS = 4

describe('a server that is killed', () => {
  it('keeps every write it answered, none by halves, and makes no double of a repeated key', async (context) => {
    const outcome = await killAgainAndAgain(KILLS, seed)
    context.diagnostic(JSON.stringify(outcome))
    assert.equal(outcome.kills, KILLS)
    assert.ok(outcome.answered >= outcome.kills - outcome.early)
  })
})
