import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { fieldTypes } from '../../src/fields/index.ts'

/* What is described by a table is described nowhere else: a telltale of it occurs in these files only. */

const tables: readonly (readonly [what: string, telltale: RegExp, places: readonly string[]])[] = [
  ['rights inside', /\bfreeSmsTemplate\b/, ['src/http/resources/table.ts', 'src/store/model/rights.ts']],
  ['columns of rights', /\bmay_free_sms_template\b/, ['src/store/model/rights.ts']],
  [
    'names of rights on the wire',
    /\bfree_sms_template\b/,
    ['src/http/resources/table.ts', 'src/store/schema/migrations/0001-system-tables.ts'],
  ],
  [
    'tables of counts',
    /['(|]region_counts\b|^ *region_counts:/m,
    ['src/store/schema/migrations/0004-shared-database.ts', 'src/store/schema/system-tables.ts'],
  ],
  ['the oldest entry of a map', /\.(?:keys|entries|values)\(\)\.next\(\)/, ['src/memory/lru.ts']],
  ['names of types in SQL', new RegExp(`\\btype (?:=|<>|IN \\() ?'(?:${fieldTypes.map(({ name }) => name).join('|')})'`), []],
  [
    'settings of fields',
    /\bmaxKilobytes\b/,
    ['src/fields/field-type.ts', 'src/fields/files.ts', 'src/fields/forms/files.ts', 'src/fields/settings.ts'],
  ],
  ['columns of settings', /\bmax_kilobytes\b/, ['src/fields/field-type.ts', 'src/store/schema/migrations/0001-system-tables.ts']],
]

const sources = globSync('src/**/*.ts')
  .filter((file) => !file.endsWith('.test.ts'))
  .toSorted()
  .map((file) => ({ file, text: readFileSync(file, 'utf8') }))

describe('one table each', () => {
  for (const [what, telltale, places] of tables)
    it(`${what}: in ${places.length} places`, () =>
      assert.deepEqual(
        sources.filter(({ text }) => telltale.test(text)).map(({ file }) => file),
        places,
      ))
})
