import assert from 'node:assert/strict'
import { readFileSync, rmSync } from 'node:fs'
import { describe, it } from 'node:test'
import { Worker } from 'node:worker_threads'
import { explain } from '../../../src/cli/explain/explain.ts'
import { report, stackOf } from '../../../src/cli/explain/fault.ts'

describe('a fault of ours', () => {
  it('is told in a sentence, with a file that holds where it was and nothing that was typed or stored', () => {
    const secret = 'Anna Meier, +49 30 1234\n    at secret-in-the-message'
    const cause = Object.assign(new TypeError(secret), { code: 'ERR_SOMETHING' })
    const { text, usage, fault } = explain(new Error(secret, { cause }))
    assert.deepEqual([text, usage], ['This is a fault of Kartoteka itself.', false])
    const path = report(fault!, 'import', '1.2.3')!
    const written = readFileSync(path, 'utf8')
    rmSync(path)
    assert.match(
      written,
      /^Kartoteka 1\.2\.3, Node v\d+\.\S+, \w+ \w+\nCommand: import\n\nError\n {4}at .*test\/sqlite\/cli\/faults\.test\.ts:/,
    )
    assert.match(written, /^TypeError \(ERR_SOMETHING\)$/m)
    assert.doesNotMatch(written, /Anna|secret|1234/)
  })

  it('of anything that can be thrown', () => {
    for (const thrown of ['text', 7, null, undefined, { code: 'x' }]) assert.ok(explain(thrown).fault)
    const circular = new Error('round')
    circular.cause = circular
    assert.ok(stackOf(circular).stack.length > 0)
  })

  it('is recognised when it comes out of a thread', async () => {
    const worker = new Worker("throw Object.assign(new Error('x'), { code: 'SQLITE_CORRUPT_VTAB' })", { eval: true })
    const error = await new Promise((resolve) => worker.once('error', resolve))
    assert.match(explain(error).text, /^The database file is damaged/)
  })
})
