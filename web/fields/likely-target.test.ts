import assert from 'node:assert/strict'
import { it } from 'node:test'
import { fieldOf } from './field.ts'
import { likelyKey, likelyTarget } from './likely-target.ts'

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

it('finds the unique field by which the values of a field name records', () => {
  const field = (id: number, field_type: string) => fieldOf({ type: 'field', id: String(id), attributes: { field_type, unique: true } })
  const keys = [field(1, 'integer'), field(2, 'text'), field(3, 'text'), field(4, 'email')]
  assert.equal(likelyKey(field(9, 'text'), keys, 3), '3', 'the title')
  assert.equal(likelyKey(field(9, 'text'), keys, 8), '1', 'the title may repeat')
  assert.equal(likelyKey(field(9, 'email'), keys, 3), '4', 'an address')
  assert.equal(likelyKey(field(9, 'list'), keys, 3), '3')
  assert.equal(likelyKey(field(9, 'integer'), keys, 3), '', 'numbers are mostly those of records')
  assert.equal(likelyKey(field(9, 'text'), [], 3), '')
})
