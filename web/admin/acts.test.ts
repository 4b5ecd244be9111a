import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { it } from 'node:test'
import { actOf, acts, actsOf, partsOf } from './acts.ts'

it('every act that the service writes into the audit log has words', () => {
  const root = new URL('../../', import.meta.url)
  const written = globSync('src/**/*.ts', { cwd: root }).flatMap((file) => {
    const source = readFileSync(new URL(file, root), 'utf8')
    return Array.from(source.matchAll(/\baudit(?:Often)?(?:\)|)\(\s*store,\s*tx,\s*[\w.]+,\s*'([a-z_]+)'/g), ([, action]) => action!)
  })
  assert.ok(written.length > 30, String(written.length))
  assert.deepEqual([...new Set(written)].filter((action) => !acts[action]).toSorted(), [])
})

it('acts of an hour that are counted are those of their area', () => {
  assert.deepEqual(actOf('signed_in_more', '12'), ['signed_in', 12])
  assert.deepEqual(actOf('signed_in', 'token 3'), ['signed_in', undefined])
  assert.ok(actsOf('signIns').includes('sign_in_failed_more'))
  assert.ok(!actsOf('signIns').includes('user_created'))
})

it('subjects name one or several things', () => {
  assert.deepEqual(partsOf('group 4, table 1'), [
    ['group', '4'],
    ['table', '1'],
  ])
  assert.deepEqual(partsOf('user'), [])
  assert.deepEqual(partsOf('login anna, user 3'), [['user', '3']])
})
