import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { makeTable, person, refused, type Table } from '../../support/scene.ts'
import { startService, type Service } from '../../support/service.ts'

interface Change {
  readonly id: string
  readonly attributes: Readonly<Record<string, unknown>>
}

const down = (one: unknown, other: unknown) => (one === other ? 0 : (one as string | number) < (other as string | number) ? 1 : -1)

describe('the attributes of changes', () => {
  let service: Service
  let deals: Table & { readonly f: Readonly<Record<'title' | 'code' | 'secret', string>> }
  before(async () => {
    service = await startService()
    deals = await makeTable(service, 'Deals', { title: 'text', code: { field_type: 'text', unique: true }, secret: 'text' })
  })
  after(() => service.close())

  const list = async (query: string, token?: string): Promise<Change[]> => {
    const { status, json, text } = await service.get(`change?page[limit]=50&${query}`, token)
    assert.equal(status, 200, text)
    return json.data
  }
  const ofRecord = (id: string) => `and(eq(table_id,${deals.id}),eq(record_id,${id}))`

  it('say who made it, and with which token', async () => {
    const boss = await person(service, 1, 'boss')
    const [token] = (await service.get('token', boss.token)).json.data
    const { id } = (await service.add(deals.type, { [deals.f.title]: 'Roof' }, boss.token)).json.data
    const other = await service.signIn('boss', 'boss boss boss')
    await service.change(deals.type, id, { [deals.f.title]: 'Tower' }, other)
    await service.change(deals.type, id, { [deals.f.title]: 'Spire' })
    const changes = await list(`filter=${ofRecord(id)}`)
    const by = changes.map(({ attributes }) => [attributes['user_id'], attributes['token_id']])
    assert.deepEqual([by[0], by[1]![0], by[2]![0]], [[Number(boss.id), Number(token.id)], Number(boss.id), 1])
    assert.equal(new Set(by.map(([, one]) => one)).size, 3)
  })

  it('are all there to filter and sort by, but for the values', async () => {
    const { id } = (await service.add(deals.type, { [deals.f.title]: 'One' })).json.data
    service.clock.now += 60_000
    const token = await service.signIn(service.first.login, service.first.password)
    await service.change(deals.type, id, { [deals.f.title]: 'Two' }, token)
    await service.call(
      'POST',
      `${deals.type}/${id}/restore`,
      { meta: { change: Number((await list(`filter=${ofRecord(id)}`))[0]!.id) } },
      token,
    )
    const all = await list('')
    const first = all.find(({ attributes }) => attributes['table_id'] === deals.id)!
    const { changes: _, ...attributes } = first.attributes
    assert.deepEqual(Object.keys(attributes), [
      'table_id',
      'record_id',
      'resource_type',
      'action',
      'user_id',
      'token_id',
      'via',
      'batch_id',
      'made_at',
    ])
    for (const [name, value] of Object.entries(attributes)) {
      const literal = typeof value === 'number' ? value : `'${String(value)}'`
      const equal = all.filter((one) => one.attributes[name] === value)
      assert.deepEqual(await list(`filter=eq(${name},${literal})`), equal, name)
      assert.deepEqual(
        await list(`filter=not(eq(${name},${literal}))`),
        all.filter((one) => !equal.includes(one)),
        name,
      )
      const sorted = (await list(`sort=-${name},id`)).map((one) => one.attributes[name])
      assert.deepEqual(sorted, sorted.toSorted(down), name)
    }
    refused(await service.get(`change?filter=eq(changes,'x')`), '400 filter.unknown_attribute filter')
  })

  it('are shown by the rights of today, also of changes that were made under others', async () => {
    const { title, secret } = deals.f
    const group = Number(await service.make('group', { group_name: 'Sellers' }))
    const rule = await service.make('access', { group_id: group, table_id: deals.id, read: true, fields: { [secret.slice(1)]: 'hidden' } })
    const { token } = await person(service, group, 'seller')
    const { id } = (await service.add(deals.type, { [title]: 'Roof', [secret]: 'x' })).json.data
    await service.change(deals.type, id, { [secret]: 'y' })
    const seen = async () =>
      (await list(`filter=${ofRecord(id)}`, token)).map(({ attributes }) =>
        Object.keys(attributes['changes'] as object).filter((name) => name === title || name === secret),
      )
    assert.deepEqual(await seen(), [[title]])
    await service.change('access', rule, { fields: {} })
    assert.deepEqual(await seen(), [[title, secret], [secret]])
    await service.change('access', rule, { fields: { [title.slice(1)]: 'hidden' } })
    assert.deepEqual(await seen(), [[secret], [secret]])
    await service.change('access', rule, { read: false, create: true })
    assert.deepEqual(await list('', token), [])
  })

  it('are none of a write that is refused', async () => {
    const { code } = deals.f
    await service.make(deals.type, { [code]: 'A1' })
    const id = await service.make(deals.type, { [code]: 'B1' })
    const { headers } = await service.get(`${deals.type}/${id}`)
    await service.change(deals.type, id, { [deals.f.title]: 'newer' })
    const before = await list('sort=-id')
    refused(await service.change(deals.type, id, { [code]: 'A1' }), `409 field.not_unique /data/attributes/${code}`)
    refused(await service.add(deals.type, { [code]: 'A1' }), `409 field.not_unique /data/attributes/${code}`)
    const stale = await service.send('PATCH', `${deals.path}/${id}`, {
      headers: { 'If-Match': headers.get('etag')! },
      body: { data: { type: deals.type, id, attributes: { [code]: 'C1' } } },
    })
    assert.equal(stale.status, 412)
    await service.change(deals.type, id, { [deals.f.title]: 'newer' })
    assert.deepEqual(await list('sort=-id'), before)
  })
})
