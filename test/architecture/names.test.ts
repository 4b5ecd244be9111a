import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { basename } from 'node:path'
import { test } from 'node:test'

/** Names that say where something was put and not what it is. */
const homeless = new Set(['utils', 'util', 'helpers', 'helper', 'common', 'lib', 'core', 'misc', 'types', 'manager', 'service', 'shared'])

test('no file or folder is a dumping ground', () => {
  const found = readdirSync(new URL('../../src/', import.meta.url), { recursive: true, encoding: 'utf8' })
  assert.deepEqual(
    found.filter((path) => homeless.has(basename(path, '.ts'))),
    [],
  )
})
