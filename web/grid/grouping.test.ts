import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Field } from '../fields/field.ts'
import { groupingOf, periodName, sortOf } from './grouping.ts'

const field = (name: string, type: string) => ({ name, type }) as Field
const fields = [field('f1', 'list'), field('f2', 'date'), field('f3', 'text')]

describe('the grouping of a grid', () => {
  it('is read from the address where it can be made', () => {
    assert.equal(groupingOf('f1', fields)?.field.name, 'f1')
    assert.equal(groupingOf('f2:month', fields)?.period, 'month')
    for (const text of [undefined, '', 'f2', 'f1:month', 'f3', 'f9', 'f2:hour', 'id', 'f1,f2'])
      assert.equal(groupingOf(text, fields), undefined, String(text))
  })

  it('comes first in the order, in the direction that the list has', () => {
    const by = groupingOf('f1', fields)
    assert.equal(sortOf('f3', undefined), 'f3')
    assert.equal(sortOf(undefined, by), 'f1')
    assert.equal(sortOf('-f3,f2', by), 'f1,-f3,f2')
    assert.equal(sortOf('f3,-f1', by), '-f1,f3')
  })

  it('names months and days as people do', () => {
    assert.equal(periodName('2024-05', 'month', 'en-GB'), 'May 2024')
    assert.match(periodName('2024-05', 'month', 'ru-RU'), /^май 2024/)
    assert.equal(periodName('0099-02-01', 'day', 'en-GB').includes('February 99'), true)
    assert.deepEqual([periodName('2024', 'year', 'en-GB'), periodName('2024-W18', 'week', 'en-GB')], ['2024', '2024-W18'])
  })
})
