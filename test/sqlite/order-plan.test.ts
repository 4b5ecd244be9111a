import assert from 'node:assert/strict'
import { it } from 'node:test'
import { parseSort } from '../../src/filter/sort.ts'
import { sqlite } from '../../src/sql/sqlite.ts'
import { name, sql } from '../../src/sql/sql.ts'
import { idsInOrder } from '../../src/store/sets/set-queries.ts'
import { recordsOf } from '../../src/store/model/catalogue.ts'
import { makeTable } from '../support/scene.ts'
import { startService } from '../support/service.ts'

it('an order goes along the index of its field, also with the id behind it; with a further field it is sorted from one pass', async () => {
  const service = await startService()
  try {
    const { id, f } = await makeTable(service, 'Deals', { pieces: 'integer', title: 'text' })
    const { store } = service
    const table = store.catalogue().tables.get(Number(id))!
    const records = name(recordsOf(table.id))
    await store.db.write((tx) => tx.run(sql`CREATE INDEX deals_by_pieces ON ${records} (${name(table.attributes.get(f.pieces)!.column)})`))
    // A plan is explained by what the connection knew of the structure last: another read learns of the index.
    await store.db.read(sql`SELECT count(*) FROM ${records}`)
    const planOf = async (sort: string) => {
      const [rows] = await store.db.read(sql`EXPLAIN QUERY PLAN ${idsInOrder(table, parseSort(sort, table.attributes), sqlite)}`)
      return rows!.map((row) => String(row[3])).join('\n')
    }
    for (const sort of [f.pieces, `-${f.pieces}`, `${f.pieces},id`, `${f.pieces},-id`]) {
      const plan = await planOf(sort)
      assert.match(plan, /COVERING INDEX deals_by_pieces/, sort)
      // Of the ids alone, where those of one value are in the other order.
      assert.doesNotMatch(plan, /TEMP B-TREE FOR ORDER BY/, sort)
    }
    for (const sort of [`${f.pieces},${f.title}`, `${f.pieces},id,${f.title}`]) {
      const plan = await planOf(sort)
      assert.doesNotMatch(plan, /INDEX/, sort)
      assert.match(plan, /TEMP B-TREE FOR ORDER BY/, sort)
    }
  } finally {
    await service.close()
  }
})
