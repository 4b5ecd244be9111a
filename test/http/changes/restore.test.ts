import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { makeTable, person, refused, type Table } from '../../support/scene.ts'
import { startService, type Answer, type Service } from '../../support/service.ts'

describe('the restore of a version of a record', () => {
  let service: Service
  let deals: Table & { f: { title: string; sum: string; stage: string; docs: string; code: string; secret: string; fixed: string } }
  before(async () => {
    service = await startService()
    deals = await makeTable(service, 'Deals', {
      title: 'text',
      sum: 'decimal',
      stage: { field_type: 'list', options: ['new', 'won', 'lost'] },
      docs: 'file',
      code: { field_type: 'text', unique: true },
      secret: 'text',
      fixed: 'text',
    })
  })
  after(() => service.close())

  const create = async (attributes: object): Promise<string> => service.make(deals.type, attributes)
  const change = async (id: string, attributes: object): Promise<void> => {
    const { status, text } = await service.change(deals.type, id, attributes)
    assert.equal(status, 200, text)
  }
  /** The ids of the changes of a record, the oldest first. */
  const changesOf = async (id: string): Promise<number[]> =>
    (await service.send('GET', `${deals.path}/${id}/history?page[limit]=50`)).json.data.map((one: { id: string }) => Number(one.id))
  const restore = (id: string, meta: object, query = '', token?: string, headers = {}): Promise<Answer> =>
    service.send('POST', `${deals.path}/${id}/restore${query}`, { body: { meta }, headers, ...(token && { token }) })
  const held = async (id: string): Promise<Record<string, string>> => (await service.get(`${deals.type}/${id}`)).json.data.attributes
  const file = (file_name: string, content: string) => ({ file_name, content, binary: false })

  it('gives it what it held after a change: all of it, or some attributes; as a change that is logged', async () => {
    const { title, sum, stage } = deals.f
    const id = await create({ [title]: 'Roof', [sum]: '12.5', [stage]: 'new' })
    await change(id, { [sum]: '13', [stage]: 'won' })
    await change(id, { [title]: 'Cellar', [sum]: '14', [stage]: '' })
    const [first, second] = (await changesOf(id)) as [number, number]
    const before = await held(id)
    const dry = await restore(id, { change: first }, '?dryRun=true')
    assert.equal(dry.status, 200, dry.text)
    assert.deepEqual(dry.json.meta, {
      changes: { [title]: { from: 'Cellar', to: 'Roof' }, [sum]: { from: '14.00', to: '12.50' }, [stage]: { from: '', to: 'new' } },
      left: [],
    })
    assert.deepEqual(await held(id), before)
    assert.equal((await changesOf(id)).length, 3)

    const some = await restore(id, { change: String(second), attributes: [sum] })
    assert.equal(some.status, 200, some.text)
    assert.deepEqual([some.json.data.attributes[title], some.json.data.attributes[sum]], ['Cellar', '13.00'])
    const all = await restore(id, { change: first })
    assert.deepEqual(all.json.data.attributes, { ...before, [title]: 'Roof', [sum]: '12.50', [stage]: 'new' })
    assert.equal(all.headers.get('etag'), (await service.get(`${deals.type}/${id}`)).headers.get('etag'))
    const { data } = (await service.send('GET', `${deals.path}/${id}/history?sort=-id&page[limit]=1`)).json
    assert.deepEqual(data[0].attributes.changes, {
      [title]: { from: 'Cellar', to: 'Roof' },
      [sum]: { from: '13.00', to: '12.50' },
      [stage]: { from: '', to: 'new' },
    })
    // It is so already: nothing is logged.
    assert.equal((await restore(id, { change: first })).status, 200)
    assert.equal((await changesOf(id)).length, 5)
  })

  it('puts the files of then back', async () => {
    const { docs } = deals.f
    const id = await create({ [docs]: [file('offer.txt', 'first'), file('plan.txt', 'plan')] })
    await change(id, { [docs]: [file('offer.txt', 'second')] })
    await change(id, { [docs]: '' })
    const [first, second] = (await changesOf(id)) as [number, number]
    const contents = async (): Promise<string[][]> =>
      (await service.get(`file/${deals.id}/${docs}/${id}?filename=offer.txt`)).json.data.map(
        (one: { attributes: Record<string, string> }) => [
          one.attributes['file_name'],
          Buffer.from(one.attributes['content']!, 'base64').toString(),
        ],
      )
    assert.equal((await restore(id, { change: first })).status, 200)
    assert.deepEqual(await contents(), [['offer.txt', 'first']])
    assert.equal((await held(id))[docs], 'offer.txt\r\nplan.txt')
    const other = await restore(id, { change: second, attributes: [docs] })
    assert.equal(other.status, 200, other.text)
    assert.deepEqual(await contents(), [['offer.txt', 'second']])
  })

  it('of a field that got another type since converts what it held', async () => {
    const table = await makeTable(service, 'Sizes', { size: 'text' })
    const id = await service.make(table.type, { [table.f.size]: '42' })
    await service.change(table.type, id, { [table.f.size]: '7' })
    const field = table.f.size.slice(1)
    assert.equal((await service.change('field', field, { field_type: 'integer' })).status, 200)
    const [first] = (await service.send('GET', `${table.path}/${id}/history`)).json.data
    const answer = await service.send('POST', `${table.path}/${id}/restore`, { body: { meta: { change: first.id } } })
    assert.equal(answer.status, 200, answer.text)
    assert.equal(answer.json.data.attributes[table.f.size], '42')
  })

  it('is checked as every other change', async () => {
    const { title, stage, code } = deals.f
    const id = await create({ [title]: 'Old', [stage]: 'lost', [code]: 'A' })
    await change(id, { [stage]: 'new', [code]: 'B' })
    await create({ [code]: 'a' })
    const [first] = (await changesOf(id)) as [number]
    refused(await restore(id, { change: first }), '409 field.not_unique /meta/change')
    const field = stage.slice(1)
    const { options } = (await service.get(`field/${field}`)).json.data.attributes
    const kept = options.filter(({ label }: { label: string }) => label !== 'lost')
    assert.equal((await service.change('field', field, { options: kept })).status, 200)
    const gone = await restore(id, { change: first, attributes: [title, stage] })
    refused(gone, '422 field.invalid_value /meta/attributes/1')
    assert.equal(gone.json.errors[0].meta.attribute, stage)
    refused(await restore(id, { change: first, attributes: [title] }, '', undefined, { 'If-Match': '"9-x"' }), '412 record.stale If-Match')
    assert.equal((await restore(id, { change: first, attributes: [title] })).status, 200)
  })

  it('needs a change of this record, after which it was there, and a record that is not in the trash', async () => {
    const { title } = deals.f
    const id = await create({ [title]: 'Here' })
    const other = await create({ [title]: 'Other' })
    await service.remove(`${deals.type}/${id}`)
    const [first, removed] = (await changesOf(id)) as [number, number]
    refused(await restore(other, { change: first }), '404 resource.not_found')
    refused(await restore(id, { change: first }), '409 record.in_trash')
    const [entry] = (await service.get(`trash?filter=eq(item_id,${id})`)).json.data
    assert.equal((await service.call('POST', `trash/${entry.id}/restore`)).status, 200)
    refused(await restore(id, { change: removed }), '409 change.no_state')
    assert.equal((await restore(id, { change: first })).status, 200)
    refused(await restore('999999', { change: first }), '404 record.not_found')
    refused(await restore(id, { change: 0 }), '400 document.invalid_member /meta/change')
    refused(await restore(id, {}), '400 document.missing_member /meta/change')
    refused(await restore(id, { change: first, attributes: [] }), '400 document.invalid_member /meta/attributes')
    refused(await restore(id, { change: first, attributes: [title, 'f9999'] }), '400 attribute.unknown /meta/attributes/1')
  })

  it('leaves alone what the caller may not write, and tells nothing of what is hidden from them', async () => {
    const { title, secret, fixed } = deals.f
    const group = Number(await service.make('group', { group_name: 'Clerks' }))
    const access = await service.make('access', {
      group_id: group,
      table_id: deals.id,
      read: true,
      update: true,
      fields: { [secret.slice(1)]: 'hidden', [fixed.slice(1)]: 'read_only' },
      read_filter: `ne(${title},'gone')`,
    })
    const { token } = await person(service, group, 'clerk')
    const id = await create({ [title]: 'one', [secret]: 's1', [fixed]: 'x1' })
    await change(id, { [title]: 'two', [secret]: 's2', [fixed]: 'x2' })
    await change(id, { [secret]: 's3' })
    const [first, , hidden] = (await changesOf(id)) as [number, number, number]
    const dry = await restore(id, { change: first }, '?dryRun=true', token)
    assert.deepEqual(dry.json.meta, { changes: { [title]: { from: 'two', to: 'one' } }, left: [fixed] })
    const done = await restore(id, { change: first }, '', token)
    assert.equal(done.status, 200, done.text)
    const now = await held(id)
    assert.deepEqual([now[title], now[secret], now[fixed]], ['one', 's3', 'x2'])
    refused(await restore(id, { change: hidden }, '', token), '404 resource.not_found')
    refused(await restore(id, { change: first, attributes: [secret] }, '', token), '400 attribute.unknown /meta/attributes/0')
    refused(await restore(id, { change: first, attributes: [fixed] }, '', token), '400 attribute.read_only /meta/attributes/0')
    await change(id, { [title]: 'gone' })
    refused(await restore(id, { change: first }, '', token), '404 record.not_found')
    assert.equal((await service.change('access', access, { update: false })).status, 200)
    refused(await restore(id, { change: first }, '', token), '403 access.denied')
  })
})
