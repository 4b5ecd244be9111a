import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { makeTable, refused, type Table } from '../../support/scene.ts'
import { startService, type Service } from '../../support/service.ts'

describe('the order of the fields of a table', () => {
  let service: Service
  let table: Table
  let other: Table
  before(async () => {
    service = await startService()
    table = await makeTable(service, 'Deals', { one: 'text', two: 'integer', three: 'date', gone: 'text' })
    other = await makeTable(service, 'Other', { one: 'text' })
    await service.remove(`field/${table.f['gone']!.slice(1)}`)
  })
  after(() => service.close())

  const ids = (...names: string[]) => names.map((name) => Number(table.f[name]!.slice(1)))
  const change = (field_order: unknown) => service.change('table', String(table.id), { field_order })

  it('is set in one request, without two fields at one place', async () => {
    await service.change('field', String(ids('two')[0]), { sequence_number: 1 })
    const answer = await change(ids('three', 'one', 'two'))
    assert.equal(answer.status, 200, answer.text)
    assert.ok(!('field_order' in answer.json.data.attributes))
    const { included } = (await service.get(`table/${table.id}?include=fields`)).json
    assert.deepEqual(
      included.map(({ id, attributes }: { id: string; attributes: { sequence_number: number } }) => [
        Number(id),
        attributes.sequence_number,
      ]),
      ids('three', 'one', 'two').map((id, i) => [id, i + 1]),
    )
    await service.make(table.type, {})
    const names = Object.keys((await service.get(`${table.type}/1`)).json.data.attributes)
    assert.deepEqual(names.slice(3), [table.f['three'], table.f['one'], table.f['two']])
  })

  it('names each field once, and no other', async () => {
    const where = '422 field.invalid_value /data/attributes/field_order'
    for (const order of [
      [],
      ids('one', 'two'),
      ids('one', 'two', 'two'),
      ids('one', 'two', 'three', 'gone'),
      [...ids('one', 'two'), Number(other.f['one']!.slice(1))],
    ])
      refused(await change(order), where)
    refused(await service.add('table', { table_name: 'New', field_order: ids('one') }), where)
    assert.equal((await change('1,2')).json.errors[0].source.pointer, '/data/attributes/field_order')
    assert.equal((await service.add('table', { table_name: 'New', field_order: [] })).status, 201)
  })
})
