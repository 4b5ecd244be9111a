import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { name, render, sql } from '../../src/sql/sql.ts'
import type { Store } from '../../src/store/ground/store.ts'
import { pages } from '../../src/store/lists/pages.ts'
import { recordsOf } from '../../src/store/model/catalogue.ts'
import { createRecord, deleteRecord, updateRecord } from '../../src/store/records/write-records.ts'
import type { SetSource } from '../../src/store/sets/set-source.ts'
import * as fc from '../support/fast-check.ts'
import { indexedTable, type IndexedTable } from '../support/indexed-table.ts'
import { setPartsOf } from '../support/list-parts.ts'
import { scratchInstallation } from '../support/scratch-store.ts'

/* Orders by several keys that are made of the order by the further ones and the column of the first, while another process writes. */

const RECORDS = 900
const RUNS = 12

const values = {
  title: ['anna', 'Ёлка', 'zz', ''],
  amount: ['-12.75', '', '0.01', '-0.01', '99999.99', '-7000000000.5'],
  count: ['-5', '', '17', '70000', '-3000000000'],
  stage: ['Won', 'Open', ''],
  due: ['', '1999-12-31', '9999-12-31', '0001-01-01'],
  flag: ['0', '1', ''],
} as const

const act = fc.record({
  does: fc.constantFrom('create', 'update', 'update', 'update', 'delete'),
  id: fc.integer({ min: 1, max: RECORDS }),
  field: fc.constantFrom(...(Object.keys(values) as (keyof typeof values)[])),
  value: fc.nat(5),
})

interface Asked {
  readonly filter?: string | undefined
  readonly sort: string
  readonly offset: number
}

async function scene(settings: Parameters<typeof scratchInstallation>[0]) {
  const installation = await scratchInstallation(settings)
  const [reading, writing] = [await installation.open(), await installation.open()]
  const table = await indexedTable(writing, RECORDS)
  const [amount, owner] = [name(table.named('amount')), name(table.named('owner'))]
  // Also below zero, and of people.
  await writing.db.write((tx) =>
    tx.run(sql`UPDATE ${name(recordsOf(table.id))} SET ${amount} = ${amount} * (id % 3 - 1), ${owner} = id % 7`),
  )
  await reading.catchUp!()
  const { sets, bySql, indexes } = setPartsOf(reading)
  const list = ({ filter, sort, offset }: Asked, on: Pick<Store, 'pages'> = reading) => table.list(filter, sort, offset, on)
  /** Returns how many orders and columns were read for it, and how many lists SQL answered. */
  async function mustBeRight(sort: string, filter?: string) {
    const before = reading.pages.figures()!
    for (const offset of [0, 191, 500, 880]) {
      const asked = { filter, sort, offset }
      assert.deepEqual(await list(asked), await list(asked, { pages: pages(reading, bySql) }), JSON.stringify(asked))
    }
    const { read, answered } = reading.pages.figures()!
    return { orders: read.order - before.read.order, columns: read.column - before.read.column, sql: answered.sql - before.answered.sql }
  }
  return {
    table,
    writing,
    sets,
    list,
    mustBeRight,
    faults: installation.faults,
    verify: async () => {
      for (let i = 0; i < 12; i++) await reading.pages.verify()
    },
    forget: () => sets.forget(table.id),
    /** From now on, an index seems to be there that has the order by an attribute, as that of a large table has. */
    withIndex(field: string) {
      const has = indexes.has.bind(indexes)
      const seems: typeof has = (id, attribute, kind) =>
        attribute === table.named(field) && kind === 'order' ? {} : has(id, attribute, kind)
      Object.assign(indexes, { has: seems })
    },
    async end() {
      await Promise.all([reading, writing].map((store) => store.close()))
      await installation.remove()
    },
  }
}

async function inScene(
  work: (of: Awaited<ReturnType<typeof scene>>) => Promise<void>,
  settings: Parameters<typeof scene>[0] = {},
): Promise<void> {
  const of = await scene(settings)
  try {
    await work(of)
    assert.deepEqual(of.faults, [])
  } finally {
    await of.end()
  }
}

describe('an order by several keys', () => {
  it('is made of that by the further keys and the column of the first, where these are kept', () =>
    inScene(async ({ mustBeRight, verify }) => {
      for (const rest of ['title', '-count', 'mail', 'title,-id']) await mustBeRight(rest)
      const firsts = [
        'stage,title',
        '-stage,mail',
        '-amount,title',
        'due,-count',
        'owner,title,-id',
        '-update_time,mail',
        'flag,stage,title',
      ]
      const columns = [1, 0, 1, 1, 1, 1, 1]
      for (const [i, sort] of firsts.entries()) assert.deepEqual(await mustBeRight(sort), { orders: 0, columns: columns[i], sql: 0 }, sort)
      // The order by the last key is neither kept nor has it an index.
      assert.equal((await mustBeRight('stage,phone')).orders, 1)
      // A text has no column of numbers.
      assert.equal((await mustBeRight('title,mail')).orders, 1)
      await verify()
    }))

  it('is made of an index of the further key, too', () =>
    inScene(async ({ mustBeRight, withIndex, verify }) => {
      withIndex('title')
      assert.deepEqual(await mustBeRight('stage,title', 'gt(count,50)'), { orders: 1, columns: 1, sql: 0 })
      assert.deepEqual(await mustBeRight('-amount,title'), { orders: 0, columns: 1, sql: 0 })
      await verify()
    }))

  it('is read as a whole where that by the further keys cannot be had, which is not tried for each list', () =>
    inScene(async ({ table, sets, mustBeRight, withIndex }) => {
      withIndex('title')
      const { source } = sets
      const { order } = source
      let tries = 0
      source.order = async (of, by, query) => {
        if (!render(query, String).text.includes(`ORDER BY "${table.named('title')}`)) return order.call(source, of, by, query)
        tries++
        return { seen: of.log.end, answer: undefined }
      }
      for (const sort of ['stage,title', '-stage,title', 'due,title', 'flag,title'])
        assert.equal((await mustBeRight(sort, 'gt(count,50)')).orders, sort === 'stage,title' ? 2 : 1)
      assert.equal(tries, 1)
    }))

  it('is read as a whole where there is no room to keep what was made', () =>
    inScene(
      async ({ mustBeRight, withIndex }) => {
        withIndex('title')
        const reads = []
        for (let i = 0; i < 3; i++) reads.push(await mustBeRight('stage,title', 'gt(count,50)'))
        // Of the four pages of the first round, the first one is made of both; then no column is read.
        assert.deepEqual(
          reads.map(({ columns }) => columns),
          [1, 0, 0],
        )
      },
      { listMemory: 0.001 },
    ))

  it('that cannot be read fails for whoever asks, and for nothing else', () =>
    inScene(async ({ table, writing, sets, list, withIndex }) => {
      const unhandled: unknown[] = []
      const hear = (error: unknown) => void unhandled.push(error)
      process.on('unhandledRejection', hear)
      try {
        await list({ sort: 'count', offset: 700 })
        await list({ sort: 'stage,count', offset: 700 })
        // The column of the stage is kept, and has to follow a change of a record that has to be read for that.
        await updateRecord(writing, table.may('update'), 5, new Map([[table.named('stage'), 'Lost']]))
        for (const filter of ["eq(mail,'none')", "eq(phone,'1')"]) await list({ filter, sort: '', offset: 0 })
        withIndex('title')
        sets.source.order = async () => {
          await sleep(100)
          throw new Error('The connection is lost.')
        }
        await assert.rejects(list({ filter: 'gt(count,-5)', sort: 'stage,title', offset: 700 }), /The connection is lost/)
        await sleep(200)
        assert.deepEqual(unhandled, [])
      } finally {
        process.off('unhandledRejection', hear)
      }
    }))

  it('is that of SQL while another process writes, whatever is read late, and whatever was forgotten', () =>
    inScene(async (of) => {
      const { table, writing, sets, mustBeRight, list, forget, verify } = of
      delayed(sets.source)
      await fc.assert(
        fc.asyncProperty(
          fc.constantFrom('title', 'count', '-amount', 'title,-id', 'seen', 'phone'),
          fc.array(fc.constantFrom('flag', '-flag', 'stage', '-stage', 'owner', 'due', '-due', 'update_time', '-add_time'), {
            minLength: 2,
            maxLength: 2,
          }),
          fc.array(act, { minLength: 4, maxLength: 10 }),
          fc.constantFrom(undefined, 'gt(count,100)', "eq(stage,'won')"),
          fc.nat(60),
          async (rest, firsts, acts, filter, pause) => {
            forget()
            await list({ sort: rest, offset: 300 })
            const sorts = firsts.map((first) => `${first},${rest}`)
            let isWriting = true
            const writer = (async () => {
              for (const one of acts) await perform(writing, table, one)
              isWriting = false
            })()
            const readers = sorts.map(async (sort) => {
              for (let i = 0; isWriting; i++) await list({ filter, sort, offset: (i * 97) % RECORDS })
            })
            // In the middle of a read, now and then.
            if (pause < 20) void sleep(pause).then(forget)
            await Promise.all([writer, ...readers])
            for (const sort of sorts) await mustBeRight(sort, filter)
            await verify()
          },
        ),
        { numRuns: RUNS },
      )
    }))
})

async function perform(
  store: Store,
  table: IndexedTable,
  { does, id, field, value }: { readonly does: string; readonly id: number; readonly field: keyof typeof values; readonly value: number },
): Promise<void> {
  const sent = new Map([[table.named(field), values[field][value % values[field].length]!]])
  const gone = (error: { code?: string }) => {
    if (error.code !== 'record.not_found') throw error
  }
  if (does === 'create') await createRecord(store, table.may('create'), sent)
  else if (does === 'update') await updateRecord(store, table.may('update'), id, sent).catch(gone)
  else await deleteRecord(store, table.may('delete'), id).catch(gone)
}

/** Whatever it reads comes some milliseconds later, each time others. */
function delayed(source: SetSource): void {
  let times = 0
  const late = () => sleep((times++ * 7) % 15)
  const { order, column, fetch } = source
  source.order = async (...given) => {
    await late()
    const found = await order.apply(source, given)
    await late()
    return found
  }
  source.column = async (...given) => {
    await late()
    const found = await column.apply(source, given)
    await late()
    return found
  }
  source.fetch = async (...given) => {
    if (times % 3 === 0) await late()
    await fetch!.apply(source, given)
  }
}
