import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { plain, type Attribute } from '../../fields/field-type.ts'
import { builtIn } from '../../fields/index.ts'
import type { Condition } from '../../filter/check.ts'
import { filterFunctions } from '../../filter/functions.ts'
import { termKey } from '../../filter/terms.ts'
import { IdSet } from '../../sets/id-set.ts'
import { packed } from '../../sets/packed-set.ts'
import { render } from '../../sql/sql.ts'
import { sqlite } from '../../sql/sqlite.ts'
import type { LocalDb } from '../ground/db.ts'
import { ChangeLog } from './change-log.ts'
import { isMadeAgain, type Sources } from './made-again.ts'
import type { RecordOrder } from './record-order.ts'
import { setMemory } from './set-memory.ts'
import type { Found } from './found.ts'
import { TableSets } from './table-sets.ts'
import { Term } from './term.ts'

const leaf = (name: string, fn = 'eq'): Condition => ({
  is: 'apply',
  fn: filterFunctions[fn]!,
  attribute: { name, type: { kind: 'number' } } as Attribute,
  values: [1],
})
const stage = leaf('f1')
const manager = leaf('f2')
const above = leaf('f3', 'gt')
const both: Condition = { is: 'and', terms: [stage, { is: 'not', term: manager }] }
const range: Condition = { is: 'and', terms: [stage, above] }

const CHANGES = 30_000
const RECORDS = 5_000

/** A log of so many changes, sets of `stage` and `manager` as they were `behind` changes ago, and the order of the range. */
function sources(behind: { readonly stage?: number; readonly manager?: number; readonly order?: number }): Sources {
  const log = new ChangeLog()
  for (let i = 0; i < CHANGES; i++) log.append(1 + (i % 1_000))
  const terms = new Map<string, Term>()
  for (const [condition, its] of [
    [stage, behind.stage],
    [manager, behind.manager],
  ] as const)
    if (its !== undefined) terms.set(termKey(condition), termOf(condition, CHANGES - its, 30_000))
  const order = {
    seen: CHANGES - (behind.order ?? 0),
    anchors: [],
    ids: { size: 100_000, blocks: { blocksOfIds: new Uint16Array(100_000) } },
  } as unknown as RecordOrder
  return { log, terms, orders: new Map(behind.order === undefined ? [] : [['f3', order]]) }
}

/** Of records with ids up to 100,000. */
function termOf(condition: Condition, seen: number, size: number): Term {
  const set = new IdSet()
  for (let i = 1; i <= size; i++) set.assign(100_000 - i * 3, true)
  return new Term({ key: termKey(condition), condition }, set, seen)
}
const filter = (behind: number, size = 500, condition: Condition = both) => termOf(condition, CHANGES - behind, size)

describe('a filter that changes have passed', () => {
  it('is made of its terms again where these are there, and it is far behind', () => {
    assert.equal(isMadeAgain(filter(5_000), both, sources({ stage: 0, manager: 5_000 })), true)
    assert.equal(isMadeAgain(filter(251), both, sources({ stage: 251, manager: 251 })), true)
  })

  it('follows where it is near, or has more members than it saves', () => {
    assert.equal(isMadeAgain(filter(250), both, sources({ stage: 0, manager: 0 })), false)
    assert.equal(isMadeAgain(filter(260, 25_000), both, sources({ stage: 0, manager: 0 })), false)
    assert.equal(isMadeAgain(filter(600, 25_000), both, sources({ stage: 0, manager: 0 })), true)
  })

  it('follows where a term would have to be read, or is much further behind', () => {
    assert.equal(isMadeAgain(filter(5_000), both, sources({ stage: 0 })), false)
    assert.equal(isMadeAgain(filter(5_000), both, sources({ stage: 0, manager: 12_000 })), false)
    assert.equal(isMadeAgain(filter(5_000), both, sources({ stage: 0, manager: 9_000 })), true)
    // The log has 20,000 changes at least, and here 30,000.
    const { log, ...others } = sources({ stage: 0, manager: 30_000 })
    for (let i = 0; i < 15_000; i++) log.append(1)
    assert.equal(isMadeAgain(termOf(both, 44_000 - 24_000, 500), both, { log, ...others }), false)
  })

  it('takes a range from an order that is not behind itself', () => {
    assert.equal(isMadeAgain(filter(9_000, 500, range), range, sources({ stage: 0, order: 100 })), true)
    assert.equal(isMadeAgain(filter(400, 500, range), range, sources({ stage: 0, order: 100 })), true)
    assert.equal(isMadeAgain(filter(300, 500, range), range, sources({ stage: 0, order: 100 })), false)
    assert.equal(isMadeAgain(filter(9_000, 500, range), range, sources({ stage: 0, order: 300 })), false)
    assert.equal(isMadeAgain(filter(9_000, 500, range), range, sources({ stage: 0 })), false)
  })

  it('has no more terms than are combined: with more it would be read', () => {
    const many = (count: number): Condition => ({ is: 'or', terms: Array.from({ length: count }, () => stage) })
    assert.equal(isMadeAgain(filter(9_000, 500, many(16)), many(16), sources({ stage: 0 })), true)
    assert.equal(isMadeAgain(filter(9_000, 500, many(17)), many(17), sources({ stage: 0 })), false)
  })

  it('is no term', () => {
    assert.equal(isMadeAgain(termOf(stage, 0, 500), stage, sources({ stage: 0, manager: 0 })), false)
  })
})

describe('the sets of a table', () => {
  it('have a filter made again after many changes, and follow after few', () => {
    const [a, b] = ['a', 'b'].map((name): Attribute => ({ name, column: name, type: builtIn.integer, settings: plain }))
    const values = new Map(Array.from({ length: RECORDS }, (_, i) => [i + 1, { a: i % 3, b: i % 5 }]))
    const readNow: LocalDb['readNow'] = (query) => {
      const ids = JSON.parse(String(render(query!, sqlite.placeholder).params[0])) as number[]
      return [ids.map((id) => [id, String(values.get(id)!.a), String(values.get(id)!.b)])]
    }
    const sets = new TableSets({ tableId: 1, version: 1 }, new ChangeLog(), { dialect: sqlite, readNow }, setMemory(Infinity), { isServed: () => false, hasCandidates: false, isOrdered: () => false, readColumn: () => undefined }, () =>
      Promise.resolve(),
    ) // prettier-ignore
    const equal = (attribute: Attribute): Condition => ({ is: 'apply', fn: filterFunctions['eq']!, attribute, values: [1n] })
    const filter: Condition = { is: 'and', terms: [equal(a!), equal(b!)] }
    const idsOf = (isIn: (record: { a: number; b: number }) => boolean) =>
      [...values].filter(([, record]) => isIn(record)).map(([id]) => id)
    sets.learn({ condition: equal(a!) }, packed(Uint32Array.from(idsOf((one) => one.a === 1))), 0)
    sets.learn({ condition: equal(b!) }, packed(Uint32Array.from(idsOf((one) => one.b === 1))), 0)
    const found = () => {
      const { set, term } = sets.resolve(filter) as Found
      assert.deepEqual(
        set.page(0, RECORDS),
        idsOf((one) => one.a === 1 && one.b === 1),
      )
      return term
    }
    const change = (count: number) => {
      for (let i = 0; i < count; i++) {
        const id = 1 + ((i * 7) % RECORDS)
        values.set(id, { a: (values.get(id)!.a + i) % 3, b: (values.get(id)!.b + 1) % 5 })
        sets.changed(id)
      }
    }
    found()
    const kept = found()
    assert.ok(kept)
    change(200)
    assert.equal(found(), kept)
    change(1_500)
    assert.notEqual(found(), kept)
    const next = found()
    change(100)
    assert.equal(found(), next)
  })
})

describe('the log of changes', () => {
  it('tells of what is compared alone; of what came or went, and where that is not known, always', () => {
    const log = new ChangeLog(['id', 'f1', 'f2', 'update_time'])
    const [f1, f2, both, time, id] = [['f1'], ['f2'], ['f1', 'f2'], ['update_time'], ['id']].map((names) => log.touchOf(names))
    log.append(1, ['f1'])
    log.append(2, ['f2'])
    log.append(3, ['f1', 'f2'])
    log.append(4)
    log.append(5, ['f9'])
    log.append(1, ['f2'])
    const told = (compared: number | undefined) => [...log.since(0, compared)!]
    for (let twice = 0; twice < 2; twice++) {
      assert.deepEqual(told(f1), [1, 3, 4, 5])
      assert.deepEqual(told(f2), [2, 3, 4, 5, 1])
      for (const all of [both, time, undefined, log.touchOf(['f9'])]) assert.deepEqual(told(all), [1, 2, 3, 4, 5])
      assert.deepEqual(told(id), [4, 5])
      assert.deepEqual([...log.since(4, id)!], [5])
    }
    log.append(6, ['f1'])
    assert.deepEqual(told(f1), [1, 3, 4, 5, 6])
    assert.deepEqual(told(id), [4, 5])
  })

  it('has a bit for many attributes, some of which share it', () => {
    const names = Array.from({ length: 495 }, (_, i) => `f${i + 1}`)
    const log = new ChangeLog(names)
    for (const [i, name] of names.entries()) log.append(i, [name])
    for (const [i, name] of names.entries()) assert.ok(log.since(0, log.touchOf([name]))!.has(i), name)
    assert.ok(log.since(0, log.touchOf(['f7']))!.size < 20)
  })

  it('tells the same of one number until the next change, and of the others what there is', () => {
    const log = new ChangeLog()
    for (const id of [5, 6, 5, 7]) log.append(id)
    assert.deepEqual([...log.since(1)!], [6, 5, 7])
    assert.equal(log.since(1), log.since(1))
    assert.deepEqual([...log.since(3)!], [7])
    assert.deepEqual([...log.since(4)!], [])
    log.append(8)
    assert.deepEqual([...log.since(1)!], [6, 5, 7, 8])
    assert.deepEqual([...log.since(4)!], [8])
    for (let i = 0; i < 40; i++) assert.equal(log.since(0)!.size, 4)
    for (let i = 0; i < 40_000; i++) log.append(9)
    assert.equal(log.since(0), undefined)
    assert.equal(log.reaches(0), false)
    assert.equal(log.reaches(log.end), true)
  })
})
