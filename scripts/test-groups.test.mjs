import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { root } from './setup.mjs'
import { groupsOf } from './test-groups.mjs'

describe('files of tests that share a process', () => {
  let folder
  before(() => (folder = mkdtempSync(join(tmpdir(), 'kartoteka-groups-'))))
  after(() => rmSync(folder, { recursive: true }))

  const units = ['src/config.test.ts', 'src/fields/fold.test.ts', 'src/http/bodies/body.test.ts', 'src/http/bodies/json.test.ts']
  const filesIn = (groups) =>
    groups.flatMap((file) => {
      if (!file.startsWith(folder)) return [file]
      return [...readFileSync(file, 'utf8').matchAll(/^await import\("[^"]*\/((?:src|test|web)\/[^"]*)"\)/gm)].map(([, name]) => name)
    })

  it('are each in one group', () => {
    const files = [...units, 'src/http/bodies/uploads.test.ts', 'test/http/lists/lists.test.ts', 'test/sqlite/backup.test.ts']
    const groups = groupsOf(files, folder, '/memory')
    assert.ok(groups.length < files.length)
    assert.deepEqual(filesIn(groups).sort(), files.sort())
  })

  it('are alone where their hooks are those of a whole process, and where they start programs', () => {
    const alone = ['src/webhooks/send.test.ts', 'test/browser/grid.test.ts', 'test/crash/kills.test.ts']
    assert.deepEqual(groupsOf(alone, folder, '/memory'), alone)
  })

  it('have their temporary files in memory, but where a test kills or is about the disk', () => {
    const isInMemory = (file) =>
      groupsOf([file], folder, '/memory').every((one) => one !== file && readFileSync(one, 'utf8').includes('/memory'))
    assert.equal(isInMemory('test/http/lists/lists.test.ts'), true)
    assert.equal(isInMemory('test/http/jobs/killed.test.ts'), false)
    assert.equal(isInMemory('test/sqlite/backup.test.ts'), false)
  })

  it('are named where they cannot be loaded, and the others are still tested', () => {
    const broken = join(folder, 'broken.test.ts')
    writeFileSync(broken, 'syntax error')
    const name = relative(root, broken)
    const groups = groupsOf([name, ...units], join(folder, 'groups'), undefined)
    const { NODE_TEST_CONTEXT: _, ...env } = process.env
    const { stdout, status } = spawnSync(process.execPath, ['--test', '--test-reporter=spec', ...groups], {
      cwd: root,
      encoding: 'utf8',
      env,
    })
    assert.notEqual(status, 0)
    assert.ok(stdout.includes(`✖ ${name}`), stdout)
    assert.match(stdout, /pass [1-9]/)
    assert.match(stdout, /fail 1\n/)
  })
})
