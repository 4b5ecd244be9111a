import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { describe, it } from 'node:test'

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
  ['what only some types of field are', /\btype\.name [!=]== '|\bf\.type = '/, []],
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
