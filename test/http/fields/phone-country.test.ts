import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { errorsOf, startService, type Service } from '../../support/service.ts'

describe('telephone numbers of an installation with a country', () => {
  let service: Service
  let table: { id: number; fields: Record<string, string> }
  const ids: string[] = []
  const typed = ['+7 (900) 123-45-67', '8 495 765-43-21', '101', '+49 (0)30 1234567', '8 900 222-33-44 доб. 5', '', '8 900']

  before(async () => {
    service = await startService({ phoneCountry: 'RU' })
    table = await service.table('People', { name: 'text', phone: 'phone', own: { typeName: 'phone', unique: true }, of: 'text' })
    for (const text of typed) ids.push(await service.make(`data${table.id}`, { [f('phone')]: text, [f('of')]: 'x' }))
  })
  after(() => service.close())

  const f = (name: string) => table.fields[name]!
  const found = async (filter: string): Promise<number[]> => {
    const { status, text, json } = await service.get(`data${table.id}?sort=id&filter=${encodeURIComponent(filter)}`)
    assert.equal(status, 200, text)
    return json.data.map(({ id }: { id: string }) => ids.indexOf(id))
  }

  it('are compared by their international normal form', async () => {
    for (const number of ['+79001234567', '8 900 123 45 67', '007 900 1234567', '(900) 123-45-67', '8 10 7 900 1234567'])
      assert.deepEqual(await found(`eq(${f('phone')},'${number}')`), [0], number)
    assert.deepEqual(await found(`in(${f('phone')},'+7 495 765 43 21','0049 30 1234567','8 101')`), [1, 3])
    assert.deepEqual(await found(`ne(${f('phone')},'8 9001234567')`), [1, 2, 3, 4, 5, 6])
    assert.deepEqual(await found(`eq(${f('phone')},'89002223344 ext 5')`), [4])
    assert.deepEqual(await found(`eq(${f('phone')},'8900')`), [6])
    assert.deepEqual(await found(`is_empty(${f('phone')})`), [5])
  })

  it('are found by parts of what was typed, and of the normal form', async () => {
    for (const [filter, ...wanted] of [
      [`starts_with(${f('phone')},'8 900')`, 0, 4, 6],
      [`starts_with(${f('phone')},'+7 900')`, 0, 4],
      [`starts_with(${f('phone')},'900 12')`, 0],
      [`starts_with(${f('phone')},'+49 (0)30')`, 3],
      [`starts_with(${f('phone')},'0049')`, 3],
      [`contains(${f('phone')},'8 495 76')`, 1],
      [`contains(${f('phone')},'765-43')`, 1],
      [`contains(${f('phone')},'0030')`],
      [`ends_with(${f('phone')},'8 495 765 43 21')`, 1],
      [`ends_with(${f('phone')},'43-21')`, 1],
      [`not(contains(${f('phone')},'8 495 76'))`, 0, 2, 3, 4, 5, 6],
      [`search('8 900 123')`, 0],
      [`search('+7 900 123')`, 0],
      [`search('89001')`, 0],
      [`search('8495 x')`, 1],
    ] as const)
      assert.deepEqual(await found(filter), wanted, filter)
  })

  it('are shown as they were typed, and sorted by their normal form', async () => {
    const { json } = await service.get(`data${table.id}?sort=${f('phone')}`)
    const shown = json.data.map(({ attributes }: { attributes: Record<string, string> }) => attributes[f('phone')])
    assert.deepEqual(shown, ['', '101', '+49 (0)30 1234567', '8 495 765-43-21', '+7 (900) 123-45-67', '8 900 222-33-44 доб. 5', '8 900'])
  })

  it('are unique in every form, and found by an upsert', async () => {
    const attributes = { [f('own')]: '+7 911 000-00-01' }
    const id = await service.make(`data${table.id}`, attributes)
    const twice = await service.add(`data${table.id}`, { [f('own')]: '8 (911) 000 00 01' })
    assert.equal(twice.status, 409, twice.text)
    assert.match(errorsOf(twice)[0]!, /not_unique|unique/)
    const data = { type: `data${table.id}`, attributes: { [f('own')]: '89110000001', [f('name')]: 'same' } }
    const upserted = await service.call('POST', `data${table.id}?upsertBy=${f('own')}`, { data })
    assert.equal(upserted.status, 200, upserted.text)
    assert.equal(upserted.json.data.id, id)
    assert.equal(upserted.json.data.attributes[f('own')], '89110000001')
  })

  it('keep that form when a text becomes a phone, and in a field that comes back', async () => {
    const made = await service.table('Texts', { t: { typeName: 'text' } })
    const type = `data${made.id}`
    const id = await service.make(type, { [made.fields['t']!]: '8 900 5550001' })
    const fieldId = made.fields['t']!.slice(1)
    assert.equal((await service.change('field', fieldId, { field_type: 'phone', unique: true })).status, 200)
    const look = async () =>
      (await service.get(`${type}?filter=${encodeURIComponent(`eq(${made.fields['t']},'+79005550001')`)}`)).json.data.map(
        (one: { id: string }) => one.id,
      )
    assert.deepEqual(await look(), [id])
    assert.equal((await service.remove(`field/${fieldId}`)).status, 200)
    const { json } = await service.get('trash')
    const entry = json.data.find(({ attributes }: { attributes: { kind: string } }) => attributes.kind === 'field')
    assert.ok(entry, JSON.stringify(json))
    assert.equal((await service.call('POST', `trash/${entry.id}/restore`)).status, 200)
    assert.deepEqual(await look(), [id])
    assert.equal((await service.add(type, { [made.fields['t']!]: '+7 900 555-00-01' })).status, 409)
  })
})
