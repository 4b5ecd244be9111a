import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { operator } from '../../src/store/catalogue/administrator.ts'
import type { Store } from '../../src/store/ground/store.ts'
import type { Plan } from '../../src/transfer/plan.ts'
import { listGrower } from '../../src/transfer/list-options.ts'
import { makeTable, type Table } from '../support/scene.ts'
import { startService, type Service } from '../support/service.ts'

describe('lists that an import has added options to', () => {
  let service: Service
  let table: Table
  before(async () => {
    service = await startService()
    table = await makeTable(service, 'Deals', { stage: { field_type: 'list', options: ['New', 'Won'] } })
  })
  after(() => service.close())

  it('are put in order at its end, and keep what somebody else adds in that moment', async () => {
    const attribute = table.f['stage']!
    const path = `field/${attribute.slice(1)}`
    let theirs = ''
    // The other one is faster than each change of the import.
    const restructure: Store['restructure'] = async (...args) => {
      if (theirs !== '') await service.change('field', attribute.slice(1), { add_options: [theirs] })
      return service.store.restructure(...args)
    }
    const plan = { tableId: table.id, columns: [{ header: 'Stage', attribute, listType: 'list' }] } as unknown as Plan
    const { grow, finish } = listGrower({ ...service.store, restructure }, operator, plan)
    await grow(attribute, ['Lost'])
    theirs = 'Paused'
    assert.deepEqual(await finish(), [])
    const { options } = (await service.get(path)).json.data.attributes
    assert.deepEqual(
      options.map(({ label }: { label: string }) => label),
      ['Lost', 'New', 'Paused', 'Won'],
    )
  })
})
