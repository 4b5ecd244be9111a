import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { sql, type Sql } from '../../src/sql/sql.ts'
import { operator } from '../../src/store/catalogue/administrator.ts'
import { createField, deleteField, updateField } from '../../src/store/structure/fields.ts'
import { createRecord } from '../../src/store/records/write-records.ts'
import type { Store } from '../../src/store/ground/store.ts'
import { indexedTable, type IndexedTable } from '../support/indexed-table.ts'
import { scratchInstallation } from '../support/scratch-store.ts'
import { randomOf } from '../support/random.ts'
import { seed } from '../support/seed.ts'

const RECORDS = 3_000

/** What is asked, sorted how, and which index can answer. */
const requests: readonly (readonly [filter: string | undefined, sort: string, index: string])[] = [
  ["eq(title,'anna anna 0')", '', 'title order'],
  ["in(mail,'person7@example7.com','person9@example9.com')", '', 'mail order'],
  ['eq(count,13)', '', 'count order'],
  ['gt(amount,4999)', '', 'amount order'],
  ["between(due,'2012-01-01','2012-02-01')", '', 'due order'],
  ["starts_with(mail,'person77')", '', 'mail order'],
  ["eq(stage,'won')", '', 'stage value'],
  ['is_empty(due)', '', 'due order'],
  [undefined, 'amount', 'amount order'],
  [undefined, '-mail', 'mail order_desc'],
  [undefined, 'stage', 'stage order'],
  ["contains(title,'ёлка')", '', 'title text'],
  ["contains(title,'100%')", '', 'title text'],
  ["ends_with(mail,'19.com')", '', 'mail text'],
  ["has(tags,'deferred')", '', 'tags text'],
  ["contains(notes,'Naïve')", '', 'notes text'],
]

describe('indexes that nobody asked for, made by two nodes over one database', () => {
  let nodes: Store[]
  let store: Store
  let table: IndexedTable
  let remove: () => Promise<void>
  const found: unknown[] = []

  before(async () => {
    const { open, remove: drop } = await scratchInstallation({ listedFrom: 1_000_000 })
    nodes = await Promise.all([open(), open()])
    store = nodes[0]!
    remove = async () => {
      for (const node of nodes) await node.close()
      await drop()
    }
    table = await indexedTable(store, RECORDS)
    await nodes[1]!.catchUp!()
    for (const [filter, sort] of requests) {
      found.push(await table.list(filter, sort))
      await table.list(filter, sort, 0, nodes[1])
    }
  })
  after(() => remove())

  it('are made on first use, once, while records come', async () => {
    let making = true
    const made = Promise.all(nodes.map((node) => node.indexes.idle())).finally(() => (making = false))
    while (making) await createRecord(store, table.may('create'), new Map())
    await made
    assert.deepEqual(new Set(await table.ready()), new Set(requests.map(([, , index]) => table.named(index))))
    const [rows] = await store.db.read(sql`SELECT count(*) FROM pg_index WHERE NOT indisvalid`)
    assert.equal(rows![0]![0], 0)
  })

  it('are not made over texts that may be too long for them, so that whatever is written fits', async () => {
    const long = randomOf(seed).bytes(20_000).toString('hex')
    for (const [filter, sort] of [
      [undefined, 'notes'],
      [undefined, '-notes'],
      ["eq(tags,'Won')", ''],
      ["eq(notes,'x')", 'owners'],
    ] as const)
      await table.list(filter, sort)
    await store.indexes.idle()
    assert.deepEqual(new Set(await table.ready()), new Set(requests.map(([, , index]) => table.named(index))))
    const { id } = await createRecord(store, table.may('create'), new Map([[table.named('notes'), long]]))
    assert.deepEqual(await table.list(`starts_with(notes,'${long.slice(0, 100)}')`), { ids: [id], total: 1 })
  })

  it('change no answer', async () => {
    for (const [i, [filter, sort]] of requests.entries())
      if (filter !== undefined && !filter.startsWith('is_empty')) assert.deepEqual(await table.list(filter, sort), found[i], filter)
  })

  for (const [filter, sort, index] of requests)
    it(`serve ${filter ?? 'all'} sorted by ${sort || 'id'} by ${index}`, async () => {
      const name = `data${table.id}_${table.named(index).replace(' ', '_')}`
      const asked = await table.statementsOf(filter, sort)
      const plans = await explained(asked)
      assert.ok(plans.includes(`"Index Name": "${name}"`) || plans.includes(` ${name}`), plans)
    })

  /** What the planner says where it does not hold a table of a few thousand records for small. */
  const explained = (asked: readonly Sql[]): Promise<string> =>
    store.db.write(async (tx) => {
      // On a busy machine, many records come while the indexes are made: statistics from before would make the plan a matter of chance.
      await tx.run(sql`ANALYZE`)
      await tx.run(sql`SET LOCAL enable_seqscan = off`)
      await tx.run(sql`SET LOCAL enable_incremental_sort = off`)
      await tx.run(sql`SET LOCAL enable_indexonlyscan = off`)
      const lines: string[] = []
      for (const query of asked) for (const [line] of await tx.all(sql`EXPLAIN ${query}`)) lines.push(String(line))
      return lines.join('\n')
    })

  it('follow their fields, whichever node changes them', async () => {
    const field = (title: string) => Number(table.named(title).slice(1))
    await updateField(store, operator, field('count'), { typeName: 'text' } as never, { lossy: true } as never)
    await deleteField(store, operator, field('mail'))
    await createField(store, operator, { tableId: table.id, title: 'more', typeName: 'text', unique: true } as never)
    await nodes[1]!.catchUp!()
    for (const node of nodes) node.indexes.recheck()
    await Promise.all(nodes.map((node) => node.indexes.idle()))
    const [rows] = await store.db.read(
      sql`SELECT indexname FROM pg_indexes WHERE indexname LIKE ${`data${table.id}\\_${table.named('mail')}\\_%`}`,
    )
    assert.deepEqual(rows, [])
    assert.equal((await table.list("eq(count,'13')")).total, (found[2] as { total: number }).total)
  })
})
