import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { NumberColumn, packedColumn } from '../../sets/number-column.ts'
import { measuredGroups, mostByColumns } from './group-sets.ts'
import type { GroupQuestion } from './list-reader.ts'

const MOST = 1_001
const id = { name: 'id', type: { kind: 'number', hasEmpty: false, empty: 0 } }
const day = { name: 'day', type: { kind: 'time', hasEmpty: true, empty: '0000-00-00' } }
const question = (attribute: object, period?: string): GroupQuestion =>
  ({ granted: { table: { id: 1 } }, grouping: { attribute, period }, measured: [], most: MOST }) as unknown as GroupQuestion
const columnOf = (values: readonly number[]) =>
  new NumberColumn(
    packedColumn(
      Uint32Array.from(values, (_, i) => i + 1),
      Float64Array.from(values),
    )!,
  )

/** Days from 2015 on, one for each record, by their digits. */
const days = Array.from({ length: 3_000 }, (_, i) =>
  Number(new Date(Date.UTC(2015, 0, 1 + i)).toISOString().slice(0, 10).replaceAll('-', '')),
)

describe('groups of columns', () => {
  it('are not made beyond those after which the question is refused', () => {
    const column = columnOf(Array.from({ length: 50_000 }, (_, i) => i + 1))
    const rows = measuredGroups(question(id), undefined, new Map([['id', column]])).give([])
    assert.equal(rows.length, MOST)
    assert.equal(
      rows.reduce((sum, row) => sum + Number(row[1]), 0),
      MOST,
    )
  })

  for (const [period, count] of [
    ['week', 429],
    ['quarter', 33],
    ['month', 99],
    ['year', 9],
  ] as const)
    it(`are all there where several keys are one group: ${period}`, () => {
      const rows = measuredGroups(question(day, period), undefined, new Map([['day', columnOf(days)]])).give([])
      assert.equal(rows.length, count)
      assert.equal(
        rows.reduce((sum, row) => sum + Number(row[1]), 0),
        days.length,
      )
    })

  it('are made of fewer records, the more is asked of each', () => {
    const most = (figures: number) => mostByColumns({ measured: Array.from({ length: figures }) } as unknown as GroupQuestion)
    assert.ok(most(0) > 1_000_000 && most(15) < 150_000)
  })
})
