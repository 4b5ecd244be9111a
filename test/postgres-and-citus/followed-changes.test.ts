import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { operator } from '../../src/store/catalogue/administrator.ts'
import { BEGINNING, followChanges } from '../../src/store/changes/follow-changes.ts'
import type { Db } from '../../src/store/ground/db.ts'
import type { Store } from '../../src/store/ground/store.ts'
import { grant } from '../../src/store/model/access.ts'
import { createRecord, updateRecord } from '../../src/store/records/write-records.ts'
import { createField } from '../../src/store/structure/fields.ts'
import { createTable } from '../../src/store/structure/tables.ts'
import { scratchInstallation } from '../support/scratch-store.ts'

type Write = Db['write']

describe('the log of changes of two processes', () => {
  let remove: () => Promise<void>
  let one: Store
  let other: Store
  let table: number
  let field: string
  before(async () => {
    const installation = await scratchInstallation()
    ;[one, other] = [await installation.open(), await installation.open()]
    remove = installation.remove
    table = await createTable(one, operator, { title: 'Deals' })
    field = `f${await createField(one, operator, { tableId: table, title: 'Title', typeName: 'text' })}`
    await other.catchUp?.()
  })
  after(async () => {
    await one.close()
    await other.close()
    await remove()
  })

  const may = (store: Store) => grant(['create', 'update'], table, operator, store.catalogue())
  const create = async (store: Store, title: string) => (await createRecord(store, may(store), new Map([[field, title]]))).id
  const follow = (after: number) => followChanges(other, operator, { after, limit: 50, filter: undefined })
  const titlesIn = ({ changes }: Awaited<ReturnType<typeof follow>>) => changes.map(({ changes: shown }) => shown?.[field]?.to)

  /** Begins to create a record, and stops in its transaction when all is written but the COMMIT. */
  async function heldCreate(title: string): Promise<{ commit(): Promise<unknown> }> {
    const told = Promise.withResolvers<void>()
    const may_ = Promise.withResolvers<void>()
    const write: Write = (work, options) =>
      one.db.write(async (tx) => {
        const result = await work({ ...tx, changed: (change) => void pending.push(change) })
        // Its log row takes its position here, before the others commit.
        await tx.changedNow(pending)
        told.resolve()
        await may_.promise
        return result
      }, options)
    const pending: Parameters<Parameters<Parameters<Write>[0]>[0]['changed']>[0][] = []
    const held = { ...one, db: { ...one.db, write } }
    const done = createRecord(held, grant('create', table, operator, one.catalogue()), new Map([[field, title]]))
    await told.promise
    return {
      commit: () => {
        may_.resolve()
        return done
      },
    }
  }

  it('skips no change that is committed late, and shows none twice', async () => {
    const { cursor } = await follow(BEGINNING)
    const late = await heldCreate('late')
    const early = await create(other, 'early')
    const meanwhile = await follow(cursor)
    // What was committed after the transaction that is still open had begun waits for it.
    assert.deepEqual(titlesIn(meanwhile), [])
    await late.commit()
    const all = await follow(meanwhile.cursor)
    assert.deepEqual(titlesIn(all), ['late', 'early'])
    assert.deepEqual(titlesIn(await follow(all.cursor)), [])
    await updateRecord(other, may(other), early, new Map([[field, 'changed']]))
    assert.deepEqual(titlesIn(await follow(all.cursor)), ['changed'])
  })

  it('has the changes of a record in the order in which they were made, whoever made them', async () => {
    const { cursor } = await follow(BEGINNING)
    let at = cursor
    for (;;) {
      const next = (await follow(at)).cursor
      if (next === at) break
      at = next
    }
    const id = await create(one, '0')
    for (let i = 1; i <= 20; i++) await updateRecord(i % 2 === 0 ? one : other, may(i % 2 === 0 ? one : other), id, new Map([[field, String(i)]]))
    assert.deepEqual(
      titlesIn(await follow(at)),
      Array.from({ length: 21 }, (_, i) => String(i)),
    )
  })
})
