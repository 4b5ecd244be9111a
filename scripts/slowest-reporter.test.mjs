import assert from 'node:assert/strict'
import { it } from 'node:test'
import slowest from './slowest-reporter.mjs'

it('prints the files that took longest first', async () => {
  const summary = (file, duration_ms) => ({
    type: 'test:summary',
    data: { duration_ms, ...(file && { file: `${process.cwd()}/${file}` }) },
  })
  const told = []
  for await (const text of slowest([
    summary('a.test.ts', 500),
    { type: 'test:pass', data: {} },
    summary('b.test.ts', 2_000),
    summary(undefined, 2_600),
  ]))
    told.push(text)
  assert.equal(told.join(''), '\nSeconds by file, 3 in 2:\n\n     2.0  b.test.ts\n     0.5  a.test.ts\n')
})
