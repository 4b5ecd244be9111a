import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Field } from '../fields/field.ts'
import { cardFields, columnsOfCard } from './card-fields.ts'

describe('fields of a card', () => {
  const fields = ['text', 'list', 'decimal', 'date'].map((type, i) => ({ id: i + 1, name: `f${i + 1}`, type }) as Field)
  const [title] = fields
  const shown = (columns: string | undefined) => {
    const { fields: some, most, isChosen } = cardFields(columns, fields, title)
    return [some.map(({ name }) => name).join(), most, isChosen]
  }

  it('are the first that are filled, without those that the list hides, until somebody chooses', () => {
    assert.deepEqual(shown(undefined), ['f2,f3,f4', 3, false])
    assert.deepEqual(shown('*,f4>f1.300,-f2'), ['f4,f3', 3, false])
  })

  it('are those that are chosen, in the order in which they were', () => {
    assert.deepEqual(shown(columnsOfCard([fields[3]!, fields[1]!], title)), ['f4,f2', 10, true])
    assert.deepEqual(shown(columnsOfCard([], title)), ['', 10, true])
    assert.equal(columnsOfCard([], undefined), undefined)
  })
})
