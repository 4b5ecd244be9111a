import assert from 'node:assert/strict'
import { test } from 'node:test'
import { flipBytes } from './flip.ts'
import { seed } from '../support/seed.ts'

test('one changed byte of the database file never shows as another record that check calls sound', async () => {
  const { flips, refused, found, silent } = await flipBytes(60, seed)
  assert.deepEqual(
    silent.filter((tables) => /\b(data|trash)\d/.test(tables)),
    [],
  )
  assert.ok(refused + found > flips / 6, `${refused} refused, ${found} found`)
})
