import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { importLines } from '../../src/transfer/import-lines.ts'
import type { Plan } from '../../src/transfer/plan.ts'
import { readCsv } from '../../src/transfer/read-csv.ts'
import { operator } from '../../src/store/catalogue/administrator.ts'
import type { Transaction, WriteOptions } from '../../src/store/ground/db.ts'
import type { Store } from '../../src/store/ground/store.ts'
import { createField } from '../../src/store/structure/fields.ts'
import { createTable } from '../../src/store/structure/tables.ts'
import { scratchStore } from '../support/scratch-store.ts'

/*
 * A write waits for the batch of lines that an import has in hand. So a batch is as many lines as are written in some 25 ms, by the clock of
 * the store, and few of long lines. Here the clock moves with each line that is written.
 */

const LINES = 4_000

/** Imports lines, each of which takes so many milliseconds; the number of lines of each batch. */
async function batchesOf(lines: number, length: number, milliseconds: (line: number) => number): Promise<number[]> {
  const { store, clock, remove } = await scratchStore()
  try {
    const tableId = await createTable(store, operator, { title: 'Lines' })
    const attribute = `f${await createField(store, operator, { tableId, title: 'Text', typeName: 'longtext' })}`
    const batches: number[] = []
    let written = 0
    const write = <T>(work: (tx: Transaction) => Promise<T>, options?: WriteOptions) =>
      store.db.write((tx) => {
        const insert: Transaction['insert'] = (table, columns, rows) => {
          batches.push(rows.length)
          for (let i = 0; i < rows.length; i++) clock.now += milliseconds(written++)
          return tx.insert(table, columns, rows)
        }
        return work({ ...tx, insert })
      }, options)
    const slow: Store = { ...store, db: { ...store.db, write } as Store['db'] }
    const file = async function* () {
      yield Buffer.from(`text\n${Array.from({ length: lines }, (_, i) => `${i} `.padEnd(length, 'x')).join('\n')}\n`)
    }
    const csv = await readCsv(file(), { encoding: 'utf-8' })
    const plan = { tableId, width: 1, nothing: '', columns: [{ header: 'text', index: 0, attribute }] }
    const nothing = async () => {}
    const { imported, stopped } = await importLines(slow, operator, plan, csv, nothing, nothing, nothing)
    assert.equal(stopped, undefined)
    assert.equal(imported, lines)
    return batches
  } finally {
    await remove()
  }
}

describe('the batches of an import', () => {
  it('are many lines where these are written fast', async () => {
    const batches = await batchesOf(LINES, 10, (line) => (line % 100 === 0 ? 1 : 0))
    assert.ok(batches[0]! <= 50, `${batches[0]} lines at first`)
    assert.equal(Math.max(...batches), 500)
    assert.ok(batches.length < 30, `${batches.length} batches`)
  })

  it('are few lines where these are written slowly', async () => {
    const batches = await batchesOf(LINES, 10, () => 1)
    assert.ok(batches[0]! <= 50, `${batches[0]} lines at first`)
    const rest = batches.slice(8, -1)
    assert.ok(Math.max(...rest) <= 50 && Math.min(...rest) >= 12, rest.join())
  })

  it('become smaller as soon as lines take longer', async () => {
    const batches = await batchesOf(LINES + 2_000, 10, (line) => (line < LINES ? 0 : 2))
    assert.equal(Math.max(...batches), 500)
    // Four batches were made before the first slow one was written.
    const slow = batches.findIndex((_, i) => batches.slice(0, i).reduce((all, one) => all + one, 0) >= LINES)
    const rest = batches.slice(slow + 8)
    assert.ok(rest.length > 10 && Math.max(...rest) <= 25, batches.join())
  })

  it('have few lines where these are long', async () => {
    const batches = await batchesOf(200, 60_000, () => 0)
    assert.ok(Math.max(...batches) <= 4, batches.join())
  })

  it('may be small: options that a column of a list lacks are made for five hundred lines at once', async () => {
    const { store, clock, remove } = await scratchStore()
    try {
      const tableId = await createTable(store, operator, { title: 'Lines' })
      const field = await createField(store, operator, { tableId, title: 'Kind', typeName: 'list', options: [{ label: 'known' }] })
      const write = <T>(work: (tx: Transaction) => Promise<T>, options?: WriteOptions) => {
        clock.now += 1_000
        return store.db.write(work, options)
      }
      const slow: Store = { ...store, db: { ...store.db, write } as Store['db'] }
      const csv = await readCsv(one(`kind\n${Array.from({ length: 1_200 }, (_, i) => `kind ${i}`).join('\n')}\n`), { encoding: 'utf-8' })
      const plan = { tableId, width: 1, nothing: '', columns: [{ header: 'kind', index: 0, attribute: `f${field}`, listType: 'list' }] }
      const asked: number[] = []
      const nothing = async () => {}
      await importLines(slow, operator, plan as Plan, csv, nothing, nothing, async (_, labels) => void asked.push(labels.length))
      assert.deepEqual(asked, [500, 500, 200])
    } finally {
      await remove()
    }
  })
})

async function* one(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text)
}
