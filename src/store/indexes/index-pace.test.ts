import assert from 'node:assert/strict'
import { it } from 'node:test'
import { othersTime } from './index-pace.ts'

it('between two steps of an index, others have less time where it is far behind, and as long as the step in any case', () => {
  assert.equal(othersTime(40, 0), 1_960)
  assert.equal(othersTime(40, 50_000), 1_960)
  assert.equal(othersTime(40, 100_000), 980)
  assert.equal(othersTime(40, 10_000_000), 40)
  assert.equal(othersTime(3_000, 0), 10_000)
})
