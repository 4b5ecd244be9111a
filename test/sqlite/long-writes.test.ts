import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { operator } from '../../src/store/catalogue/administrator.ts'
import { grant } from '../../src/store/model/access.ts'
import { createRecord, updateRecord } from '../../src/store/records/write-records.ts'
import { createField } from '../../src/store/structure/fields.ts'
import { createTable } from '../../src/store/structure/tables.ts'
import { scratchInstallation } from '../support/scratch-store.ts'

/* To write a text of a million characters takes tens of milliseconds, and so does its answer: others have their turn between the two. */

describe('between a write and its answer', () => {
  it('others have their turn where a text is long, and only there', async () => {
    let commits = 0
    /** The last commit after which others had their turn. */
    let turned = 0
    const afterCommit = () => {
      const commit = ++commits
      setImmediate(() => (turned = commit))
    }
    const { open, remove } = await scratchInstallation({}, { engine: 'sqlite', ledgers: [{ beforeCommit: async () => {}, afterCommit }] })
    const store = await open()
    try {
      const tableId = await createTable(store, operator, { title: 'Texts' })
      const field = `f${await createField(store, operator, { tableId, title: 'Notes', typeName: 'longtext' })}`
      const turnsOf = async (write: () => Promise<unknown>) => {
        await write()
        return turned === commits
      }
      const may = () => grant(['create', 'update'], tableId, operator, store.catalogue())
      for (const [text, isLong] of [
        ['ё'.repeat(1_000), false],
        ['ё'.repeat(500_000), true],
      ] as const) {
        assert.equal(await turnsOf(() => createRecord(store, may(), new Map([[field, text]]))), isLong)
        assert.equal(await turnsOf(() => updateRecord(store, may(), 1, new Map([[field, `${text}!`]]))), isLong)
      }
    } finally {
      await store.close()
      await remove()
    }
  })
})
