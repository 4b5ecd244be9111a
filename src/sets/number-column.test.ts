import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from '../../test/support/fast-check.ts'
import { IdSet } from './id-set.ts'
import { packed } from './packed-set.ts'
import { Measure, NumberColumn, packedColumn, WIDEST } from './number-column.ts'

/** Numbers at the ends of what each width holds. */
const number = fc.oneof(
  fc.integer({ min: 0, max: 254 }),
  fc.constantFrom(-1, 0, 254, 255, 256, 2 ** 31 - 1, 2 ** 31, -(2 ** 31) + 1, -(2 ** 31), WIDEST - 1, -WIDEST + 1),
  fc.integer({ min: -WIDEST + 1, max: WIDEST - 1 }),
)
const id = fc.oneof(fc.integer({ min: 1, max: 40 }), fc.constantFrom(65_535, 65_536, 300_000))
const rows = fc.array(fc.tuple(id, number), { maxLength: 40 }).map((some) => new Map(some))
const columnOf = (of: ReadonlyMap<number, number>): NumberColumn | undefined => {
  const made = packedColumn(Uint32Array.from(of.keys()), Float64Array.from(of.values()))
  return made && new NumberColumn(made)
}
const entries = (column: NumberColumn, set?: IdSet): [number, number][] => {
  const all: [number, number][] = []
  column.each(set, (one, value) => void all.push([one, value]))
  return all
}
const ascending = (of: Iterable<[number, number]>) => [...of].sort(([one], [other]) => one - other)

describe('NumberColumn', () => {
  it('has the number of each record, whatever changes', () =>
    fc.assert(
      fc.property(rows, fc.array(fc.tuple(id, fc.option(number, { nil: undefined }))), fc.array(id), (first, changes, some) => {
        const column = columnOf(first)!
        const expected = new Map(first)
        for (const [one, value] of changes) {
          column.assign(one, value)
          if (value === undefined) expected.delete(one)
          else expected.set(one, value)
        }
        assert.deepEqual(entries(column), ascending(expected))
        assert.equal(column.size, expected.size)
        for (const one of some) assert.equal(column.of(one), expected.get(one))
        const set = new IdSet(packed(Uint32Array.from(some)))
        assert.deepEqual(entries(column, set), ascending([...expected].filter(([one]) => some.includes(one))))
        assert.ok(column.equals(columnOf(expected)!))
      }),
    ))

  it('is not made of numbers that are too wide, or of ids that are too far apart', () => {
    for (const value of [WIDEST, -WIDEST, 1e18]) assert.equal(columnOf(new Map([[1, value]])), undefined)
    assert.equal(columnOf(new Map([[4_000_000_000, 1]])), undefined)
    assert.ok(columnOf(new Map([[1, 1]]))!.isFar(4_000_000_000))
  })

  it('takes a byte for each small number', () => {
    const column = columnOf(new Map(Array.from({ length: 1_000 }, (_, i) => [i, i % 250])))!
    assert.ok(column.bytes < 1_100)
    column.assign(5, 255)
    assert.ok(column.bytes > 4_000 && column.bytes < 5_000)
    column.assign(6, -(2 ** 31))
    assert.ok(column.bytes > 8_000)
  })
})

describe('Measure', () => {
  it('adds exactly', () =>
    fc.assert(
      fc.property(fc.array(fc.oneof(number, fc.constant(WIDEST - 1)), { minLength: 1, maxLength: 60 }), fc.nat(59), (values, at) => {
        const [one, other] = [new Measure(), new Measure()]
        values.forEach((value, i) => (i < at ? one : other).add(value))
        one.join(other)
        assert.equal(
          one.sum,
          values.reduce((sum, value) => sum + BigInt(value), 0n),
        )
        assert.deepEqual([one.count, one.least, one.most], [values.length, Math.min(...values), Math.max(...values)])
      }),
    ))
})
