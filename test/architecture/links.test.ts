import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../', import.meta.url))
const pages = ['', 'docs', 'docs/guides', 'docs/reference', 'bench', 'bench/peers', 'test/contract'].flatMap((folder) =>
  readdirSync(join(root, folder))
    .filter((file) => file.endsWith('.md'))
    .map((file) => join(folder, file)),
)

test('every link of a page to a file leads to one', () => {
  assert.ok(pages.length > 15, pages.join(', '))
  const dead = pages.flatMap((page) =>
    [...readFileSync(join(root, page), 'utf8').matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)/g)]
      .map(([, target]) => target!)
      .filter((target) => !existsSync(join(root, dirname(page), target)))
      .map((target) => `${page}: ${target}`),
  )
  assert.deepEqual(dead, [])
})

test('every promise of SECURITY.md names what holds it', () => {
  const promised = readFileSync(join(root, 'SECURITY.md'), 'utf8').split('## What is promised')[1]!.split('\n## ')[0]!
  const rows = promised.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| promise'))
  assert.ok(rows.length > 10)
  for (const row of rows) assert.match(row.split('|')[2]!, /\]\((test|scripts)\//, row)
})
