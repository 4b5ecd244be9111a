import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { limits } from '../../../src/limits.ts'
import { authenticate } from '../../../src/store/people/authenticate.ts'
import { undoBatch } from '../../../src/store/undo/undo-batch.ts'
import { sql } from '../../../src/sql/sql.ts'
import { actBy, actOf, type Step } from '../../support/act.ts'
import { makeTable, person, refused, type Table } from '../../support/scene.ts'
import { startService, type Answer, type Service } from '../../support/service.ts'

interface Listed {
  readonly table_id: number
  readonly record_id: number
  readonly attribute: string | null
  readonly code: string
}

describe('the undo of a batch', () => {
  let service: Service
  let deals: Table & { f: { title: string; code: string; sum: string; stage: string; partner: string; secret: string } }
  let admin: { id: string; token: string }
  before(async () => {
    service = await startService()
    deals = await makeTable(service, 'Deals', {
      title: 'text',
      code: { field_type: 'text', unique: true },
      sum: 'decimal',
      stage: { field_type: 'list', options: ['new', 'won', 'lost'] },
      secret: 'text',
      partner: 'text',
    })
    admin = await person(service, 1, 'boss')
  })
  after(() => service.close())

  const create = (values: Record<string, string>): Step => ({ does: 'create', table: deals.id, values })
  const update = (record: number, values: Record<string, string>): Step => ({ does: 'update', table: deals.id, record, values })
  const remove = (record: number): Step => ({ does: 'delete', table: deals.id, record })
  const act = (...transactions: (readonly Step[])[]) => actOf(service, admin.token, ...transactions)
  const newest = async (record: number) =>
    (await service.send('GET', `/api/dev/change?filter=and(eq(table_id,${deals.id}),eq(record_id,${record}))&sort=-id&page[limit]=1`)).json
      .data[0].attributes.batch_id as number
  const undo = (batch: number, query = '', token = admin.token) => service.send('POST', `/api/dev/batch/${batch}/undo${query}`, { token })
  const undone = async (batch: number, query = '') => {
    const answer = await undo(batch, query)
    assert.equal(answer.status, 200, answer.text)
    assert.equal(answer.json.meta.done, true)
    return answer.json.meta
  }
  const conflicts = ({ listed }: { listed: readonly Listed[] }) =>
    listed.map(({ record_id, attribute, code }) => [record_id, attribute, code])
  const held = async (record: number): Promise<Record<string, string> | undefined> => {
    const { status, json } = await service.send('GET', `${deals.path}/${record}`)
    if (status === 404) return undefined
    const { [deals.f.title]: title, [deals.f.sum]: sum, [deals.f.stage]: stage } = json.data.attributes
    return { title, sum, stage }
  }
  const change = async (record: number, values: Record<string, string>): Promise<Answer> =>
    service.send('PATCH', `${deals.path}/${record}`, { body: { data: { type: deals.type, id: String(record), attributes: values } } })

  it('lists as many conflicts as limits.undoConflicts says, and counts all', async (context) => {
    const { title } = deals.f
    const records = await act(['a', 'b', 'c'].map((text) => create({ [title]: text })))
    for (const record of records) await change(record!, { [title]: 'changed since' })
    const [first] = (await service.send('GET', `${deals.path}/${records[0]}/history`)).json.data
    const limit = limits.undoConflicts as { most: number }
    const { most } = limit
    context.after(() => (limit.most = most))
    limit.most = 2
    for (const query of ['?dryRun=true', '']) {
      const meta = await undone(first.attributes.batch_id, query)
      assert.deepEqual([meta.records, meta.conflicts, meta.listed.length], [0, 3, 2])
    }
  })

  it('takes back creations, changes and deletions; can be undone itself, and then done again', async () => {
    const { title, sum, stage } = deals.f
    const [one, two] = (await act([create({ [title]: 'one', [sum]: '1', [stage]: 'new' }), create({ [title]: 'two', [sum]: '2' })])) as [
      number,
      number,
    ]
    const [made] = await act(
      [create({ [title]: 'three' }), update(one, { [sum]: '10', [stage]: 'won' })],
      [update(one, { [sum]: '11' }), remove(two)],
    )
    const batch = await newest(two)
    const dry = await undone(batch, '?dryRun=true')
    assert.deepEqual([dry.batch_id, dry.records, dry.conflicts], [null, 3, 0])
    assert.deepEqual([await held(one), await held(two)], [{ title: 'one', sum: '11.00', stage: 'won' }, undefined])

    const first = await undone(batch)
    assert.deepEqual([first.records, first.conflicts, first.listed], [3, 0, []])
    assert.deepEqual(await held(one), { title: 'one', sum: '1.00', stage: 'new' })
    assert.deepEqual(await held(two), { title: 'two', sum: '2.00', stage: '' })
    assert.equal(await held(made!), undefined)
    const shown = (await service.send('GET', `/api/dev/batch/${batch}`)).json.data.attributes
    assert.equal(shown.undone_by, first.batch_id)
    const own = (await service.send('GET', `/api/dev/batch/${first.batch_id}`)).json.data.attributes
    assert.deepEqual([own.via, own.records, own.undone_by], ['undo', 3, null])
    refused(await undo(batch), '409 batch.undone')

    const second = await undone(first.batch_id)
    assert.deepEqual([second.records, second.conflicts], [3, 0])
    assert.deepEqual(await held(one), { title: 'one', sum: '11.00', stage: 'won' })
    assert.deepEqual([await held(two), (await held(made!))?.['title']], [undefined, 'three'])
    assert.equal((await service.send('GET', `/api/dev/batch/${batch}`)).json.data.attributes.undone_by, null)

    const third = await undone(batch)
    assert.deepEqual([third.records, third.conflicts], [3, 0])
    assert.deepEqual(await held(one), { title: 'one', sum: '1.00', stage: 'new' })
    assert.equal((await service.send('GET', `/api/dev/batch/${batch}`)).json.data.attributes.undone_by, third.batch_id)
  })

  it('leaves what was changed since, attribute by attribute, and lists it', async () => {
    const { title, sum, stage } = deals.f
    const [one, two, three] = (await act([
      create({ [title]: 'a', [sum]: '1' }),
      create({ [title]: 'b', [sum]: '1' }),
      create({ [title]: 'c' }),
    ])) as number[]
    const [made, kept] = await act([
      create({ [title]: 'made' }),
      create({ [title]: 'kept' }),
      update(one!, { [sum]: '2', [stage]: 'won' }),
      update(two!, { [sum]: '2' }),
      remove(three!),
    ])
    const batch = await newest(three!)
    await change(one!, { [sum]: '3' })
    // The value is the same again; it was changed all the same.
    await change(two!, { [sum]: '5' })
    await change(two!, { [sum]: '2' })
    await change(kept!, { [title]: 'kept by somebody' })
    const meta = await undone(batch)
    assert.deepEqual(
      conflicts(meta).toSorted(),
      [
        [one, sum, 'batch.changed_since'],
        [two, sum, 'batch.changed_since'],
        [kept, null, 'batch.changed_since'],
      ].toSorted(),
    )
    assert.deepEqual([meta.records, meta.conflicts], [3, 3])
    assert.deepEqual(await held(one!), { title: 'a', sum: '3.00', stage: '' })
    assert.deepEqual(await held(two!), { title: 'b', sum: '2.00', stage: '' })
    assert.deepEqual(
      [(await held(three!))?.['title'], await held(made!), (await held(kept!))?.['title']],
      ['c', undefined, 'kept by somebody'],
    )
  })

  it('writes through the same checks as everybody, and leaves what they refuse', async () => {
    const { title, code, stage } = deals.f
    const field = stage.slice(1)
    const [one, two] = (await act([create({ [title]: 'x', [code]: 'X1' }), create({ [title]: 'y', [stage]: 'lost' })])) as [number, number]
    await act([update(one, { [code]: 'X2', [title]: 'x2' }), update(two, { [stage]: 'new' })])
    const batch = await newest(one)
    await act([create({ [title]: 'taker', [code]: 'x1' })])
    const options = (await service.send('GET', `/api/dev/field/${field}`)).json.data.attributes.options as { id: number; label: string }[]
    const { status, text } = await service.send('PATCH', `/api/dev/field/${field}`, {
      body: { data: { type: 'field', id: field, attributes: { options: options.filter(({ label }) => label !== 'lost') } } },
    })
    assert.equal(status, 200, text)
    const meta = await undone(batch)
    assert.deepEqual(
      conflicts(meta).toSorted(),
      [
        [one, code, 'field.not_unique'],
        [two, stage, 'field.invalid_value'],
      ].toSorted(),
    )
    assert.equal((await held(one))?.['title'], 'x')
    assert.equal((await held(two))?.['stage'], 'new')
  })

  it('of a single change is possible too; of none, or of somebody else, it is 404', async () => {
    const { title } = deals.f
    const [one] = await act([create({ [title]: 'single' })])
    await act([update(one!, { [title]: 'changed' })])
    assert.equal((await undone(await newest(one!))).records, 1)
    assert.equal((await held(one!))?.['title'], 'single')
    refused(await undo(99_999_999), '404 resource.not_found')
    const { token } = await person(service, 2, 'manager')
    refused(await undo(await newest(one!), '', token), '404 resource.not_found')
    const reader = await service.tokenOf(1, { scope: 'read' })
    refused(await undo(await newest(one!), '', reader), '403 access.denied')
  })

  it('works for a limited time, and goes on with the next request', async () => {
    const { title } = deals.f
    const records = await act(Array.from({ length: 130 }, (_, i) => create({ [title]: `slow ${i}` })))
    const batch = await newest(records[0]!)
    const began = service.clock.now
    let now = began
    // Every look at the clock takes a tenth of a second.
    Object.defineProperty(service.clock, 'now', { configurable: true, get: () => (now += 100) })
    const metas: Record<string, unknown>[] = []
    const dry: number[] = []
    try {
      for (let next = ''; ;) {
        const { meta } = (await undo(batch, `?dryRun=true${next}`)).json
        dry.push(meta.records)
        if (meta.done) break
        next = `&page[before]=${meta.next}`
      }
      do {
        const answer = await undo(batch)
        assert.equal(answer.status, 200, answer.text)
        metas.push(answer.json.meta)
        if (metas.length === 1) refused(await undo(answer.json.meta.batch_id), '409 batch.unfinished')
      } while (metas.at(-1)!['done'] === false && metas.length < 1_000)
    } finally {
      Object.defineProperty(service.clock, 'now', { configurable: true, writable: true, value: began })
    }
    assert.ok(metas.length > 2 && metas.length < 130, String(metas.length))
    assert.equal(
      dry.reduce((sum, one) => sum + one, 0),
      130,
    )
    const counts = metas.map((meta) => Number(meta['records']))
    assert.deepEqual(
      counts,
      counts.toSorted((one, other) => one - other),
    )
    assert.deepEqual([counts.at(-1), new Set(metas.map((meta) => meta['batch_id'])).size], [130, 1])
    for (const record of records) assert.equal(await held(record), undefined)
    assert.equal((await service.send('GET', `/api/dev/batch/${metas[0]!['batch_id']}`)).json.data.attributes.records, 130)
    // All of it is one batch, which is taken back as one.
    assert.equal((await undone(Number(metas[0]!['batch_id']))).records, 130)
  })

  it('asked for twice at once is done once', async () => {
    const { title } = deals.f
    const records = await act(Array.from({ length: 90 }, (_, i) => create({ [title]: `twice ${i}` })))
    const batch = await newest(records[0]!)
    const answers = await Promise.all([undo(batch), undo(batch), undo(batch)])
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 409, 409])
    const { data } = (await service.send('GET', `/api/dev/change?filter=and(eq(via,'undo'),eq(record_id,${records[7]}))`)).json
    assert.equal(data.length, 1)
  })

  it('takes back what the batch does while it is undone', async () => {
    const { title } = deals.f
    const writer = { ...(await authenticate(service.store, admin.token, ''))! }
    const by = { ...(await authenticate(service.store, admin.token, ''))! }
    const [before] = await act([create({ [title]: 'before' })])
    const records = await actBy(
      service.store,
      writer,
      Array.from({ length: 60 }, (_, i) => create({ [title]: `grows ${i}` })),
      [update(before!, { [title]: 'changed' })],
    )
    const batch = await newest(records[0]!)
    let steps = 0
    const onStep = async () => {
      if (++steps === 1)
        records.push(
          ...(await actBy(service.store, writer, [create({ [title]: 'late' })], [update(before!, { [title]: 'changed again' })])),
        )
    }
    const meta = await undoBatch(service.store, by, batch, { onStep })
    assert.equal(meta.done, true)
    for (const record of records) if (record !== before) assert.equal(await held(record), undefined, String(record))
    assert.equal((await held(before!))?.['title'], 'before')
    refused(await undo(batch), '409 batch.undone')
  })

  it('leaves a file of the same name, and a record that came back, which a write that is not in the log yet has changed', async () => {
    const table = await makeTable(service, 'Files', { docs: 'file', title: 'text' })
    const { docs, title } = table.f
    const file = (content: string) => ({ [docs]: [{ file_name: 'a.txt', content, binary: false }] })
    const newestOf = async (record: string) =>
      (await service.send('GET', `${table.path}/${record}/history?sort=-id`)).json.data[0] as {
        id: string
        attributes: { batch_id: number }
      }
    const forget = async ({ id }: { id: string }) =>
      service.store.db.write((tx) => tx.run(sql`DELETE FROM changes WHERE id = ${Number(id)}`))
    const kept = await service.make(table.type, file('first'))
    const same = await service.make(table.type, file('first'))
    const [one, other] = [kept, same].map(async (record) => {
      assert.equal((await service.change(table.type, record, file('second'))).status, 200)
      return (await newestOf(record)).attributes.batch_id
    })
    const batch = await one!
    assert.equal((await service.change(table.type, kept, file('third'))).status, 200)
    await forget(await newestOf(kept))
    assert.deepEqual(conflicts(await undone(batch)), [[Number(kept), docs, 'batch.changed_since']])
    assert.equal((await undone(await other!)).records, 1)

    const back = await service.make(table.type, { [title]: 'a' })
    await service.change(table.type, back, { [title]: 'b' })
    assert.equal((await service.remove(`${table.type}/${back}`)).status, 200)
    const restore = async () => {
      const [{ id }] = (await service.send('GET', `/api/dev/trash?filter=and(eq(table_id,${table.id}),eq(item_id,${back}))`)).json.data
      assert.equal((await service.send('POST', `/api/dev/trash/${id}/restore`)).status, 200)
      return (await newestOf(back)).attributes.batch_id
    }
    assert.equal((await undone(await restore())).records, 1)
    const again = await restore()
    await service.change(table.type, back, { [title]: 'c' })
    await forget(await newestOf(back))
    assert.deepEqual(conflicts(await undone(again)), [[Number(back), null, 'batch.changed_since']])
  })

  it('cannot give a field its former type back', async () => {
    const table = await makeTable(service, 'Sizes', { size: 'text' })
    const ids = [await service.make(table.type, { [table.f.size]: '1' }), await service.make(table.type, { [table.f.size]: '2' })]
    const field = table.f.size.slice(1)
    assert.equal((await service.change('field', field, { field_type: 'integer' })).status, 200)
    const { batch_id: batch } = (await service.send('GET', `${table.path}/${ids[0]}/history?sort=-id`)).json.data[0].attributes
    const meta = await undone(batch)
    assert.deepEqual([meta.batch_id, meta.records, meta.conflicts], [null, 0, 2])
    assert.deepEqual(
      conflicts(meta),
      ids.toReversed().map((id) => [Number(id), table.f.size, 'batch.not_undoable']),
    )
  })

  it('counts all conflicts and lists a hundred', async () => {
    const { title } = deals.f
    const records = await act(Array.from({ length: 120 }, (_, i) => create({ [title]: `many ${i}` })))
    const batch = await newest(records[0]!)
    await act(records.map((record) => update(record, { [title]: 'mine' })))
    const meta = await undone(batch)
    assert.deepEqual([meta.batch_id, meta.records, meta.conflicts, meta.listed.length], [null, 0, 120, 100])
    assert.equal((await service.send('GET', `/api/dev/batch/${batch}`)).json.data.attributes.undone_by, null)
  })
})
