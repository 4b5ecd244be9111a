import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startService, type Service } from '../../support/service.ts'

describe('different names of the fields of a table', () => {
  let service: Service
  before(async () => {
    service = await startService()
    await service.table('Goods', { Name: 'text', Price: 'integer' })
  })
  after(() => service.close())

  const field = (title: string, table = 1) => service.add('field', { table_id: table, field_name: title, field_type: 'text' })
  const wish = (unique: boolean) => service.change('table', '1', { unique_field_names: unique })
  const code = ({ json }: { json: { errors?: { code: string }[] } }) => json.errors?.[0]?.code

  it('by default names repeat; where they do, the table cannot want different ones, and says which', async () => {
    const asked = '/api/dev/table/1?fields[table]=unique_field_names'
    assert.deepEqual((await service.send('GET', asked)).json.data.attributes, { unique_field_names: false })
    assert.ok(!('unique_field_names' in (await service.send('GET', '/api/dev/table/1')).json.data.attributes), 'where it is asked for')
    assert.equal((await field('nAME')).status, 201)
    const refused = await wish(true)
    assert.deepEqual([refused.status, code(refused)], [422, 'table.field_names_repeat'])
    assert.match(refused.json.errors[0].detail, /'Name' \(f1, f3\)/)
    assert.deepEqual(refused.json.errors[0].source, { pointer: '/data/attributes/unique_field_names' })
    assert.equal((await service.change('field', '3', { field_name: 'Other' })).status, 200)
    assert.equal((await wish(true)).status, 200)
    assert.equal((await service.send('GET', asked)).json.data.attributes.unique_field_names, true)
  })

  it('then no field gets the name of another: created, renamed, or restored', async () => {
    const made = await field('PRICE')
    assert.deepEqual(
      [made.status, code(made), made.json.errors[0].source.pointer],
      [422, 'field.name_taken', '/data/attributes/field_name'],
    )
    assert.equal(code(await service.change('field', '3', { field_name: 'name' })), 'field.name_taken')
    assert.equal((await service.change('field', '1', { field_name: 'NAME' })).status, 200, 'its own name in another case')
    assert.equal((await service.remove('field/3')).status, 200)
    assert.equal((await field('Other')).status, 201, 'a name in the trash is free')
    const [entry] = (await service.send('GET', '/api/dev/trash')).json.data
    assert.equal(code(await service.send('POST', `/api/dev/trash/${entry.id}/restore`)), 'field.name_taken')
    const { id } = await service.table('Others', {})
    assert.equal((await field('A', id)).status, 201)
    assert.equal((await field('A', id)).status, 201, 'other tables go on as before')
  })

  it('and they may repeat again when the table does not want it any more', async () => {
    assert.equal((await wish(false)).status, 200)
    assert.equal((await field('Price')).status, 201)
  })
})
