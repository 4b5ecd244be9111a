import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { root } from './setup.mjs'
import { enginesOf, isBelow, ONCE, SLOW } from './test-folders.mjs'

describe('the folders of tests', () => {
  it('say on which engines a file runs: the nearest one that is among them', () => {
    assert.deepEqual(enginesOf('test/http/lists/lists.test.ts'), ['sqlite', 'postgres', 'citus'])
    assert.deepEqual(enginesOf('test/http/connections/slow.test.ts'), ['sqlite'])
    assert.deepEqual(enginesOf('test/store/sets/set-lists.test.ts'), ['sqlite', 'postgres'])
    assert.deepEqual(enginesOf('test/postgres-and-citus/two-nodes.test.ts'), ['postgres', 'citus'])
    assert.deepEqual(enginesOf('web/grid/undo.test.ts'), ['sqlite'])
    assert.equal(enginesOf('test/elsewhere/one.test.ts'), undefined)
  })

  it('leave out only files that a run with --all has', () => {
    const files = readdirSync(join(root, 'test'), { recursive: true }).map((file) => `test/${file}`.replaceAll('\\', '/'))
    const once = files.filter((file) => file.endsWith('.test.ts') && isBelow(file, ONCE))
    assert.ok(once.length > 15)
    assert.deepEqual(
      once.filter((file) => !enginesOf(file).includes('sqlite') || !enginesOf(file).includes('postgres')),
      [],
    )
    assert.equal(isBelow('test/store/records.test.ts', ONCE), false)
    assert.equal(isBelow('test/browser/grid.test.ts', SLOW), true)
  })
})
