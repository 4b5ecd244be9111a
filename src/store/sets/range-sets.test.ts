import assert from 'node:assert/strict'
import { it } from 'node:test'
import { plain, type Attribute } from '../../fields/field-type.ts'
import { builtIn } from '../../fields/index.ts'
import type { Condition } from '../../filter/check.ts'
import { filterFunctions } from '../../filter/functions.ts'
import { IdSet } from '../../sets/id-set.ts'
import { packedOrder, type Mark } from '../../sets/order-parts.ts'
import { packed } from '../../sets/packed-set.ts'
import { RangeCounts } from '../../sets/range-counts.ts'
import { render } from '../../sql/sql.ts'
import { sqlite } from '../../sql/sqlite.ts'
import * as fc from '../../../test/support/fast-check.ts'
import type { LocalDb } from '../ground/db.ts'
import { ChangeLog } from './change-log.ts'
import { PresentRecords } from './present-records.ts'
import { inRange, RangeMembers } from './range-sets.ts'
import { RecordOrder, type OrderKey } from './record-order.ts'
import { setMemory } from './set-memory.ts'
import { TableSets } from './table-sets.ts'
import { Term } from './term.ts'

const attribute = (name: string): Attribute => ({ name, column: name, type: builtIn.integer, settings: plain })
const [a, b, c] = [attribute('a'), attribute('b'), attribute('c')]
type Values = readonly [a: number, b: number, c: number]

/** A table of records from 1 on with three numbers, and orders by two of them. */
function tableOf(records: number, valuesOf: (id: number) => Values) {
  const values = new Map(Array.from({ length: records }, (_, i) => [i + 1, valuesOf(i + 1)]))
  const present = new PresentRecords(1, {
    dialect: sqlite,
    readNow: (query) => {
      const { text, params } = render(query!, sqlite.placeholder)
      const [asked] = params
      const wanted = typeof asked === 'string' ? (JSON.parse(asked) as number[]) : [Number(asked)]
      return [
        wanted
          .filter((id) => values.has(id))
          .map((id) => [id, ...[a, b, c].flatMap(({ name }, i) => (text.includes(`"${name}"`) ? [String(values.get(id)![i])] : []))]),
      ]
    },
  })
  present.follow([a, b, c])
  const log = new ChangeLog()
  const inOrder = (by: 0 | 1) => [...values.keys()].sort((one, other) => values.get(one)![by] - values.get(other)![by] || one - other)
  const orders = ([0, 1] as const).map(
    (by) => new RecordOrder([{ attribute: [a, b][by]!, descending: false }], packedOrder(Uint32Array.from(inOrder(by)))!, log.end, present),
  )
  const change = (id: number, to: Values | undefined) => {
    if (to) values.set(id, to)
    else values.delete(id)
    log.append(id)
    present.forget(id)
  }
  return { values, log, records: present, one: orders[0]!, other: orders[1]!, change, inOrder, memory: setMemory(Infinity) }
}

const setOf = (ids: readonly number[]): IdSet => new IdSet(packed(Uint32Array.from(ids)))

it('tells the members, pages and counts of any range, of all records or of some, beside changes', () =>
  fc.assert(
    fc.property(
      fc.constantFrom(900, 9_000, 70_000),
      fc.array(fc.tuple(fc.nat(69_999), fc.option(fc.tuple(fc.nat(500), fc.nat(90), fc.nat(70)))), { minLength: 40, maxLength: 200 }),
      fc.array(
        fc.record({
          from: fc.option(fc.constantFrom(100, 101, 250, 499), { freq: 3 }),
          to: fc.option(fc.constantFrom(1, 40, 300, 301), { freq: 3 }),
          bound: fc.constantFrom(0, 2, 60, 60),
          isKept: fc.boolean(),
          offset: fc.nat(70_000),
        }),
        { minLength: 3, maxLength: 8 },
      ),
      (records, changes, ranges) => {
        const table = tableOf(records, (id) => [(id * 37) % 501, (id * 7) % 91, (id * 11) % 71])
        const { values, log, memory, one, other } = table
        const below = (bound: number): Condition => ({ is: 'apply', fn: filterFunctions['lt']!, attribute: c, values: [BigInt(bound)] })
        const some = (bound: number) => [...values].filter(([, [, , value]]) => value < bound).map(([id]) => id)
        const terms = new Map(
          [2, 60].map((bound) => [bound, new Term({ key: `c < ${bound}`, condition: below(bound) }, setOf(some(bound)), log.end)]),
        )
        for (const { from, to, bound, isKept, offset } of ranges) {
          for (const [id, change] of changes.splice(0, 40)) table.change((id % records) + 1, change ?? undefined)
          for (const order of [one, other]) assert.ok(order.follow(log, table.records))
          const term = terms.get(bound)
          assert.ok(!term || term.follow(log, table.records))
          const range = {
            attribute: a,
            from: from === null ? undefined : at(from, -1),
            to: to === null ? (from === null ? at(250, 3_000) : undefined) : at(to, Infinity),
          }
          const isIn = (id: number) =>
            (!range.from || values.get(id)![0] >= Number(range.from.key[0])) &&
            (!range.to || values.get(id)![0] < Number(range.to.key[0]) || (values.get(id)![0] === range.to.key[0] && id < range.to.id)) &&
            (!term || values.get(id)![2] < bound)
          const expected = [...values.keys()].filter(isIn).sort((left, right) => left - right)
          const found = () => inRange(one, range, table, memory, term && { set: term.set, ...(isKept && { term }) })
          assert.equal(found().size, expected.length)
          const members = found()
          for (const id of [...expected.slice(0, 50), ...expected.slice(-50), 1, 2, 250, records, records + 1]) {
            assert.equal(members.has(id), expected.includes(id), String(id))
            assert.equal(members.tester(1_000)(id), expected.includes(id))
          }
          for (const place of [0, offset % (expected.length + 1), Math.max(0, expected.length - 3)])
            assert.deepEqual(found().page(place, 20), expected.slice(place, place + 20))
          const byOther = table.inOrder(1).filter(isIn)
          const place = offset % (byOther.length + 1)
          const counts = members instanceof RangeMembers ? members.countsIn(other) : undefined
          assert.deepEqual(other.ids.page(place, 20, members, counts), byOther.slice(place, place + 20))
          assert.deepEqual(members.toSet().page(0, records), expected)
        }
      },
    ),
    { numRuns: 60 },
  ))

const at = (value: number, id: number): Mark<OrderKey> => ({ key: [value], id })

it('where there is no room, pages are right, and what they are found with is not made again and again', (test) => {
  const { values, log, records, one } = tableOf(9_000, (id) => [(id * 37) % 501, id, id])
  const made = test.mock.method(RangeCounts, 'of')
  const memory = setMemory(100)
  const term = new Term({ key: 'c < 9000', condition: { is: 'and', terms: [] } }, setOf([...values.keys()]), log.end)
  const ask = (from: number) => {
    const range = { attribute: a, from: at(from, -1), to: undefined }
    const expected = [...values].filter(([, [value]]) => value >= from).map(([id]) => id)
    const found = inRange(one, range, { log, records }, memory, { set: term.set, term })
    assert.deepEqual(found.page(2_000, 20), expected.slice(2_000, 2_020))
  }
  for (let from = 0; from < 50; from++) ask(from)
  assert.equal(made.mock.callCount(), 1)
})

it('the counts of an anchor go with it', () => {
  const RECORDS = 10_000
  const { log, records, one, other, memory } = tableOf(RECORDS, (id) => [id, id, id])
  const ask = (to: number) => {
    const found = inRange(one, { attribute: a, from: undefined, to: at(to, Infinity) }, { log, records }, memory)
    assert.ok(found instanceof RangeMembers)
    assert.equal(found.size, to)
    assert.deepEqual(other.ids.page(to - 1, 5, found, found.countsIn(other)), [to])
  }
  ask(6_000)
  assert.deepEqual([one.anchors.length, other.counts.size, memory.figures().kept.counts], [1, 1, 1])
  // So many changes that the anchor, which follows when it is used, is too far behind.
  for (let changes = 0; changes < 100_000; changes += 500) {
    for (let i = 0; i < 500; i++) {
      log.append(1 + ((changes + i) % RECORDS))
      records.forget(1 + ((changes + i) % RECORDS))
    }
    for (const order of [one, other]) assert.equal(order.follow(log, records), true)
  }
  ask(6_100)
  assert.deepEqual([one.anchors.length, other.counts.size, memory.figures().kept.counts], [1, 1, 1])
})

it('a range that is kept, and is too far behind to follow, is made of its order again', () => {
  const RECORDS = 3_000
  const values = Array.from({ length: RECORDS }, (_, i) => i + 1)
  const readNow: LocalDb['readNow'] = (query) => {
    const [asked] = render(query!, sqlite.placeholder).params
    const ids = typeof asked === 'string' ? (JSON.parse(asked) as number[]) : [Number(asked)]
    return [ids.map((id) => [id, String(values[id - 1])])]
  }
  const source = { dialect: sqlite, readNow }
  const memory = setMemory(Infinity)
  const sets = new TableSets({ tableId: 1, version: 1 }, new ChangeLog(), source, memory, { isServed: () => false, hasCandidates: false, isOrdered: () => false, readColumn: () => undefined }, () => Promise.resolve()) // prettier-ignore
  const sort = [{ attribute: a, descending: false }]
  sets.learnOrder(sort, packedOrder(Uint32Array.from(values))!, 0)
  const range: Condition = { is: 'apply', fn: filterFunctions['gt']!, attribute: a, values: [500n] }
  const find = () => {
    const found = sets.find(range)
    assert.ok(!('missing' in found))
    assert.equal(found.set.size, values.filter((value) => value > 500).length)
    return found.term
  }
  for (let question = 1; question < 5; question++) assert.equal(find(), undefined)
  assert.ok(find())
  for (let i = 0; i < 60_000; i++) {
    values[i % RECORDS] = (i * 7) % RECORDS
    sets.changed(1 + (i % RECORDS))
    if (i % 200 === 0) assert.ok(sets.ordered(sort))
  }
  find()
})
