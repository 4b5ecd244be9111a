import assert from 'node:assert/strict'
import { join } from 'node:path'
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
import { connect, rendered } from '../../src/store/sqlite/connection.ts'
import { gramsOf } from '../../src/sql/grams.ts'
import { scratchStore } from '../support/scratch-store.ts'

/*
 * Writes wait for each step of a text index: a step takes a bounded number of bytes of texts, however many records they are, and parts of the
 * index are merged in steps of their own, never while records are taken in. How frequent grams are is counted while others write.
 */

const LONG = 100_000

async function tableOfTexts(store: Store) {
  const id = await createTable(store, operator, { title: 'Texts' })
  const field = `f${await createField(store, operator, { tableId: id, title: 'Notes', typeName: 'longtext' })}`
  const may = () => grant(['create', 'update', 'bulk'], id, operator, store.catalogue())
  /** A word that no other text has, so that there is something to merge. */
  const text = (n: number, length: number) => `word${n} `.repeat(Math.ceil(length / 6)).slice(0, length)
  const fill = (texts: readonly string[]) =>
    insertRecords(
      store,
      may(),
      texts.map((one) => new Map([[field, one]])),
    )
  return { id, field, may, text, fill }
}

interface Aside {
  writeAside(statements: () => Promise<readonly Sql[]>): Promise<number>
  prepareAside(statements: readonly Sql[]): Promise<void>
}
const asideOf = ({ db }: Store): Aside => db as unknown as Aside

/** How far the index has come after each step. */
function stepsOf(store: Store, covered: () => Promise<number>): number[] {
  const steps: number[] = []
  const db = asideOf(store)
  const writeAside = db.writeAside
  db.writeAside = async (statements) => {
    const milliseconds = await writeAside(statements)
    steps.push(await covered())
    return milliseconds
  }
  return steps
}

/**
 * Makes indexes through a connection of the test's own, and tells of how many characters each step made grams: `held` while writes wait,
 * `beside` while they do not. Each step says that it took as long as it should.
 */
function charactersOf(store: Store, directory: string) {
  const connection = connect(join(directory, 'kartoteka.sqlite'))
  let characters = 0
  connection.function('grams', { deterministic: true, varargs: true }, (text, without = '') => {
    characters += String(text).length + String(without).length
    return gramsOf(String(text), String(without))
  })
  const perform = (begin: string, statements: readonly Sql[]): number => {
    characters = 0
    connection.exec(begin)
    for (const { text, params } of statements.map(rendered)) {
      const statement = connection.prepare(text)
      if (statement.reader) statement.all(...params)
      else statement.run(...params)
    }
    connection.exec('COMMIT')
    return characters
  }
  const [held, beside]: [number[], number[]] = [[], []]
  const db = asideOf(store)
  db.writeAside = async (statements) => {
    held.push(perform('BEGIN IMMEDIATE', await statements()))
    return 40
  }
  db.prepareAside = async (statements) => void beside.push(perform('BEGIN', statements))
  return { held, beside, close: () => connection.close() }
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0)

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
      // The first makes the index, the second has it know what is frequent, the third takes one text, which is more than the bytes of a first step.
      assert.deepEqual(covered.slice(0, 4), [0, 0, 1, 2])
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
      // Each step leaves a part, and there are more steps than that: so parts were merged, down to as many as may stay, 16. The step after that
      // may leave some: FTS5 begins another part where an id is not above the last one, as for a changed record.
      assert.ok(covered.length > 20, `${covered.length} steps`)
      assert.ok(most > 2 && most <= 20, `${most} parts`)
      for await (const finding of checkIntegrity(store)) assert.fail(finding)
    } finally {
      await remove()
    }
  })

  for (const { title, records, length, most } of [
    { title: 'many', records: 400, length: 1_000, most: 400_000 },
    { title: 'long', records: 24, length: 80_000, most: 16 * 80_000 },
  ])
    it(`are short where a table has ${title} texts: what is frequent is counted in a sample of few bytes, while others write`, async () => {
      const { store, directory, remove } = await scratchStore()
      try {
        const { id, field, text, fill } = await tableOfTexts(store)
        await fill(Array.from({ length: records }, (_, n) => text(n, length)))
        const { held, beside, close } = charactersOf(store, directory)
        await createIndex(store, operator, { tableId: id, attribute: field, kind: 'text' })
        await store.indexes.idle()
        close()
        assert.equal(sum(held), records * length)
        assert.ok(Math.max(...held) <= Math.max(length, 32_768), `${Math.max(...held)} characters in one step`)
        assert.equal(sum(beside), most)
        assert.ok(Math.max(...beside) <= most / 10, `${Math.max(...beside)} characters at once`)
        const [counted] = await store.db.read(sql`SELECT records FROM ${name(`data${id}_${field}_text_counts`)} WHERE gram = ''`)
        assert.equal(Number(counted![0]![0]), most / length)
      } finally {
        await remove()
      }
    })

  it('do not wait for writes to know what is frequent, and find it out again where the thread that did has ended', async () => {
    const { store, directory, remove } = await scratchStore()
    const other = connect(join(directory, 'kartoteka.sqlite'))
    try {
      const { id, field, text, fill } = await tableOfTexts(store)
      await fill(Array.from({ length: 100 }, (_, n) => text(n, 100)))
      const db = asideOf(store)
      const prepareAside = db.prepareAside
      let times = 0
      db.prepareAside = async (statements) => {
        // Of the first time, everything is lost.
        if (times++ < 18) return
        other.exec('BEGIN IMMEDIATE')
        await prepareAside(statements)
        other.exec('ROLLBACK')
      }
      await createIndex(store, operator, { tableId: id, attribute: field, kind: 'text' })
      await store.indexes.idle()
      assert.equal(times, 36)
      const [counted] = await store.db.read(
        sql`SELECT gram, records FROM ${name(`data${id}_${field}_text_counts`)} WHERE gram IN ('', '.') ORDER BY gram`,
      )
      assert.deepEqual(
        counted!.map(([gram, records]) => [gram, Number(records)]),
        [
          ['', 100],
          ['.', 100],
        ],
      )
    } finally {
      other.close()
      await remove()
    }
  })
})
