import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { name, sql, type Sql } from '../../src/sql/sql.ts'
import { operator } from '../../src/store/catalogue/administrator.ts'
import type { Store } from '../../src/store/ground/store.ts'
import { grant } from '../../src/store/model/access.ts'
import { insertRecords } from '../../src/store/records/insert-records.ts'
import { updateRecord } from '../../src/store/records/write-records.ts'
import { createIndex } from '../../src/store/indexes/requested-indexes.ts'
import { createField } from '../../src/store/structure/fields.ts'
import { createTable } from '../../src/store/structure/tables.ts'
import { checkIntegrity } from '../../src/store/upkeep/check-integrity.ts'
import { scratchStore } from '../support/scratch-store.ts'

/*
 * Writes wait for each step of a text index: a step takes a bounded number of bytes of texts, however many records they are, and parts of the
 * index are merged in steps of their own, never while records are taken in.
 */

const LONG = 100_000

async function tableOfTexts(store: Store) {
  const id = await createTable(store, operator, { title: 'Texts' })
  const field = `f${await createField(store, operator, { tableId: id, title: 'Notes', typeName: 'longtext' })}`
  const may = () => grant(['create', 'update', 'bulk'], id, operator, store.catalogue())
  /** A word that no other text has, so that there is something to merge. */
  const text = (n: number, length: number) => `word${n} `.repeat(Math.ceil(length / 8)).slice(0, length)
  const fill = (texts: readonly string[]) =>
    insertRecords(
      store,
      may(),
      texts.map((one) => new Map([[field, one]])),
    )
  return { id, field, may, text, fill }
}

/** How far the index has come after each step. */
function stepsOf(store: Store, covered: () => Promise<number>): number[] {
  const steps: number[] = []
  const db = store.db as { -readonly [K in keyof typeof store.db]: (typeof store.db)[K] } & {
    writeAside(statements: () => Promise<readonly Sql[]>): Promise<number>
  }
  const writeAside = db.writeAside
  db.writeAside = async (statements) => {
    const milliseconds = await writeAside(statements)
    steps.push(await covered())
    return milliseconds
  }
  return steps
}

describe('the steps of a text index', () => {
  it('take long texts one by one, and parts of the index are merged apart', async () => {
    const { store, remove } = await scratchStore()
    try {
      const { id, field, may, text, fill } = await tableOfTexts(store)
      const one = async (query: Sql) => Number((await store.db.read(query))[0]![0]![0])
      await fill(Array.from({ length: 12 }, (_, n) => text(n, LONG)))
      const covered = stepsOf(store, () => one(sql`SELECT coalesce(max(covered), 0) FROM indexes WHERE attribute = ${field}`))
      await createIndex(store, operator, { tableId: id, attribute: field, kind: 'text' })
      await store.indexes.idle()
      // The first makes the index, the second takes one text, which is more than the bytes of a first step.
      assert.deepEqual(covered.slice(0, 3), [0, 1, 2])
      assert.equal(covered.at(-1), 12)

      const index = `data${id}_${field}_text`
      const parts = () => one(sql`SELECT count(DISTINCT segid) FROM ${name(`${index}_idx`)}`)
      const settings = (await store.db.read(sql`SELECT k, v FROM ${name(`${index}_config`)} ORDER BY k`))[0]!
      assert.deepEqual(
        settings.filter(([key]) => String(key).endsWith('merge')),
        [
          ['automerge', 0],
          ['crisismerge', 1_999],
          ['usermerge', 2],
        ],
      )
      let most = 0
      for (let round = 0; round < 12; round++) {
        await fill(Array.from({ length: 1_000 }, (_, n) => text(1_000 * round + n, 40)))
        await updateRecord(store, may(), 1 + round, new Map([[field, text(round, 2_000)]]))
        store.indexes.recheck()
        await store.indexes.idle()
        most = Math.max(most, await parts())
      }
      // Each step leaves a part, and there are more steps than that: so parts were merged, down to as many as may stay.
      assert.ok(covered.length > 20, `${covered.length} steps`)
      assert.ok(most > 2 && most <= 17, `${most} parts`)
      for await (const finding of checkIntegrity(store)) assert.fail(finding)
    } finally {
      await remove()
    }
  })
})
