import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import { makeDirectory } from './data-directory.ts'

it('makes a directory with those above it, for its owner alone; one that is there stays', () => {
  const root = mkdtempSync(join(tmpdir(), 'kartoteka-directory-'))
  try {
    const path = join(root, 'a', 'b')
    makeDirectory(path)
    makeDirectory(path)
    assert.equal(statSync(path).mode & 0o777, 0o700)
    writeFileSync(join(root, 'file'), '')
    assert.throws(() => makeDirectory(join(root, 'file')), { code: 'EEXIST' })
    assert.throws(() => makeDirectory(join(root, 'file', 'c')), { code: 'ENOTDIR' })
  } finally {
    rmSync(root, { recursive: true })
  }
})

// mkdir of Node with `recursive` never ends there.
it('fails where a file system makes no directories', () => {
  assert.throws(() => makeDirectory('/proc/kartoteka/data'), { code: 'ENOENT' })
})
