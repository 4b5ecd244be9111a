import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'

const lines = readFileSync(new URL('../../CHANGELOG.md', import.meta.url), 'utf8').split('\n')

test('the changelog is versions with Added, Changed and Fixed, and each change is one line', () => {
  const begin = lines.indexOf('## Unreleased')
  assert.ok(begin > 0)
  const odd = lines
    .slice(begin + 1)
    .filter(
      (line, i) =>
        line !== '' &&
        !/^## \d+\.\d+\.\d+ \(\d{4}-\d\d-\d\d\)$|^### (Added|Changed|Fixed)$|^- .*\.$/.test(line) &&
        !isIntroduction(begin + 1 + i),
    )
  assert.deepEqual(odd, [])
})

test('nothing stands twice in the changelog', () => {
  const entries = lines.filter((line) => line.startsWith('- ') || line.startsWith('## '))
  assert.deepEqual(
    entries.filter((line, i) => entries.indexOf(line) !== i),
    [],
  )
})

/** One line after the heading of a version may say what it is. */
const isIntroduction = (at: number): boolean => /^## \d/.test(lines[at - 2]!) && lines[at - 1] === ''
