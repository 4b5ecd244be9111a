import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { fail } from '../../../src/errors.ts'
import { operator } from '../../../src/store/catalogue/administrator.ts'
import { whatReturns } from '../../../src/store/structure/what-returns.ts'
import { startService, type Service } from '../../support/service.ts'

describe('what comes back with an entry of the trash', () => {
  let service: Service
  let clients: Record<string, string>
  let deals: Record<string, string>
  let token: string
  before(async () => {
    service = await startService()
    clients = (await service.table('Clients', { name: 'text', paper: 'file', boss: { typeName: 'reference', referenceTableId: 1 } })).fields
    deals = (
      await service.table('Deals', {
        title: 'text',
        client: { typeName: 'reference', referenceTableId: 1 },
        others: { typeName: 'references', referenceTableId: 1 },
      })
    ).fields
    const files = ['a.txt', 'b.txt'].map((file_name) => ({ file_name, content: 'four', binary: false }))
    const { name, paper, boss } = clients
    const { title, client, others } = deals
    await service.make('data1', { [name!]: 'Ann' })
    await service.make('data1', { [name!]: 'Bob', [paper!]: files, [boss!]: '1' })
    await service.make('data2', { [title!]: 'One', [client!]: '2', [others!]: '-1-2-' })
    await service.make('data2', { [title!]: 'Two', [client!]: '2' })
    await service.make('data2', { [title!]: 'Three' })
    token = await service.tokenOf(2)
    await service.add('access', { group_id: 2, table_id: 1, read: true, delete: true, fields: { [paper!]: 'hidden' } })
    await service.add('access', { group_id: 2, table_id: 2, read: true, read_filter: `eq(${title},'Two')` })
  })
  after(() => service.close())

  const back = async (as?: string) => {
    const { status, text, json } = await service.send(
      'GET',
      '/api/dev/trash?sort=id&fields[trash]=title,brings_back',
      as ? { token: as } : {},
    )
    assert.equal(status, 200, text)
    return json.data.map(({ attributes }: { attributes: Record<string, unknown> }) => [attributes['title'], attributes['brings_back']])
  }

  it('of a record: files, records to which it refers, and those that refer to it, as far as one may see them', async () => {
    await service.send('DELETE', '/api/dev/data1/2', { token })
    assert.deepEqual(await back(), [['Bob', { files: 2, links: 1, referring: 2 }]])
    assert.deepEqual(await back(token), [['Bob', { files: 0, links: 1, referring: 1 }]])
    const one = (await service.get('trash/1?fields[trash]=brings_back')).json.data
    assert.deepEqual(one.attributes, { brings_back: { files: 2, links: 1, referring: 2 } })
    assert.equal('brings_back' in (await service.get('trash/1')).json.data.attributes, false)
  })

  it('of a field: the records that hold a value in it, of any type', async () => {
    const things = await service.table('Things', { name: 'text', done: 'boolean', boss: { typeName: 'reference', referenceTableId: 1 }, day: 'date', paper: 'file' }) // prettier-ignore
    const { name, done, boss, day, paper } = things.fields
    const type = `data${things.id}`
    await service.make(type, { [name!]: 'a', [done!]: '1', [boss!]: '1', [day!]: '2026-01-02' })
    await service.make(type, { [name!]: 'b', [done!]: '0', [paper!]: [{ file_name: 'a.txt', content: 'four', binary: false }] })
    for (const one of [name, done, boss, day, paper]) await service.remove(`field/${one!.slice(1)}`)
    const counts = (await back()).slice(-5).map(([, one]: unknown[]) => one)
    assert.deepEqual(counts, [2, 1, 1, 1, 1].map((values) => ({ values }))) // prettier-ignore
    await service.remove(`table/${things.id}`)
    const waiting = (await back()).slice(-6, -1).map(([, one]: unknown[]) => one)
    assert.deepEqual(waiting, [null, null, null, null, null])
    await service.remove((await service.get("trash?filter=eq(title,'Things')")).json.data.map(({ id }: { id: string }) => `trash/${id}`)[0])
  })

  it('what takes too long to count is left out', async () => {
    const field = { id: 1, kind: 'field', tableId: 1, itemId: Number(clients['name']!.slice(1)), title: 'name', deleted: '', userId: 1 }
    const db = { ...service.store.db, readLittle: () => Promise.reject(fail('server.query_timeout', { seconds: 20 })) }
    assert.deepEqual(await whatReturns({ ...service.store, db }, operator, [field]), new Map())
  })

  it('of a table: records, fields and files; of what waits for a table nothing', async () => {
    await service.remove('data2/1')
    await service.remove(`field/${deals['others']!.slice(1)}`)
    await service.remove('table/2')
    const all = await back()
    assert.deepEqual(
      all.slice(1).map(([, counts]: unknown[]) => counts),
      [null, null, { records: 2, fields: 2, files: 0 }],
    )
  })

  it('of a record that a write filter keeps from being restored: that it does', async () => {
    const { name, boss } = clients
    const group = Number(await service.make('group', { group_name: 'Own' }))
    const rule = await service.make('access', { group_id: group, table_id: 1, read: true, delete: true, write_filter: `ne(${name},'Cid')` })
    const own = await service.tokenOf(group)
    const cid = await service.make('data1', { [name!]: 'Dan', [boss!]: '1' })
    assert.equal((await service.send('DELETE', `/api/dev/data1/${cid}`, { token: own })).status, 200)
    const told = async () => (await back(own)).map(([title, what]: [string, object]) => [title, 'barred' in what])
    assert.deepEqual(await told(), [['Dan', false]])
    for (const [filter, barred] of [
      [`eq(${name},'Cid')`, true],
      [`contains(${name},'DA')`, false],
      [`and(eq(${boss},1),not(eq(${name},'Dan')))`, true],
      [`gte(add_time,year)`, false],
    ] as const) {
      assert.equal((await service.change('access', rule, { write_filter: filter })).status, 200)
      assert.deepEqual(await told(), [['Dan', barred]], filter)
    }
    const { id } = (await service.get('trash?sort=-id', own)).json.data[0]
    assert.equal((await service.change('access', rule, { write_filter: `eq(${name},'Cid')` })).status, 200)
    const restore = () => service.send('POST', `/api/dev/trash/${id}/restore`, { token: own })
    assert.equal((await restore()).status, 403)
    assert.equal((await service.change('access', rule, { write_filter: '' })).status, 200)
    assert.equal((await restore()).status, 200)
  })
})
