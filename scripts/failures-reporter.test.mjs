import assert from 'node:assert/strict'
import { it } from 'node:test'
import failures from './failures-reporter.mjs'

it('tells of each test that failed with its file, seed and error, and not of the suites around it', async () => {
  const events = [
    { type: 'test:pass', data: { name: 'good' } },
    { type: 'test:fail', data: failed('bad', 'testCodeFailure', new Error('five is not six')) },
    { type: 'test:fail', data: failed('around', 'subtestsFailed', new Error('1 subtest failed')) },
  ]
  process.env.KARTOTEKA_TEST_SEED = '5'
  const told = []
  for await (const text of failures(events)) told.push(text)
  assert.equal(told.length, 1)
  assert.match(told[0], /^✖ bad \(test\/some\.test\.ts:7\), seed 5\n {4}Error: five is not six\n/)
})

function failed(name, failureType, cause) {
  const error = Object.assign(new Error(cause.message, { cause }), { failureType })
  return { name, file: `${process.cwd()}/test/some.test.ts`, line: 7, details: { error } }
}
