import assert from 'node:assert/strict'
import { it } from 'node:test'
import failures, { unsteadyIn } from './failures-reporter.mjs'

it('tells of each test that failed with its file, seed and error, and what its page showed, not of the suites around it', async () => {
  const events = [
    { type: 'test:pass', data: { name: 'good' } },
    { type: 'test:fail', data: failed('bad', 'testCodeFailure', new Error('five is not six')) },
    { type: 'test:diagnostic', data: { message: 'Page at http://localhost/\n- heading' } },
    { type: 'test:diagnostic', data: { message: 'pass 1' } },
    { type: 'test:fail', data: failed('around', 'subtestsFailed', new Error('1 subtest failed')) },
  ]
  process.env.KARTOTEKA_TEST_SEED = '5'
  const told = []
  for await (const text of failures(events)) told.push(text)
  assert.equal(told.length, 2)
  assert.match(told[0], /^✖ bad \(test\/some\.test\.ts:7\), seed 5\n {4}Error: five is not six\n/)
  assert.equal(told[1], '    Page at http://localhost/\n    - heading\n')
})

it('of what failed, few files of tests of the pages are run once more, unless something else failed too', () => {
  const told = (...files) => files.map((file) => `✖ bad (${file}:7), seed 5\n    ✖ not (src/a.test.ts:1)\n`).join('\n')
  const [one, two, three, four] = ['a', 'b', 'c', 'd'].map((name) => `test/browser/${name}.test.ts`)
  assert.deepEqual(unsteadyIn(told(one, two, one, three)), [one, two, three])
  assert.deepEqual(unsteadyIn(told(one, two, three, four)), [])
  assert.deepEqual(unsteadyIn(told(one, 'test/http/a.test.ts')), [])
  assert.deepEqual(unsteadyIn(`${told(one)}✖ of no file, seed 5\n`), [])
  assert.deepEqual(unsteadyIn(''), [])
})

function failed(name, failureType, cause) {
  const error = Object.assign(new Error(cause.message, { cause }), { failureType })
  return { name, file: `${process.cwd()}/test/some.test.ts`, line: 7, details: { error } }
}
