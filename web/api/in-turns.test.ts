import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import { inTurns } from './in-turns.ts'

test('work is done once for all that ask, not twice at a time, and the longer it took the later again', async () => {
  mock.timers.enable({ apis: ['setTimeout'] })
  try {
    let clock = 0
    let begun = 0
    let end: () => void = () => undefined
    const turns = inTurns(() => (begun++, new Promise((done) => (end = done))), { least: 400, rest: 4, now: () => clock })
    const settled = () => new Promise((done) => setImmediate(done))
    turns.ask()
    turns.ask()
    mock.timers.tick(399)
    assert.equal(begun, 0)
    mock.timers.tick(1)
    assert.equal(begun, 1)
    turns.ask()
    mock.timers.tick(10_000)
    assert.equal(begun, 1, 'it is under way')
    clock = 500
    end()
    await settled()
    mock.timers.tick(1999)
    assert.equal(begun, 1, 'four times as long as it took')
    mock.timers.tick(1)
    assert.equal(begun, 2)
    clock = 510
    turns.ask()
    turns.close()
    end()
    await settled()
    turns.ask()
    mock.timers.tick(10_000)
    assert.equal(begun, 2, 'it is closed')
  } finally {
    mock.timers.reset()
  }
})
