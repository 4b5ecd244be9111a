import assert from 'node:assert/strict'
import { it } from 'node:test'
import { turnsDuring } from '../../../test/support/turns.ts'
import { operator } from '../catalogue/administrator.ts'
import type { Transaction } from '../ground/db.ts'
import { writeOptions } from './field-options.ts'

it('a field with many options gets others while everybody else has their turn', async () => {
  const label = (i: number) => `${'Ё\u0323'.repeat(100)}${i}`
  const rows = Array.from({ length: 10_000 }, (_, i) => [i + 1, label(i), 1])
  const all = async (query: { readonly chunks: readonly object[] }) => (JSON.stringify(query).includes('count(*)') ? [[0, 0]] : rows)
  const statements: string[] = []
  const tx = { all, run: async (query: object) => void statements.push(JSON.stringify(query)) } as unknown as Transaction
  const turns = await turnsDuring(() => writeOptions(tx, operator, 7, [{ label: label(5_000).toLowerCase() }, { label: 'New' }]))
  assert.ok(turns >= 80, `${turns} turns`)
  assert.match(statements[1]!, /UPDATE options SET label.*5001/)
  assert.match(statements[2]!, /INSERT INTO options.*New/)
})
