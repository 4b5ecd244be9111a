import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { sql } from '../../src/sql/sql.ts'
import { operator } from '../../src/store/catalogue/administrator.ts'
import { sharedBatch } from '../../src/store/changes/batches.ts'
import { localChangeLog } from '../../src/store/changes/change-log.ts'
import type { Ledger } from '../../src/store/ground/db.ts'
import type { Store } from '../../src/store/ground/store.ts'
import { grant, type Caller } from '../../src/store/model/access.ts'
import { createRecord } from '../../src/store/records/write-records.ts'
import { createField } from '../../src/store/structure/fields.ts'
import { createTable } from '../../src/store/structure/tables.ts'
import { undoBatch } from '../../src/store/undo/undo-batch.ts'
import { scratchInstallation } from '../support/scratch-store.ts'

describe('a batch whose first transaction was undone', () => {
  const clock = { environment: { now: () => Date.UTC(2024, 4, 1) }, settings: { timeZone: 'UTC' } }
  /** The ledger of the thread that serves, and that of the thread of an import: they share nothing in memory. */
  const logs = [localChangeLog(clock), localChangeLog(clock)] as const
  const [serving, importing] = logs
  let writing = serving
  /** As a full disk does, which ends a transaction when all is written. */
  let refuses: Error | undefined
  const ledgers: Ledger[] = [
    {
      images: true,
      beforeCommit: (...given) => writing.beforeCommit(...given),
      undone: () => writing.undone?.(),
      afterCommit: () => {},
    },
    {
      async beforeCommit() {
        if (refuses) throw refuses
      },
      afterCommit: () => {},
    },
  ]
  let store: Store
  let remove: () => Promise<void>
  let table: number
  let field: string
  before(async () => {
    const installation = await scratchInstallation({}, { engine: 'sqlite', ledgers })
    store = await installation.open()
    remove = installation.remove
    table = await createTable(store, operator, { title: 'Deals' })
    field = `f${await createField(store, operator, { tableId: table, title: 'Title', typeName: 'text' })}`
  })
  after(async () => {
    await store.close()
    await remove()
  })

  const create = async (log: Ledger, caller: Caller, title: string) => {
    writing = log
    return (await createRecord(store, grant('create', table, caller, store.catalogue()), new Map([[field, title]]))).id
  }
  const live = async () => (await store.db.read(sql`SELECT f1 FROM data1 ORDER BY id`))[0]!.map(([title]) => title)

  it('does not get a change of somebody else, who was given its position by another thread', async () => {
    const by: Caller = { ...operator, door: 'import', batch: sharedBatch() }
    refuses = new Error('The disk is full.')
    await assert.rejects(create(importing, by, 'undone'), refuses)
    refuses = undefined
    await create(serving, { ...operator, userId: 1 }, 'of somebody else')
    await create(importing, by, 'one of the import')
    await create(importing, by, 'two of the import')
    const batch = by.batch!.id[0]!
    const [rows] = await store.db.read(sql`SELECT user_id FROM changes WHERE batch_id = ${batch}`)
    assert.deepEqual(
      rows!.map(([user]) => user),
      [0, 0],
    )
    await undoBatch(store, { ...operator }, batch)
    assert.deepEqual(await live(), ['of somebody else'])
  })

  it('is not forgotten where it was committed, and another transaction failed before it had changed anything', async () => {
    const by: Caller = { ...operator, door: 'import', batch: sharedBatch() }
    await create(serving, by, 'one')
    const begun = by.batch!.id[0]
    // As the engine ends a transaction for which the disk has no room.
    const failing = store.db.write(async (tx) => {
      await tx.run(sql`ROLLBACK`)
      throw new Error('The disk is full.')
    })
    await assert.rejects(failing, /The disk is full/)
    await create(serving, by, 'two')
    assert.equal(by.batch!.id[0], begun)
    await undoBatch(store, { ...operator }, begun!)
    assert.deepEqual(await live(), ['of somebody else'])
  })
})
