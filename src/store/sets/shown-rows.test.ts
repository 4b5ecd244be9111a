import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sql, type Sql } from '../../sql/sql.ts'
import * as fc from '../../../test/support/fast-check.ts'
import type { Row } from '../ground/db.ts'
import { setMemory } from './set-memory.ts'
import { ShownRows, type ShownAs } from './shown-rows.ts'

const idsFrom = (from: number, count: number) => Array.from({ length: count }, (_, i) => from + i)

/** Rows of a table whose records have a text and, in other columns, a longer one. */
function table(most = Infinity) {
  const memory = setMemory(most)
  const shown = new ShownRows(memory)
  const texts = new Map<number, string>()
  let read: number[] = []
  const rowOf = (id: number, isOther: boolean): Row => [id, ...Array(isOther ? 2 : 1).fill(texts.get(id) ?? `text ${id}`)]
  /** What each query reads. */
  const queries = new Map<Sql, { readonly ids: readonly number[]; readonly isOther: boolean }>()
  const [all, others] = [false, true].map((isOther) => ({
    columns: sql`id, text`,
    nothing: sql``,
    query(ids: readonly number[]) {
      const query = sql`SELECT`
      queries.set(query, { ids, isOther })
      return query
    },
  })) as [ShownAs, ShownAs]
  const readNow = (query: Sql) => {
    const { ids, isOther } = queries.get(query)!
    read = [...ids]
    return ids.map((id) => rowOf(id, isOther)).toReversed()
  }
  const ask = (ids: readonly number[], isOther = false) => {
    read = []
    const rows = shown.rows(isOther ? others : all, ids, readNow)
    assert.deepEqual(
      rows.toSorted(([a], [b]) => Number(a) - Number(b)),
      ids.map((id) => rowOf(id, isOther)).toSorted(([a], [b]) => Number(a) - Number(b)),
    )
    return read
  }
  return { memory, shown, texts, ask, readNow }
}

describe('rows that were shown', () => {
  it('are read once, until their record changes; those with other columns by themselves', () => {
    const { shown, texts, ask, memory } = table()
    assert.deepEqual(ask([1, 2, 3]), [1, 2, 3])
    assert.deepEqual(ask([2, 3, 4]), [4])
    assert.deepEqual(ask([2, 3], true), [2, 3])
    assert.deepEqual(ask([1, 2, 3, 4]), [])
    texts.set(3, 'other')
    shown.forget(3)
    assert.deepEqual(ask([1, 2, 3, 4]), [3])
    assert.deepEqual(ask([2, 3], true), [3])
    assert.equal(memory.figures().kept.rows, 2)
    shown.end()
    for (let i = 0; i < 2; i++) assert.deepEqual(ask([1]), [1])
    assert.deepEqual([memory.figures().kept.rows, memory.figures().bytes], [0, 0])
  })

  it('take no more memory than two generations of a view, and what is shown again stays', () => {
    const { texts, ask, memory } = table()
    for (let id = 1; id <= 6_000; id++) texts.set(id, 'x'.repeat(1_000))
    for (let from = 100; from < 6_000; from += 20) {
      ask(idsFrom(from, 20))
      assert.deepEqual(ask(idsFrom(1, 20)), from === 100 ? idsFrom(1, 20) : [])
    }
    assert.ok(memory.figures().bytes <= 2 * 2 ** 21, `${memory.figures().bytes}`)
    assert.deepEqual(ask(idsFrom(100, 20)), idsFrom(100, 20))
  })

  it('are not kept where they are long, or there is no room', () => {
    const { texts, ask } = table()
    texts.set(7, 'x'.repeat(10_000))
    ask([7])
    assert.deepEqual(ask([7]), [7])
    const none = table(0)
    none.ask([1])
    assert.deepEqual(none.ask([1]), [1])
    assert.equal(none.memory.figures().bytes, 0)
  })

  it('are compared with the database, some at a time', () => {
    const { shown, texts, ask, readNow } = table()
    ask(idsFrom(1, 120))
    ask(idsFrom(1, 5), true)
    const compared = () =>
      Array.from({ length: 6 }, () => {
        const some = shown.some()!
        return shown.areStill(some, readNow(some.as.query(some.ids)))
      })
    assert.ok(compared().every((isRight) => isRight))
    texts.set(77, 'changed, and nobody told')
    assert.ok(compared().includes(false))
    shown.forget(77)
    assert.ok(compared().every((isRight) => isRight))
  })

  it('are those of the records as they are, whatever is asked and changed', () =>
    fc.assert(
      fc.property(
        fc.array(
          fc.record({
            ids: fc.uniqueArray(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 20 }),
            isOther: fc.boolean(),
            changes: fc.array(fc.tuple(fc.integer({ min: 1, max: 40 }), fc.nat({ max: 9_000 }))),
          }),
        ),
        (acts) => {
          const { shown, texts, ask } = table()
          for (const { ids, isOther, changes } of acts) {
            ask(ids, isOther)
            for (const [id, length] of changes) {
              texts.set(id, String(length).repeat(length))
              shown.forget(id)
            }
          }
        },
      ),
      { numRuns: 100 },
    ))
})
