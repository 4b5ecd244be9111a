import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { operator } from '../../../src/store/catalogue/administrator.ts'
import { grant } from '../../../src/store/model/access.ts'
import { insertRecords } from '../../../src/store/records/insert-records.ts'
import { makeTable } from '../../support/scene.ts'
import { startService, type Service } from '../../support/service.ts'

const BASE = 12_000_000

describe('records with large ids', () => {
  let service: Service
  before(async () => {
    service = await startService()
  })
  after(() => service.close())

  it('fill a page of 1,000 related records', async () => {
    const { store } = service
    const target = await makeTable(service, 'Targets', { name: 'text' })
    const granted = grant(['create', 'bulk'], target.id, operator, store.catalogue())
    await store.db.write(async (tx) => {
      for (const statement of store.db.dialect.setLastId(target.type, BASE)) await tx.run(statement)
    })
    await insertRecords(store, granted, Array.from({ length: 1_000 }, () => new Map([[target.f.name, 'x']]))) // prettier-ignore
    const holder = await makeTable(service, 'Holders', { all: { field_type: 'references', reference_table_id: target.id } })
    const ids = Array.from({ length: 1_000 }, (_, i) => String(BASE + 1 + i))
    const id = await service.make(holder.type, { [holder.f.all]: ids })
    const page = await service.get(`${holder.type}/${id}/r${holder.f.all.slice(1)}?page[size]=1000`)
    assert.equal(page.status, 200, page.text)
    assert.deepEqual(page.json.data.map((one: { id: string }) => one.id), ids) // prettier-ignore
  })
})
