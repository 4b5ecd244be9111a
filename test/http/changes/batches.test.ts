import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { makeTable, person, refused, type Table } from '../../support/scene.ts'
import { startService, type Service } from '../../support/service.ts'
import { actOf, type Step } from '../../support/act.ts'

describe('batches', () => {
  let service: Service
  let deals: Table & { f: { title: string; secret: string } }
  let admin: { id: string; token: string }
  const act = (token: string, ...steps: (readonly Step[])[]) => actOf(service, token, ...steps)
  before(async () => {
    service = await startService()
    deals = await makeTable(service, 'Deals', { title: 'text', secret: 'text' })
    admin = await person(service, 1, 'boss')
  })
  after(() => service.close())

  const create = (title: string): Step => ({ does: 'create', table: deals.id, values: { [deals.f.title]: title } })
  const rename = (record: number, title: string): Step => ({ does: 'update', table: deals.id, record, values: { [deals.f.title]: title } })
  const listed = async (token?: string) => (await service.send('GET', '/api/dev/batch?page[limit]=50', token ? { token } : {})).json
  const batchOf = async (record: number) =>
    (await service.send('GET', `/api/dev/change?filter=and(eq(table_id,${deals.id}),eq(record_id,${record}))`)).json.data.at(-1).attributes
      .batch_id as number

  it('are the acts of more than one change, in one transaction or in several; each change has its id', async () => {
    const together = await act(admin.token, [create('a'), create('b')])
    const apart = await act(admin.token, [create('c')], [create('d'), create('e')], [rename(together[0]!, 'A')])
    const single = await act(admin.token, [create('f')])
    const [first, second] = [await batchOf(together[1]!), await batchOf(apart[1]!)]
    const data = (await listed()).data.filter(({ attributes }: { attributes: { records: number } }) => attributes.records > 0)
    const boss = Number(admin.id)
    const at = '2024-05-01 09:30:15'
    assert.deepEqual(
      data.map(({ id, attributes }: { id: string; attributes: unknown }) => [Number(id), attributes]),
      [
        [first, { made_at: at, user_id: boss, via: 'api', records: 2, tables: [deals.id], actions: ['create'], undone_by: null }],
        [
          second,
          { made_at: at, user_id: boss, via: 'api', records: 4, tables: [deals.id], actions: ['create', 'update'], undone_by: null },
        ],
      ],
    )
    const changes = (await service.send('GET', `/api/dev/change?filter=eq(batch_id,${second})`)).json.data
    assert.deepEqual(
      changes.map(({ attributes }: { attributes: Record<string, unknown> }) => [attributes['record_id'], attributes['action']]),
      [...apart.slice(0, 3).map((id) => [id, 'create']), [together[0], 'update']],
    )
    assert.equal(Number(changes[0].id), second)
    const one = await batchOf(single[0]!)
    const shown = await service.send('GET', `/api/dev/batch/${one}`)
    assert.deepEqual(shown.json.data.attributes, {
      made_at: at,
      user_id: boss,
      via: 'api',
      records: 1,
      tables: [deals.id],
      actions: ['create'],
      undone_by: null,
    })
    refused(await service.send('GET', `/api/dev/batch/${one + 1_000_000}`), '404 resource.not_found')
    refused(await service.send('GET', `/api/dev/batch/${Number(changes[1].id)}`), '404 resource.not_found')
  })

  it('are shown to administrators and to those who made them, with the records that they may read', async () => {
    const { title, secret } = deals.f
    const group = Number(await service.make('group', { group_name: 'Sellers' }))
    await service.make('access', {
      group_id: group,
      table_id: deals.id,
      read: true,
      create: true,
      update: true,
      fields: { [secret.slice(1)]: 'hidden' },
      read_filter: `starts_with(${title},'Seen')`,
    })
    const { token, id } = await person(service, group, 'seller')
    const own = await act(token, [create('Seen one'), create('Seen two'), create('Hidden')])
    const mine = await batchOf(own[0]!)
    const seen = await listed(token)
    assert.deepEqual(
      seen.data.map((one: { id: string; attributes: Record<string, unknown> }) => [
        one.id,
        one.attributes['records'],
        one.attributes['user_id'],
      ]),
      [[String(mine), 2, Number(id)]],
    )
    assert.equal(seen.meta.total, 1)
    assert.equal((await service.send('GET', `/api/dev/batch/${mine}`)).json.data.attributes.records, 3)
    const others = await act(admin.token, [create('Seen three'), create('Seen four')])
    refused(await service.send('GET', `/api/dev/batch/${await batchOf(others[0]!)}`, { token }), '404 resource.not_found')
    // A hidden field alone is no change for them.
    const [record] = await act(admin.token, [create('Seen five')])
    const single = await act(admin.token, [{ does: 'update', table: deals.id, record: record!, values: { [secret]: 'x' } }])
    refused(await service.send('GET', `/api/dev/batch/${await batchOf(single[0]!)}`, { token }), '404 resource.not_found')
  })

  it('are filtered and sorted like other lists', async () => {
    const boss = (await service.send('GET', `/api/dev/batch?filter=eq(user_id,${admin.id})&sort=-id&page[limit]=1`)).json
    assert.equal(boss.data.length, 1)
    assert.equal(boss.data[0].attributes.user_id, Number(admin.id))
    assert.ok(boss.meta.total >= 3)
    refused(await service.send('GET', '/api/dev/batch?sort=records'), '400 sort.unknown_attribute sort')
  })

  it('of a single change of a record are listed where that is asked for, with Undo and without those of others', async () => {
    const { title } = deals.f
    const group = Number(await service.make('group', { group_name: 'Clerks' }))
    await service.make('access', { group_id: group, table_id: deals.id, read: true, create: true, update: true })
    const { token, id } = await person(service, group, 'clerk')
    await act(admin.token, [create('of somebody else')])
    const [record] = await act(token, [create('one')])
    await act(token, [rename(record!, 'two')])
    await act(token, [create('three'), create('four')])
    // Neither a single change of a resource is among them, nor one of somebody else.
    await service.call('POST', 'view', { data: { type: 'view', attributes: { name: 'Mine', table_id: deals.id, kind: 'grid' } } }, token)
    const list = async (filter: string, token_: string) => {
      const page = `sort=-id&page[size]=20&filter=${filter}`
      const { data } = (await service.send('GET', `/api/dev/batch?singleChanges=true&${page}`, { token: token_ })).json
      return data.map(({ attributes: { actions, records, undone_by } }: { attributes: Record<string, unknown> }) => [
        actions,
        records,
        undone_by !== null,
      ])
    }
    const own = `not(eq(via,'undo'))`
    const made = [[['create'], 2, false], [['update'], 1, false], [['create'], 1, false]] // prettier-ignore
    assert.deepEqual(await list(own, token), made)
    assert.deepEqual(await list(`and(${own},eq(user_id,${id}))`, admin.token), made)
    assert.equal((await service.send('GET', '/api/dev/batch?page[limit]=1', { token })).json.meta.total, 1)
    const changes = (await service.send('GET', `/api/dev/change?filter=and(eq(table_id,${deals.id}),eq(record_id,${record}))`)).json.data
    assert.deepEqual(changes.map(({ attributes }: { attributes: Record<string, unknown> }) => attributes['action']), ['create', 'update']) // prettier-ignore
    const undone = await service.call('POST', `batch/${changes[1].id}/undo`, undefined, token)
    assert.equal(undone.json.meta.records, 1)
    assert.deepEqual(await list(own, token), [made[0], [['update'], 1, true], made[2]])
    assert.equal((await service.send('GET', `/api/dev/data${deals.id}/${record}`)).json.data.attributes[title], 'one')
  })
})
