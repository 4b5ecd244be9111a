import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { Missing } from '../../../src/store/sets/missing.ts'
import { createRecord, deleteRecord, updateRecord } from '../../../src/store/records/write-records.ts'
import { indexedTable } from '../../support/indexed-table.ts'
import { setPartsOf } from '../../support/list-parts.ts'
import { scratchStore } from '../../support/scratch-store.ts'
import { until } from '../../support/until.ts'

it('many ranges of a field are found in its order, also where another term leaves few records', async () => {
  const { store, remove, faults } = await scratchStore()
  try {
    const table = await indexedTable(store, 3_000)
    const read = () => store.pages.figures()!.read
    const ask = (amount: number) => table.list(`and(eq(stage,'won'),gt(amount,${amount}))`)
    await table.list("eq(stage,'won')")
    const { order, set } = read()
    for (let n = 0; n < 5; n++) await ask(1_000 + n)
    assert.ok(read().set > set, 'the first ones are read')
    await until('that the order is read', () => read().order > order)
    await setPartsOf(store).sets.idle()
    await ask(2_000)
    const before = read()
    const lists = []
    for (let n = 0; n < 5; n++) lists.push(await ask(2_100 + n))
    assert.deepEqual(read(), before)
    assert.ok(lists.every(({ total }) => total > 0))
    assert.deepEqual(faults, [])
  } finally {
    await remove()
  }
})

it('a range is kept as a set only if it is asked again and again, what the other terms leave sooner', async () => {
  const { store, remove, faults } = await scratchStore()
  try {
    const table = await indexedTable(store, 3_000)
    for (let n = 0; n < 4; n++) await table.list(`gt(amount,${100 + n})`)
    await until('that the order is read', () => store.pages.figures()!.read.order > 0)
    await setPartsOf(store).sets.idle()
    const kept = async (filter: string) => {
      const { total } = await table.list(filter)
      assert.ok(total > 0)
      return store.pages.figures()!.kept.filter
    }
    const times = async (filter: string) => [
      await kept(filter),
      await kept(filter),
      await kept(filter),
      await kept(filter),
      await kept(filter),
    ]
    assert.deepEqual(await times('gt(amount,300)'), [0, 0, 0, 0, 1])
    const others = "eq(stage,'won'),eq(flag,1)"
    for (const alone of ["eq(stage,'won')", 'eq(flag,1)']) await table.list(alone)
    assert.deepEqual([await kept(`and(${others},gt(amount,301))`), await kept(`and(${others},gt(amount,302))`)], [1, 2])
    // Of few records it is made as a set anyway.
    assert.deepEqual(await times(`and(${others},gt(amount,303))`), [2, 3, 3, 3, 3])
    assert.deepEqual(faults, [])
  } finally {
    await remove()
  }
})

it('what is not known is tested for the records of a range, where these are few', async () => {
  const { store, remove, faults } = await scratchStore()
  try {
    const table = await indexedTable(store, 3_000)
    for (let n = 0; n < 4; n++) await table.list(`gt(amount,${4_800 + n})`)
    await until('that the order is read', () => store.pages.figures()!.read.order > 0)
    const { sets } = setPartsOf(store)
    await sets.idle()
    const [read, missing]: [typeof sets.read, Missing[]] = [sets.read.bind(sets), []]
    sets.read = (of, its, one, by) => (missing.push(one), read(of, its, one, by))
    const { total } = await table.list("and(gte(amount,4900),ends_with(phone,'5'))")
    assert.equal(missing.length, 1)
    assert.ok(total > 0 && missing[0]!.among!.size >= total && missing[0]!.among!.size < 200)
    assert.deepEqual(faults, [])
  } finally {
    await remove()
  }
})

/** So many that pages in the middle are not looked for from the beginning. */
const RECORDS = 8_000

it('any page of a range in the order of another field is that of SQL, while records change', async () => {
  const { store, remove, faults } = await scratchStore()
  const { store: plain, remove: removePlain } = await scratchStore({ listedFrom: 1_000_000 })
  try {
    const [table, same] = [await indexedTable(store, RECORDS), await indexedTable(plain, RECORDS)]
    const both = [
      { on: store, table },
      { on: plain, table: same },
    ]
    for (const sort of ['title', '-count']) await table.list(undefined, sort, RECORDS / 2)
    for (let n = 0; n < 40; n++) {
      const [id, amount] = [1 + ((n * 137) % 7_900), ((n * 701) % 9_000) - 500]
      for (const { on, table: one } of both) {
        const values = new Map([
          [one.named('amount'), String(amount)],
          [one.named('title'), `t ${(n * 7) % 11}`],
        ])
        await updateRecord(on, one.may('update'), id, values)
        if (n % 5 === 0) await createRecord(on, one.may('create'), values)
        if (n % 7 === 0) await deleteRecord(on, one.may('delete'), 7_950 + (n % 50)).catch(() => undefined)
      }
      const bound = 2_100 + ((n * 97) % 800)
      const sort = n % 2 === 0 ? 'title' : '-count'
      for (const [filter, offset] of [
        [`gt(amount,${bound})`, 2_200],
        [`lte(amount,${bound})`, 2_200],
        [`between(amount,${bound},${bound + 1_200})`, 1_100],
      ] as const)
        for (const from of [offset + ((n * 13) % 300), offset - 1_000])
          assert.deepEqual(await table.list(filter, sort, from), await same.list(filter, sort, from), `${filter} by ${sort} from ${from}`)
      // Beside other terms, without an end, with two of them, and of the same field.
      for (const filter of [
        `and(eq(stage,'won'),gt(amount,${bound}))`,
        `and(gte(amount,${bound}),ne(flag,1),gt(count,${bound % 900}))`,
        `and(gte(amount,${bound}),gt(count,${bound % 900}))`,
        `and(gt(amount,${bound}),lt(amount,${bound + 500}),eq(flag,1))`,
        `not(and(eq(stage,'won'),gte(amount,${bound}),not(gt(count,${bound % 900}))))`,
      ])
        for (const [by, from] of [
          [sort, 20],
          [undefined, 20],
          [undefined, 300],
          ['-id', 100],
        ] as const)
          assert.deepEqual(await table.list(filter, by, from), await same.list(filter, by, from), `${filter} by ${by} from ${from}`)
    }
    assert.ok(store.pages.figures()!.kept.counts > 0)
    assert.deepEqual(faults, [])
  } finally {
    await remove()
    await removePlain()
  }
})
