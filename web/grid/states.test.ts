import assert from 'node:assert/strict'
import { it } from 'node:test'
import { CellStates } from './states.ts'

it('a saved cell shows what the list holds: an undo is seen at once', () => {
  const states = new CellStates()
  const record = { type: 'data1', id: '7', attributes: { f1: 'before' } }
  states.put('7', 'f1', { is: 'saving', value: 'typed' })
  assert.equal(states.value(record, 'f1'), 'typed')
  states.put('7', 'f1', { is: 'saved', value: 'typed' })
  assert.equal(states.value(record, 'f1'), 'before')
  states.put('7', 'f1', { is: 'refused', value: 'wrong', why: '' })
  assert.equal(states.value(record, 'f1'), 'wrong')
})
