import assert from 'node:assert/strict'
import { it } from 'node:test'
import { likelyTarget } from './likely-target.ts'

const tables = ['Categories', 'Customers', 'Компании'].map((table_name, i) => ({
  type: 'table',
  id: String(i + 1),
  attributes: { table_name },
}))

it('finds the table that a field is named after', () => {
  assert.equal(likelyTarget('categoryID', tables), '1')
  assert.equal(likelyTarget('Customer', tables), '2')
  assert.equal(likelyTarget('customer_id', tables), '2')
  assert.equal(likelyTarget('компании', tables), '3')
  assert.equal(likelyTarget('Notes', tables), undefined)
  assert.equal(likelyTarget('ID', tables), undefined)
})
