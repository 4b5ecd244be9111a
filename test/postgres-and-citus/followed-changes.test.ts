import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { sql } from '../../src/sql/sql.ts'
import { operator } from '../../src/store/catalogue/administrator.ts'
import { MOST_IN_TRANSACTION } from '../../src/store/changes/change-log.ts'
import { followChanges } from '../../src/store/changes/follow-changes.ts'
import type { Db } from '../../src/store/ground/db.ts'
import type { Store } from '../../src/store/ground/store.ts'
import { grant } from '../../src/store/model/access.ts'
import { insertRecords } from '../../src/store/records/insert-records.ts'
import { createRecord, prepareUpdate, updateRecord } from '../../src/store/records/write-records.ts'
import { createField, updateField } from '../../src/store/structure/fields.ts'
import { createTable } from '../../src/store/structure/tables.ts'
import { scratchInstallation } from '../support/scratch-store.ts'
import { settled } from '../support/settled.ts'

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

  /** The titles of the changes after a cursor, once there are so many: transactions of other tests may be open in the same cluster for a while. */
  async function following(after: number, count: number): Promise<[titles: unknown[], cursor: number]> {
    const titles: unknown[] = []
    let cursor = after
    for (const end = Date.now() + 30_000; titles.length < count && Date.now() < end;) {
      const next = await follow(cursor)
      titles.push(...titlesIn(next))
      cursor = next.cursor
      if (next.changes.length === 0) await setTimeout(20)
    }
    return [titles, cursor]
  }

  const newest = async () => Number((await other.db.read(sql`SELECT max(id) FROM changes`))[0]![0]![0])

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
    await settled(one)
    const cursor = await newest()
    const late = await heldCreate('late')
    const early = await create(other, 'early')
    const meanwhile = await follow(cursor)
    // What was committed after the transaction that is still open had begun waits for it.
    assert.deepEqual(titlesIn(meanwhile), [])
    await late.commit()
    const [all, end] = await following(meanwhile.cursor, 2)
    assert.deepEqual(all, ['late', 'early'])
    await updateRecord(other, may(other), early, new Map([[field, 'changed']]))
    assert.deepEqual((await following(end, 1))[0], ['changed'])
  })

  it('has the changes of a record in the order in which they were made, whoever made them', async () => {
    const at = await newest()
    const id = await create(one, '0')
    for (let i = 1; i <= 20; i++)
      await updateRecord(i % 2 === 0 ? one : other, may(i % 2 === 0 ? one : other), id, new Map([[field, String(i)]]))
    assert.deepEqual(
      (await following(at, 21))[0],
      Array.from({ length: 21 }, (_, i) => String(i)),
    )
  })

  it('has the changes of a record in that order too where the transaction that changed it last was the first to begin', async () => {
    const [first, second] = [await create(one, 'first'), await create(one, 'second')]
    const at = await newest()
    let attempts = 0
    await one.db.write(async (tx) => {
      attempts++
      const change = async (id: number) =>
        (await prepareUpdate(one, may(one), id, new Map([[field, `${id} of the one that began first`]]))).apply(tx)
      await change(first)
      // Between two attempts nothing else is changed.
      if (attempts === 1) await updateRecord(other, may(other), second, new Map([[field, 'in between']]))
      await change(second)
    })
    const [titles] = await following(at, 3)
    assert.deepEqual(titles, ['in between', `${first} of the one that began first`, `${second} of the one that began first`])
  })

  it('has them in that order under load', async () => {
    const ids = [await create(one, 'a'), await create(other, 'b'), await create(one, 'c')]
    const at = await newest()
    const writes = Array.from({ length: 400 }, async (_, i) => {
      const store = i % 2 === 0 ? one : other
      if (i % 3 === 0) await create(store, String(i))
      else await updateRecord(store, may(store), ids[i % ids.length]!, new Map([[field, String(i)]]))
    })
    await Promise.all(writes)
    const rows = await other.db.read(sql`SELECT record_id, content FROM changes WHERE id > ${at} AND action = 2 ORDER BY id`)
    const held = new Map<number, unknown>()
    for (const [record, content] of rows[0]!) {
      const [from, to] = Object.values(JSON.parse(String(content)) as Record<string, [unknown, unknown]>)[0]!
      if (held.has(Number(record))) assert.equal(from, held.get(Number(record)))
      held.set(Number(record), to)
    }
  })

  it('goes on after a transaction with more changes than fit beside its id', { timeout: 300_000 }, async () => {
    const kept = grant(['create', 'bulk', 'update'], table, operator, one.catalogue())
    const most = MOST_IN_TRANSACTION
    for (let i = 0; i < most + 500; i += 2_000)
      await insertRecords(
        one,
        kept,
        Array.from({ length: 2_000 }, (_, k) => new Map([[field, String(i + k)]])),
      )
    const before = await newest()
    await updateField(one, operator, Number(field.slice(1)), { typeName: 'integer' }, { lossy: true })
    await other.catchUp?.()
    const next = await create(other, '7')
    const [counted, own] = await other.db.read(
      sql`SELECT count(*), count(DISTINCT id), max(id) - min(id), count(DISTINCT batch_id), max(id) FROM changes WHERE id > ${before} AND action = 5`,
      sql`SELECT id FROM changes WHERE record_id = ${next} AND table_id = ${table} AND action = 1`,
    )
    const [rows, distinct, span, batches, last] = counted![0]!.map(Number) as [number, number, number, number, number]
    assert.ok(rows > most, String(rows))
    assert.deepEqual([distinct, span, batches], [rows, rows - 1, 1])
    assert.ok(Number(own![0]![0]) > last)
    await settled(other)
    assert.deepEqual((await following(last - 1, 2))[0].at(-1), '7')
  })
})
