import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { SetQuery } from '../../../src/store/ground/db.ts'
import type { Store } from '../../../src/store/ground/store.ts'
import { render } from '../../../src/sql/sql.ts'
import { createRecord, deleteRecord, updateRecord } from '../../../src/store/records/write-records.ts'
import { indexedTable, type IndexedTable } from '../../support/indexed-table.ts'
import { setPartsOf } from '../../support/list-parts.ts'
import { scratchStore } from '../../support/scratch-store.ts'
import { until } from '../../support/until.ts'

/** What a program sends for what a person has typed: a piece of any of three texts. */
const typed = (piece: string) => `or(${['title', 'notes', 'mail'].map((field) => `contains(${field},'${piece}')`).join(',')})`

/** Resolves when each of those texts has its index, which the first question wants. */
const haveIndexes = (store: Store, table: IndexedTable): Promise<void> =>
  until('an index of each text', async () => {
    await store.indexes.idle()
    return ['title', 'notes', 'mail'].every((field) => Boolean(store.indexes.has(table.id, table.named(field), 'text')))
  })

it('a piece that is looked for in several texts is one read where each has its index, and follows writes', async () => {
  const { store, remove, faults } = await scratchStore()
  const { store: plain, remove: removePlain } = await scratchStore({ listedFrom: 1_000_000 })
  try {
    const [table, same] = [await indexedTable(store, 4_000), await indexedTable(plain, 4_000)]
    const sets = () => store.pages.figures()!.read.set
    const mustBeSame = async (filter: string) => {
      const answer = await table.list(filter, '', 20)
      assert.deepEqual(answer, await same.list(filter, '', 20), filter)
      return answer
    }
    const reads = async (filter: string, expected: number) => {
      const before = sets()
      assert.ok((await mustBeSame(filter)).total > 0, filter)
      assert.equal(sets() - before, expected, filter)
    }
    // Without an index, which each first question wants, they are read one by one: together they would have the time of one.
    await reads(typed('anna'), 3)
    await haveIndexes(store, table)
    await reads(typed("d''arc"), 1)
    await reads(typed("d''arc"), 0)
    await reads(typed('example1'), 1)
    await reads(`and(eq(stage,'won'),${typed('example1')})`, 1)
    await table.list("search('hello')")
    await until('the index of words', async () => {
      await store.indexes.idle()
      return Boolean(store.indexes.has(table.id, '', 'words'))
    })
    await reads("or(search('anna'),contains(mail,'example2'))", 1)
    // One of the texts is known already: the others are read by themselves.
    await reads(`contains(title,'hara')`, 1)
    await reads(`or(contains(title,'hara'),contains(notes,'hara'))`, 1)
    // What an index finds only nearly, what has none, and more than four are read one by one.
    await reads("or(ends_with(mail,'9.com'),ends_with(title,'9'))", 2)
    await reads("or(contains(title,'100'),contains(amount,'100'))", 2)
    await reads("or(contains(title,'n'),contains(notes,'n'))", 2)
    await reads(`or(${['AND', 'ull', 'ete', '(x)', 'o"h'].map((piece) => `contains(title,'${piece}')`).join(',')})`, 5)
    // Other conditions are combined of sets that are used again.
    await reads(`or(eq(count,7),contains(notes,'(x)'))`, 2)
    for (const [on, one] of [
      [store, table],
      [plain, same],
    ] as const) {
      await updateRecord(on, one.may('update'), 30, new Map([[one.named('mail'), 'anna@example1.com']]))
      await updateRecord(on, one.may('update'), 13, new Map([[one.named('title'), 'nobody']]))
      await createRecord(on, one.may('create'), new Map([[one.named('notes'), 'hello anna']]))
    }
    await reads(typed('anna'), 0)
    assert.deepEqual(faults, [])
  } finally {
    await remove()
    await removePlain()
  }
})

it('records that an index of texts has not as they are now are tested in memory, and by SQL where these are many', async () => {
  const { store, remove, faults } = await scratchStore()
  const { store: plain, remove: removePlain } = await scratchStore({ listedFrom: 1_000_000 })
  try {
    const [table, same] = [await indexedTable(store, 4_000), await indexedTable(plain, 4_000)]
    await table.list(typed('anna'))
    await haveIndexes(store, table)
    const { source } = setPartsOf(store).sets
    const asked: SetQuery[] = []
    const set = source.set.bind(source)
    source.set = async (sets, by, query) => {
      asked.push(await query)
      return set(sets, by, query)
    }
    const areSame = async (filter: string, hows: readonly boolean[]) => {
      asked.length = 0
      const answer = await table.list(filter, '', 20)
      assert.deepEqual(answer, await same.list(filter, '', 20), filter)
      assert.ok(answer.total > 0, filter)
      // Only an index that writes do not update leaves some untested.
      if (!store.db.dialect.shared)
        assert.deepEqual(
          asked.map(({ untested }) => untested !== undefined),
          hows,
          filter,
        )
    }
    const onBoth = async (change: (on: Store, one: IndexedTable) => Promise<unknown>) => {
      await change(store, table)
      await change(plain, same)
    }
    for (let n = 0; n < 30; n++)
      await onBoth(async (on, one) => {
        await updateRecord(on, one.may('update'), 100 + n, new Map([[one.named('mail'), `anna${n}@example1.com`]]))
        await updateRecord(on, one.may('update'), 200 + n, new Map([[one.named('title'), n % 2 === 0 ? 'nobody' : `d'arc ${n}`]]))
        await createRecord(on, one.may('create'), new Map([[one.named('notes'), `hello anna ${n}`]]))
        if (n % 5 === 0) await deleteRecord(on, one.may('delete'), 300 + n)
      })
    for (const piece of ["d''arc", 'anna1', 'anna 2', 'nobody']) await areSame(typed(piece), [true])
    await areSame("contains(title,'arc')", [true])
    await onBoth((_, one) => one.fill(2_100))
    await areSame(typed('anna2'), [true, false])
    assert.deepEqual(faults, [])
  } finally {
    await remove()
    await removePlain()
  }
})

it('a piece beside terms that leave few records is looked for among these alone, also where an index of texts has not all of them', async () => {
  const { store, remove, faults } = await scratchStore()
  const { store: plain, remove: removePlain } = await scratchStore({ listedFrom: 1_000_000 })
  try {
    const [table, same] = [await indexedTable(store, 4_000), await indexedTable(plain, 4_000)]
    await table.list(typed('anna'))
    await haveIndexes(store, table)
    const { source } = setPartsOf(store).sets
    const asked: string[] = []
    const set = source.set.bind(source)
    source.set = async (sets, by, query) => {
      asked.push(render((await query).ids, store.db.dialect.placeholder).text)
      return set(sets, by, query)
    }
    // Only an index that writes do not update tells candidates.
    const isNarrow = !store.db.dialect.shared
    /** `are`: of each read, whether it is of the few records alone. */
    const areSame = async (filter: string, are: readonly boolean[]) => {
      asked.length = 0
      const answer = await table.list(filter, '', 20)
      assert.deepEqual(answer, await same.list(filter, '', 20), filter)
      assert.ok(answer.total > 0, filter)
      const few = /json_each|id = ANY/
      assert.deepEqual(
        asked.map((text) => few.test(text)),
        are,
        filter,
      )
    }
    const onBoth = async (change: (on: Store, one: IndexedTable) => Promise<unknown>) => {
      await change(store, table)
      await change(plain, same)
    }
    const won = (piece: string) => `and(eq(stage,'won'),${typed(piece)})`
    await areSame("eq(stage,'won')", [false])
    await areSame(won('anna 1'), [isNarrow])
    await areSame(won('anna 1'), [])
    if (isNarrow) await areSame(typed('anna 1'), [false])
    await areSame(`and(lt(count,90),${typed('anna 1')})`, [true])
    await areSame(won('example6'), [isNarrow])
    // What the index finds is compared with the few first.
    assert.equal(/MATCH .* AS perhaps WHERE/s.test(asked[0]!), isNarrow)
    await onBoth(async (on, one) => {
      await updateRecord(on, one.may('update'), 107, new Map([[one.named('mail'), 'anna@example6.com']]))
      await updateRecord(on, one.may('update'), 102, new Map([[one.named('title'), 'nobody']]))
      await deleteRecord(on, one.may('delete'), 112)
      for (const stage of ['won', 'lost'])
        await createRecord(
          on,
          one.may('create'),
          new Map(
            [
              ['notes', 'anna 2 example6'],
              ['stage', stage],
            ].map(([field, value]) => [one.named(field!), value!]),
          ),
        )
    })
    await areSame(won('example6'), [])
    for (const piece of ['anna 2', 'nobody', "d''arc"]) await areSame(won(piece), [isNarrow])
    // Two that are not known are read one by one, and what is not wanted has no candidates.
    await areSame(`and(eq(stage,'won'),contains(mail,'example16'),contains(title,'hara'))`, [false, false])
    await areSame(`and(eq(stage,'won'),not(contains(mail,'example11')))`, [false])
    assert.deepEqual(faults, [])
  } finally {
    await remove()
    await removePlain()
  }
})
