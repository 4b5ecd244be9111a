import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { runJobs, type JobRunner } from '../../../src/jobs/run-jobs.ts'
import { jobWhen } from '../../support/jobs.ts'
import { makeTable, refused } from '../../support/scene.ts'
import { startService, type Service } from '../../support/service.ts'

/* A record gets back what it held before its field became a reference by a unique field (references-by-key.test.ts). */

describe('the restore of a version from before a field became a reference by a unique field', () => {
  let service: Service
  let runner: JobRunner
  before(async () => {
    service = await startService()
    runner = runJobs(service.store)
  })
  after(async () => {
    await runner.close()
    await service.close()
  })

  const unique = { field_type: 'text', unique: true }
  const change = (field: string, attributes: object, query = '') => service.change('field', field.slice(1), attributes, undefined, query)
  const becomes = (table: { id: number }, by: string, field_type = 'reference') => ({
    field_type,
    reference_table_id: table.id,
    reference_by: Number(by.slice(1)),
  })
  const valuesOf = async (type: string, field: string): Promise<string[]> =>
    (await service.get(`${type}?sort=id`)).json.data.map(({ attributes }: { attributes: Record<string, string> }) => attributes[field])
  const makeAll = async (type: string, field: string, values: readonly string[]): Promise<string[]> => {
    const ids: string[] = []
    for (const value of values) ids.push(await service.make(type, { [field]: value }))
    return ids
  }

  it('leaves a name that names no record any more, where nobody changed the field since and the whole record goes back', async () => {
    const clients = await makeTable(service, 'Left codes', { code: unique })
    const [one, two] = await makeAll(clients.type, clients.f.code, ['A', 'B'])
    for (const query of service.store.db.dialect.keysApart ? [''] : ['', '&asJob=true'])
      for (const field_type of ['reference', 'references']) {
        const orders = await makeTable(service, `Left ${field_type} ${query}`, { it: 'text', note: 'text' })
        const { it: field, note } = orders.f
        const ids: string[] = []
        for (const code of ['A', 'lost']) ids.push(await service.make(orders.type, { [field]: code, [note]: 'old' }))
        const [known, emptied] = ids as [string, string]
        const versions = new Map<string, number>()
        for (const id of ids) {
          const [first] = (await service.get(`change?filter=and(eq(table_id,${orders.id}),eq(record_id,${id}))`)).json.data
          versions.set(id, Number(first.id))
        }
        const done = await change(field, becomes(clients, clients.f.code, field_type), `?convertMode=lossy${query}`)
        assert.ok(done.status < 300, done.text)
        if (done.status === 202) assert.equal((await jobWhen(service, done.json.data.id)).state, 'done')
        const value = (id: string | undefined) => (field_type === 'reference' ? (id ?? '0') : id === undefined ? '' : `-${id}-`)
        const tokens: string[] = []
        for (const rule of ['writes', 'read_only']) {
          const group = Number(await service.make('group', { group_name: `Clerks ${rule} ${field_type} ${query}` }))
          const fields = rule === 'read_only' ? { fields: { [field.slice(1)]: rule } } : {}
          await service.make('access', { table_id: orders.id, group_id: group, read: true, update: true, ...fields })
          tokens.push(await service.tokenOf(group))
        }
        const [writer, reader] = tokens as [string, string]
        const restore = (id: string, token?: string, dry = '', more: object = {}) =>
          service.call('POST', `${orders.type}/${id}/restore${dry}`, { meta: { change: versions.get(id)!, ...more } }, token)
        const isBack = async (id: string, held: string, token?: string) => {
          assert.equal((await service.change(orders.type, id, { [note]: 'new' })).status, 200)
          const foretold = await restore(id, token, '?dryRun=true')
          assert.deepEqual(foretold.json.meta, { changes: { [note]: { from: 'new', to: 'old' } }, left: [field] }, foretold.text)
          const back = await restore(id, token)
          assert.equal(back.status, 200, back.text)
          const { attributes } = (await service.get(`${orders.type}/${id}`)).json.data
          assert.deepEqual([attributes[note], attributes[field]], ['old', held])
          refused(await restore(id, token, '', { attributes: [field] }), '422 field.invalid_value /meta/attributes/0')
        }
        for (const token of [writer, reader]) await isBack(known, value(one), token)
        for (const token of [undefined, writer, reader]) await isBack(emptied, value(undefined), token)
        for (const id of ids) assert.equal((await service.change(orders.type, id, { [field]: value(two) })).status, 200)
        for (const id of ids) {
          await isBack(id, value(two), reader)
          refused(await restore(id, writer), '422 field.invalid_value /meta/change')
        }
        refused(await restore(emptied), '422 field.invalid_value /meta/change')
        assert.equal((await restore(known)).status, 200)
        assert.deepEqual(await valuesOf(orders.type, field), [value(one), value(two)])
      }
  })

  it('does not take for unchanged what somebody changed before it became a reference', async () => {
    const clients = await makeTable(service, 'Earlier codes', { code: unique })
    const [one] = await makeAll(clients.type, clients.f.code, ['A'])
    const orders = await makeTable(service, 'Earlier', { it: 'text' })
    const { it: field } = orders.f
    const [id] = await makeAll(orders.type, field, ['gone'])
    assert.equal((await service.change(orders.type, id!, { [field]: 'A' })).status, 200)
    assert.equal((await change(field, { field_type: 'longtext' })).status, 200)
    assert.equal((await change(field, becomes(clients, clients.f.code))).status, 200)
    const log = (await service.get(`change?filter=and(eq(table_id,${orders.id}),eq(record_id,${id!}))&sort=id`)).json.data
    const restore = (at: number, token?: string) =>
      service.call('POST', `${orders.type}/${id!}/restore`, { meta: { change: Number(log[at].id) } }, token)
    refused(await restore(0), '422 field.invalid_value /meta/change')
    const group = Number(await service.make('group', { group_name: 'Earlier clerks' }))
    await service.make('access', { table_id: orders.id, group_id: group, read: true, update: true })
    const token = await service.tokenOf(group)
    refused(await restore(0, token), '422 field.invalid_value /meta/change')
    for (const at of [1, 2]) assert.equal((await restore(at, token)).status, 200)
    assert.deepEqual(await valuesOf(orders.type, field), [one])
  })

  it('finds a record by the field of the conversion that the value went through, or by its id', async () => {
    const clients = await makeTable(service, 'Way codes', { code: unique, other: unique })
    const { code, other } = clients.f
    const ids: string[] = []
    for (const [by, second] of [
      ['2', 'x'],
      ['1', '1'],
      ['3', '2'],
    ])
      ids.push(await service.make(clients.type, { [code]: by, [other]: second }))
    assert.deepEqual(ids, ['1', '2', '3'])
    const orders = await makeTable(service, 'Ways', { it: 'text' })
    const { it: field } = orders.f
    const [id] = await makeAll(orders.type, field, ['2'])
    const to = async (attributes: object, value: string) => {
      const { status, text } = await change(field, attributes)
      assert.equal(status, 200, text)
      assert.deepEqual(await valuesOf(orders.type, field), [value])
    }
    const write = async (value: string) => assert.equal((await service.change(orders.type, id!, { [field]: value })).status, 200)
    // By the code: the 2 is record 1.
    await to(becomes(clients, code), '1')
    await to({ field_type: 'text' }, '1')
    await write('2')
    // By its id: the 2 is record 2.
    await to({ field_type: 'reference', reference_table_id: clients.id }, '2')
    await write('1')
    await to({ field_type: 'longtext' }, '1')
    await write('2')
    await to({ field_type: 'text' }, '2')
    // By the other field: the 2 is record 3.
    await to(becomes(clients, other), '3')
    await write('1')
    const log: { id: string; attributes: { action: string } }[] = (
      await service.get(`change?filter=and(eq(table_id,${orders.id}),eq(record_id,${id!}))&sort=id&page[limit]=50`)
    ).json.data
    const held: (readonly [action: string, value: string])[] = [
      ['create', '1'],
      ['convert', '1'],
      ['convert', '1'],
      ['update', '2'],
      ['convert', '2'],
      ['update', '1'],
      ['convert', '2'],
      ['update', '3'],
      ['convert', '3'],
      ['convert', '3'],
      ['update', '1'],
    ]
    assert.deepEqual(
      log.map(({ attributes }) => attributes.action),
      held.map(([action]) => action),
    )
    for (const [at, [, value]] of held.entries()) {
      const answer = await service.call('POST', `${orders.type}/${id!}/restore`, { meta: { change: Number(log[at]!.id) } })
      assert.equal(answer.status, 200, `${at} ${answer.text}`)
      assert.deepEqual(await valuesOf(orders.type, field), [value], `after change ${at}`)
    }
  })
})
