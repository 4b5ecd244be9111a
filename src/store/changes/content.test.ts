import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { fieldType } from '../../fields/index.ts'
import * as fc from '../../../test/support/fast-check.ts'
import type { Held, RecordChange } from '../ground/changes.ts'
import { contentOf, type Entry } from './content.ts'

/** Characters that JSON escapes or may escape, and others from every plane; no half surrogate pairs, which no record holds. */
const hostile = fc.string({
  unit: fc.oneof(
    fc.constantFrom('"', '\\', '/', '\b', '\n', '\r', '\t', '\u0001', '\u001f', '\u007f', '\u0085', '\u2028', '\u2029', '\ufeff', '😀'),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
  ),
})
const values = fc.oneof(hostile, fc.integer())

function heldOf(column: string, value: string | number | undefined, type: 'text' | 'integer'): Held {
  const values = new Map(value === undefined ? [] : [['f1', value]])
  return { values, attributes: new Map([['f1', { column, type: fieldType(type)!, settings: {} as never }]]), files: new Map() }
}

describe('the content of a change in the log', () => {
  it('is the JSON that JSON.parse reads back exactly, whatever the texts hold', () => {
    const sides = fc.tuple(values, values, fc.constantFrom('f1', 'f1_2'))
    fc.assert(
      fc.property(sides, ([from, to, column]) => {
        const before = heldOf('f1', from, typeof from === 'number' ? 'integer' : 'text')
        const after = heldOf(column, to, typeof to === 'number' ? 'integer' : 'text')
        const change = { tableId: 1, recordId: 1, change: 0, act: 'update', by: {}, image: { before, after } } as unknown as RecordChange
        const { content } = contentOf(change)
        const [old, now] = [from, to].map((value) => (value === '' || value === 0 ? null : value))
        const expected: Record<string, Entry> = {}
        if (old !== null || now !== null) {
          if (column === 'f1' || old === null || now === null) expected[old === null ? column : 'f1'] = [old!, now!]
          else Object.assign(expected, { f1: [old!, null], [column]: [null, now!] })
        }
        assert.deepEqual(JSON.parse(content), expected)
      }),
      { numRuns: 2000 },
    )
  })
})
