import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { test } from 'node:test'
import { fieldTypes } from '../../src/fields/index.ts'

const folder = new URL('../../src/fields/', import.meta.url)
const files = readdirSync(folder).filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))

test('every field type in src/fields stands in the list of index.ts', async () => {
  const found: unknown[] = []
  for (const file of files) {
    const exported = Object.values((await import(new URL(file, folder).href)) as Record<string, unknown>)
    found.push(...exported.filter((value) => typeof value === 'object' && value !== null && 'parse' in value && 'kind' in value))
  }
  assert.deepEqual(found.map((type) => (type as { name: string }).name).sort(), fieldTypes.map((type) => type.name).sort())
})

test('a field type stands in the file of its name', () => {
  for (const type of fieldTypes) assert.ok(files.includes(`${type.name}.ts`), type.name)
})
