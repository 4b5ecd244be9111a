import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Resource } from '../api/client.ts'
import type { Field } from '../fields/field.ts'
import { filled } from './filled.ts'
import type { Range } from './selection.ts'

describe('cells that are filled', () => {
  const columns = ['a', 'b', 'c', 'd', 'e'].map(
    (name) => ({ name, type: name === 'e' ? 'text' : 'integer', scale: 0, target: null, options: [] }) as unknown as Field,
  )
  const range = (top: number, bottom: number, left: number, right: number): Range => ({ top, bottom, left, right })
  const texts = (record: Resource, field: Field) => String(record.attributes[field.name] ?? '')
  /** Rows 10 to 14; row 12 has 3, 5 and 7 in its first columns, row 13 has 6, 10 and 14. */
  const at = (first: number, last: number): Resource[] =>
    Array.from({ length: last - first + 1 }, (_, i) => {
      const by = first + i - 11
      return { type: 'data1', id: String(first + i), attributes: { a: String(3 * by), b: String(5 * by), c: String(7 * by), e: 'x' } }
    })
  const readAs = (_: Resource, one: Field, other: Field) => ({ text: '', value: `${one.name}>${other.name}` })
  const fill = (from: Range, to: Range) => {
    const records = at(Math.min(from.top, to.top), Math.max(from.bottom, to.bottom))
    return filled(from, to, records, columns, texts, readAs)
      .map(({ row, field, value }) => `${records[row]!.id}${field.name}=${value}`)
      .join(' ')
  }

  for (const [how, from, to, expected] of [
    ['down', range(12, 13, 0, 0), range(12, 15, 0, 0), '14a=9 15a=12'],
    ['up', range(12, 13, 0, 0), range(10, 13, 0, 0), '11a=0 10a=-3'],
    ['up, where values are repeated', range(12, 13, 4, 4), range(11, 13, 4, 4), '11e=x'],
    ['to the right', range(12, 12, 0, 1), range(12, 12, 0, 3), '12c=7 12d=9'],
    ['to the left', range(12, 13, 1, 2), range(12, 13, 0, 2), '12a=3 13a=6'],
    ['to the right from one column', range(12, 12, 1, 1), range(12, 12, 1, 3), '12c=5 12d=5'],
    ['to the right into another type', range(12, 12, 2, 3), range(12, 12, 2, 4), '12e=c>e'],
  ] as const)
    it(how, () => {
      assert.equal(fill(from, to), expected)
    })

  it('leaves out rows that the list does not have any more', () => {
    const put = filled(range(12, 13, 0, 0), range(12, 15, 0, 0), at(12, 14), columns, texts, readAs)
    assert.deepEqual(
      put.map(({ row, value }) => `${row}=${value}`),
      ['2=9'],
    )
    assert.deepEqual(filled(range(12, 12, 0, 0), range(12, 12, 0, 1), [], columns, texts, readAs), [])
  })

  it('of another type keep what does not fit them, and why', () => {
    const read = (record: Resource, from: Field, to: Field) => ({ text: texts(record, from), value: undefined, wrong: `no ${to.type}` })
    assert.deepEqual(filled(range(12, 12, 3, 4), range(12, 12, 2, 4), at(12, 12), columns, texts, read), [
      { row: 0, col: 2, field: columns[2], text: 'x', value: undefined, wrong: 'no integer' },
    ])
  })

  it('to the right into links to another table, and into other options: by what they are called', () => {
    const one = (name: string, more: object) => ({ name, type: 'reference', scale: 0, target: 1, options: [], ...more }) as unknown as Field
    const into = (field: Field) =>
      filled(range(12, 12, 0, 0), range(12, 12, 0, 1), at(12, 12), [one('a', field.type === 'list' ? { type: 'list' } : {}), field], texts, readAs).map(({ value }) => value) // prettier-ignore
    assert.deepEqual(into(one('b', {})), ['3'])
    assert.deepEqual(into(one('b', { target: 2 })), ['a>b'])
    assert.deepEqual(into(one('b', { type: 'list', options: [{ value: '3' }] })), ['a>b'])
  })
})
