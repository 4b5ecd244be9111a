import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sqlite } from '../../sql/sqlite.ts'
import { render, sql, type Sql } from '../../sql/sql.ts'
import * as fc from '../../../test/support/fast-check.ts'
import type { Row } from '../ground/db.ts'
import { ChangeLog } from './change-log.ts'
import { setMemory } from './set-memory.ts'
import { sharedRows, type RowsRead } from './shared-rows.ts'
import type { ShownAs } from './shown-rows.ts'
import { TableSets } from './table-sets.ts'

const shownAs = (view: string): ShownAs => ({
  columns: sql`id`,
  nothing: sql`NULL`,
  query: (ids) => sql`view ${view} ${ids.join(' ')}`,
})
const views = [shownAs('one'), shownAs('two'), shownAs('long')]
const titles = ['one', 'two', 'long']

const LONG = 'x'.repeat(20_000)

/** A shared database whose records have versions, and whose reads end when `end` is called. */
function shared() {
  const sets = new TableSets(
    { tableId: 1, version: 1 },
    new ChangeLog(),
    { dialect: sqlite },
    setMemory(Infinity),
    { isServed: () => false, hasCandidates: false, isOrdered: () => false, readColumn: () => undefined },
    () => Promise.resolve(),
  )
  const history: number[] = []
  let told = 0
  const versionOf = (id: number, until: number) => history.slice(0, until).filter((one) => one === id).length
  const reads: { readonly asked: readonly number[]; readonly end: () => void }[] = []
  const read = (statement: (changes: Sql) => Sql) =>
    new Promise<RowsRead>((done) => {
      const { params } = render(statement(sql`changes`), sqlite.placeholder)
      const [view, ids = ''] = params.map(String)
      const asked = ids === '' ? [] : ids.split(' ').map(Number)
      const begun = { end: sets.log.end, snapshot: history.length }
      const more = view === 'long' ? [LONG] : []
      const answer: Row[] = asked.map((id) => [id, `${view} ${versionOf(id, begun.snapshot)}`, ...more])
      reads.push({
        asked,
        end: () => {
          if (begun.snapshot < told) return done({ answer, seen: begun.end })
          for (const id of history.slice(told, begun.snapshot)) sets.changed(id)
          told = begun.snapshot
          done({ answer, seen: sets.log.end })
        },
      })
    })
  const rows = sharedRows(sets, read)
  /** What an answer has must be as the log says, but for what has changed since it was seen. */
  async function ask(ids: readonly number[], view: number, areKept: boolean): Promise<void> {
    const given = await rows({ ids, ...(ids.length > 0 && { shown: views[view]! }), areKept, give: () => undefined }, ids)
    const since = sets.log.since(given!.seen)!
    const shown = new Map(given!.answer.map(([id, text]) => [id, text]))
    assert.deepEqual([...shown.keys()], ids)
    for (const id of ids) if (!since.has(id)) assert.equal(shown.get(id), `${titles[view]!} ${versionOf(id, told)}`)
  }
  return { sets, reads, ask, change: (id: number) => history.push(id) }
}

const turn = () => new Promise((done) => setImmediate(done))

describe('rows over a shared database', () => {
  it('of answers that wait are read together, each once, two reads at a time for each select list; those that are kept are not read', async () => {
    const { reads, ask, change } = shared()
    const asked = [ask([1, 2], 0, true), ask([2, 3], 0, true)]
    await turn()
    assert.deepEqual(
      reads.map((one) => one.asked),
      [[1, 2, 3]],
    )
    asked.push(ask([7], 0, false))
    await turn()
    asked.push(ask([4, 5], 0, false), ask([5, 6], 0, true), ask([4], 1, false))
    await turn()
    assert.deepEqual(
      reads.slice(1).map((one) => one.asked),
      [[7], [4]],
    )
    reads[0]!.end()
    await turn()
    await turn()
    assert.deepEqual(reads.at(-1)!.asked, [4, 5, 6])
    for (const at of [1, 2, 3]) reads[at]!.end()
    await Promise.all(asked)
    change(3)
    const more = [ask([1, 2, 3, 6], 0, true), ask([], 0, false)]
    await turn()
    for (const { asked: ids, end } of reads.slice(4)) {
      assert.deepEqual(ids, [])
      end()
    }
    await Promise.all(more)
    void ask([1, 2, 3, 4], 0, true)
    await turn()
    assert.deepEqual(reads.at(-1)!.asked, [3, 4])
  })

  it('are no more than one read takes, by how long they were, but for one answer that has more', async () => {
    const { reads, ask } = shared()
    const many = (from: number, count: number) => Array.from({ length: count }, (_, i) => from + i)
    for (const ids of [many(1, 700), many(1_001, 300), many(2_001, 300)]) void ask(ids, 0, false)
    await turn()
    await turn()
    assert.deepEqual(
      reads.map(({ asked }) => asked.length),
      [700, 300],
    )
    for (const { end } of reads) end()
    await turn()
    await turn()
    reads[2]!.end()
    await turn()
    assert.deepEqual(
      reads.map(({ asked }) => asked.length),
      [700, 300, 300],
    )
    reads.length = 0
    // What was read was short: some answers go together. Long rows are a page at a time.
    for (const [view, together] of [
      [0, [400]],
      [2, [100, 100]],
    ] as const) {
      void ask(many(1, 10), view, false)
      await turn()
      reads[0]!.end()
      await turn()
      reads.length = 0
      for (let i = 0; i < 4; i++) void ask(many(1 + 100 * i, 100), view, false)
      await turn()
      await turn()
      assert.deepEqual(
        reads.map(({ asked }) => asked.length),
        together,
      )
      reads.length = 0
    }
    await turn()
  })

  it('leave out what is kept, and what several ask for counts once', async () => {
    const { reads, ask } = shared()
    const many = (from: number, count: number) => Array.from({ length: count }, (_, i) => from + i)
    for (let i = 0; i < 100; i++) void ask(many(1, 50), 1, true)
    await turn()
    assert.equal(reads.length, 1)
    reads[0]!.end()
    await turn()
    const asked = Array.from({ length: 100 }, () => ask(many(1, 50), 1, true))
    await turn()
    assert.equal(reads.length, 2)
    assert.deepEqual(reads[1]!.asked, [])
    reads[1]!.end()
    await Promise.all(asked)
  })

  it('are not kept where their record has changed since, and a later read has told that already', async () => {
    const { reads, ask, change } = shared()
    const asked = [ask([1, 2], 0, true)]
    await turn()
    change(1)
    asked.push(ask([9], 0, true))
    await turn()
    reads[1]!.end()
    await turn()
    reads[0]!.end()
    await Promise.all(asked)
    const again = ask([1, 2], 0, true)
    await turn()
    assert.deepEqual(reads[2]!.asked, [1])
    reads[2]!.end()
    await again
  })

  it('are read in the order in which they came: none is passed by one that has more room', async () => {
    const { reads, ask } = shared()
    const many = (from: number, count: number) => Array.from({ length: count }, (_, i) => from + i)
    for (const ids of [many(1, 40), many(101, 40), [201]]) void ask(ids, 0, false)
    await turn()
    await turn()
    assert.deepEqual(
      reads.map(({ asked }) => asked),
      [many(1, 40), [...many(101, 40), 201]],
    )
  })

  it('fail with their read, and the next ones are read', async () => {
    const { sets } = shared()
    let reads = 0
    const rows = sharedRows(sets, () => (reads++ === 0 ? Promise.reject(new Error('gone')) : Promise.resolve(undefined)))
    await assert.rejects(rows({ ids: [], give: () => undefined }, []), /gone/)
    assert.equal(await rows({ ids: [], give: () => undefined }, []), undefined)
  })

  it('are those of the state that is said, whatever changes and in whichever order reads end', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.oneof(
            fc.record({
              ids: fc.uniqueArray(fc.integer({ min: 1, max: 12 }), { maxLength: 5 }),
              view: fc.nat({ max: 1 }),
              areKept: fc.boolean(),
            }),
            fc.record({ change: fc.integer({ min: 1, max: 12 }) }),
            fc.record({ end: fc.nat({ max: 1 }) }),
            fc.constant('turn' as const),
          ),
          { maxLength: 80 },
        ),
        async (acts) => {
          const { reads, ask, change } = shared()
          const asked: Promise<void>[] = []
          const open = () => reads.filter((one) => !ended.has(one))
          const ended = new Set<unknown>()
          const end = (which: number) => {
            const one = open()[which]
            if (!one) return
            ended.add(one)
            one.end()
          }
          for (const act of acts) {
            if (act === 'turn') await turn()
            else if ('change' in act) change(act.change)
            else if ('end' in act) end(act.end)
            else asked.push(ask(act.ids, act.view, act.areKept))
          }
          const all = Promise.all(asked)
          for (let i = 0; i < 4 * acts.length + 4; i++) {
            await turn()
            end(0)
          }
          await all
        },
      ),
      { numRuns: 300 },
    ))
})
