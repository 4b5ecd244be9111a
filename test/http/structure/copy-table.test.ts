import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { limits } from '../../../src/limits.ts'
import { operator } from '../../../src/store/catalogue/administrator.ts'
import { grant } from '../../../src/store/model/access.ts'
import { insertRecords } from '../../../src/store/records/insert-records.ts'
import { checkIntegrity } from '../../../src/store/upkeep/check-integrity.ts'
import { startService, type Service } from '../../support/service.ts'

describe('the copy of a table', () => {
  let service: Service
  let names: Record<string, string>
  before(async () => {
    service = await startService()
    ;({ fields: names } = await service.table('People', {
      name: { typeName: 'text', unique: true },
      stage: { typeName: 'list', options: [{ label: 'New' }, { label: 'Won' }, { label: 'Lost' }], defaultValue: 'New' },
      tags: { typeName: 'multilist', options: [{ label: 'a' }, { label: 'b' }] },
      sum: { typeName: 'decimal', scale: 3 },
      number: 'autonumber',
      boss: { typeName: 'reference', referenceTableId: 1 },
      paper: 'file',
    }))
    const { name, stage, tags, sum, boss, paper } = names
    const record = (attributes: object) => service.add('data1', attributes)
    const file = [{ file_name: 'a.txt', content: 'The text', binary: false }]
    await record({ [name!]: 'Ann', [stage!]: 'Won', [tags!]: 'a\r\nb', [sum!]: '123456789012345.678', [paper!]: file })
    await record({ [name!]: 'Bob', [stage!]: 'Lost', [boss!]: '1' })
    await record({ [name!]: 'Cid' })
    await service.remove('data1/3')
    await record({ [name!]: 'Dan', [boss!]: '2' })
    // Refers to a later record.
    await service.change('data1', '1', { [boss!]: '4' })
    const kept = (await service.send('GET', `/api/dev/field/${stage!.slice(1)}`)).json.data.attributes.options
    const patched = await service.change('field', stage!.slice(1), {
      options: kept.filter(({ label }: { label: string }) => label !== 'Lost'),
    })
    assert.equal(patched.status, 200, patched.text)
    await service.add('access', { group_id: 2, table_id: 1, read: true, read_filter: `eq(${stage},'Won')`, fields: { [sum!]: 'hidden' } })
    await service.add('filter', { table_id: 1, filter_name: 'Won', expression: `eq(${boss}.${name},'Dan')` })
  })
  after(() => service.close())

  const copy = (query: string, attributes: object = { table_name: 'Copy' }) =>
    service.send('POST', `/api/dev/table/1/copy${query}`, { body: { data: { type: 'table', attributes } } })
  const list = async (table: string | number, token?: string) =>
    (await service.send('GET', `/api/dev/data${table}?sort=id`, token === undefined ? {} : { token })).json

  it('with records: the same values, files and references in it, whoever had made them, and the next numbers', async () => {
    const made = await copy('?withRecords=true&withViews=true', { table_name: 'Copy', full_name: 'All people' })
    assert.deepEqual([made.status, made.json.data.attributes.table_name, made.json.data.attributes.full_name], [201, 'Copy', 'All people'])
    const { id } = made.json.data
    const copies = (await service.send('GET', `/api/dev/field?filter=eq(table_id,${id})&sort=sequence_number`)).json.data
    const rename = new Map(Object.values(names).map((name, i) => [name, copies[i].attributes.int_name as string]))
    assert.equal(copies[5].attributes.reference_table_id, Number(id))
    assert.deepEqual(
      copies[1].attributes.options.map(({ label }: { label: string }) => label),
      ['New', 'Won'],
    )
    const original = await list(1)
    const renamed = original.data.map((one: { id: string; attributes: object }) => [
      one.id,
      Object.fromEntries(Object.entries(one.attributes).map(([name, value]) => [rename.get(name) ?? name, value])),
    ])
    const copied = await list(id)
    assert.deepEqual(
      copied.data.map((one: { id: string; attributes: object }) => [one.id, one.attributes]),
      renamed,
    )
    assert.equal(copied.meta.total, 3)
    const paper = rename.get(names['paper']!)
    assert.equal((await service.send('GET', `/api/dev/file/${id}/${paper}/1/a.txt`)).text, 'The text')
    const next = await service.add(`data${id}`, { [rename.get(names['name']!)!]: 'Eve' })
    assert.deepEqual([next.json.data.id, next.json.data.attributes[rename.get(names['number']!)!]], ['5', '5'])
    assert.equal((await service.add(`data${id}`, { [rename.get(names['name']!)!]: 'ann' })).status, 409)
    const filters = (await service.send('GET', `/api/dev/filter?filter=eq(table_id,${id})`)).json.data
    assert.equal(filters[0].attributes.expression, `eq(${rename.get(names['boss']!)}.${rename.get(names['name']!)},'Dan')`)
    const faults: string[] = []
    for await (const fault of checkIntegrity(service.store)) faults.push(fault)
    assert.deepEqual(faults, [])
  })

  it('a group sees of the copy what it sees of the table, and others nothing', async () => {
    const { json } = await copy('?withRecords=true')
    const [member, other] = [await service.tokenOf(2), await service.tokenOf(3)]
    const seen = await list(json.data.id, member)
    assert.deepEqual([seen.meta.total, seen.data.length], [1, 1])
    assert.equal(Object.keys(seen.data[0].attributes).length, Object.keys((await list(1, member)).data[0].attributes).length)
    assert.equal((await service.send('GET', `/api/dev/data${json.data.id}`, { token: other })).status, 404)
    assert.equal((await service.send('GET', `/api/dev/filter?filter=eq(table_id,${json.data.id})`)).json.meta.total, 0)
  })

  it('without records it is empty; the changes of a copy are one batch', async () => {
    const { json } = await copy('')
    assert.equal((await list(json.data.id)).meta.total, 0)
    const before = (await service.send('GET', '/api/dev/batch')).json.meta.total
    await copy('?withRecords=true')
    assert.equal((await service.send('GET', '/api/dev/batch')).json.meta.total, before + 1)
  })

  it('is refused for who is no administrator, for what is not there, and without a name', async () => {
    const body = { data: { type: 'table', attributes: { table_name: 'X' } } }
    assert.equal(
      (await service.send('POST', '/api/dev/table/1/copy', { body, token: await service.tokenOf(2) })).json.errors[0].code,
      'access.denied',
    )
    assert.equal((await service.send('POST', '/api/dev/table/99/copy', { body })).status, 404)
    assert.equal((await copy('', {})).json.errors[0].code, 'field.required')
    assert.equal((await copy('?withRecords=yes')).json.errors[0].code, 'parameter.invalid')
  })

  it('of more records than copiedRecords is refused, and nothing is made', async () => {
    const { id, fields } = await service.table('Many', { a: 'text' })
    const granted = grant(['create', 'bulk'], id, operator, service.store.catalogue())
    const rows = Array.from({ length: limits.copiedRecords.most + 1 }, (_, n) => new Map([[fields['a']!, `${n}`]]))
    for (let i = 0; i < rows.length; i += 1000) await insertRecords(service.store, granted, rows.slice(i, i + 1000))
    const before = (await service.send('GET', '/api/dev/table')).json.meta.total
    const body = { data: { type: 'table', attributes: { table_name: 'X' } } }
    const { status, json } = await service.send('POST', `/api/dev/table/${id}/copy?withRecords=true`, { body })
    assert.deepEqual([status, json.errors[0].code], [409, 'table.too_many_records'])
    assert.match(json.errors[0].detail, /kartoteka table copy/)
    assert.equal((await service.send('GET', '/api/dev/table')).json.meta.total, before)
  })
})
