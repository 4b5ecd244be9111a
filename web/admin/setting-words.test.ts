import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { it } from 'node:test'
import { wordsOfSetting } from './setting-words.ts'

it('every setting of the service has words', () => {
  const source = readFileSync(new URL('../../src/config.ts', import.meta.url), 'utf8')
  const flags = Array.from(source.matchAll(/: +setting\('--([a-z0-9-]+)'/g), ([, flag]) => flag!)
  assert.ok(flags.length > 30, String(flags.length))
  assert.deepEqual(
    flags.filter((flag) => wordsOfSetting(flag) === undefined),
    [],
  )
  assert.equal(wordsOfSetting('of-another-version'), undefined)
})
