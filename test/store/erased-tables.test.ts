import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { sql } from '../../src/sql/sql.ts'
import { operator } from '../../src/store/catalogue/administrator.ts'
import { sweepChanges } from '../../src/store/changes/sweep-changes.ts'
import { sweepEntry, sweepErased } from '../../src/store/changes/sweep-erased.ts'
import { erase } from '../../src/store/structure/trash.ts'
import { actOf } from '../support/act.ts'
import { makeTable, refused, type Table } from '../support/scene.ts'
import { startService, type Service } from '../support/service.ts'

/** More than one step erases. */
const RECORDS = 900

describe('the changes of a table that is erased', () => {
  let service: Service
  let other: Table
  before(async () => {
    service = await startService()
    other = await makeTable(service, 'Kept', { title: 'text' })
    await service.make(other.type, { [other.f['title']!]: 'kept' })
  })
  after(() => service.close())

  const count = async (query: ReturnType<typeof sql>) => Number((await service.store.db.read(query))[0]![0]![0])
  const changesOf = (table: number) => count(sql`SELECT count(*) FROM changes WHERE table_id = ${table}`)
  const filesOf = (table: number) => count(sql`SELECT count(*) FROM change_files WHERE table_id = ${table}`)

  async function filled(): Promise<Table> {
    const table = await makeTable(service, 'Gone', { title: 'text', paper: 'file' })
    const { title, paper } = table.f
    await service.make(table.type, { [paper!]: [{ file_name: 'a.txt', content: 'x' }] })
    const create = Array.from({ length: RECORDS }, (_, i) => ({
      does: 'create' as const,
      table: table.id,
      values: { [title!]: `secret ${i}` },
    }))
    await actOf(service, service.token, create)
    return table
  }
  async function trashed({ id }: Table): Promise<number> {
    await service.remove(`table/${id}`)
    return Number((await service.get(`trash?filter=eq(item_id,${id})`)).json.data[0].id)
  }

  it('are not erased with it, which would hold up all writes, but in steps afterwards; nobody sees them meanwhile', async () => {
    const table = await filled()
    const entry = await trashed(table)
    const [change] = (await service.get(`change?filter=eq(table_id,${table.id})&sort=-id&page[limit]=1`)).json.data
    assert.equal(change, undefined)
    const newest = await count(sql`SELECT max(id) FROM changes`)
    // As a process does that is killed right afterwards.
    await erase(service.store, operator, entry)
    assert.equal(await changesOf(table.id), RECORDS + 1)
    assert.equal(await filesOf(table.id), 1)
    // No row for each record: what was written is that the table was erased.
    assert.equal(await count(sql`SELECT count(*) FROM changes WHERE id > ${newest} AND table_id > 0`), 0)
    const first = await count(sql`SELECT min(id) FROM changes WHERE table_id = ${table.id}`)
    refused(await service.get(`change/${first}`), '404 resource.not_found')
    assert.deepEqual((await service.get(`change?filter=eq(table_id,${table.id})`)).json.data, [])
    assert.equal((await service.get(`batch/${first}`)).json.data?.attributes.records ?? 0, 0)

    // The housekeeping of the next process.
    await sweepChanges(service.store)
    assert.deepEqual([await changesOf(table.id), await filesOf(table.id)], [0, 0])
    assert.equal(await changesOf(other.id), 1)
    assert.ok((await changesOf(0)) > 0)
  })

  it('go on to be erased where that was interrupted', async () => {
    const table = await filled()
    await sweepEntry(service.store, await erase(service.store, operator, await trashed(table)), 0)
    const left = await changesOf(table.id)
    assert.ok(left > 0 && left < RECORDS + 1, String(left))
    await sweepErased(service.store)
    assert.deepEqual([await changesOf(table.id), await filesOf(table.id)], [0, 0])
  })

  it('are gone with the answer where they are few; the answer does not wait for those of other tables', async () => {
    const [table, before] = [await filled(), await filled()]
    await erase(service.store, operator, await trashed(before))
    assert.equal((await service.remove(`trash/${await trashed(table)}`)).status, 200)
    assert.deepEqual([await changesOf(table.id), await changesOf(before.id)], [0, RECORDS + 1])
    await sweepErased(service.store)
    assert.equal(await changesOf(before.id), 0)
  })
})
