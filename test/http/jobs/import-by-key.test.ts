import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { runJobs, type JobRunner } from '../../../src/jobs/run-jobs.ts'
import { httpImports } from '../../support/http-imports.ts'
import { makeTable, refused, type Table } from '../../support/scene.ts'
import { startService, type Answer, type Service } from '../../support/service.ts'

type Values = Readonly<Record<string, unknown>>

describe('imports over HTTP that change records, or keep ids', () => {
  let service: Service
  let runner: JobRunner
  let imports: ReturnType<typeof httpImports>
  let goods: Table
  before(async () => {
    service = await startService()
    runner = runJobs(service.store)
    imports = httpImports(service)
    goods = await makeTable(service, 'Goods', {
      Code: { field_type: 'text', unique: true },
      Name: 'text',
      Since: 'date',
      Secret: { field_type: 'text', unique: true },
    })
    for (const code of ['A', 'B']) await service.make(goods.type, { [f('Code')]: code, [f('Name')]: 'old', [f('Since')]: '2020-01-01' })
  })
  after(async () => {
    await runner.close()
    await service.close()
  })

  const f = (name: string): string => goods.f[name]!
  const at = (member: string) => `/data/attributes/input/${member}`
  const into = (input: Values) => ({ table_id: goods.id, input })
  const records = async (table: Pick<Table, 'type'> = goods) =>
    (await service.get(`${table.type}?sort=id&page[limit]=1000`)).json.data as Answer['json'][]
  const shown = async () =>
    (await records()).map(({ id, attributes }) => [id, attributes[f('Code')], attributes[f('Name')], attributes[f('Since')]])
  async function userWith(rights: Values): Promise<string> {
    const group = Number(await service.make('group', { group_name: `g${Math.random()}` }))
    await service.make('access', { group_id: group, table_id: goods.id, ...rights })
    return service.tokenOf(group)
  }
  const text = 'Name,Code,user_id\none again,a,7\nthree,C,7\nthree again,C,7\nnone,,7\ntwo,B,7\n'
  const counts = { read: 5, imported: 4, updated: 3, bad: 1, incomplete: 0, listed: 1, notes: [] }

  it('update_by: a dry run counts and changes nothing; the run changes and creates, and undo takes back both', async () => {
    const before = await records()
    const id = await imports.made(text, into({ update_by: 'code' }))
    const { columns, update_by: by } = (await imports.preview(id)).json.meta
    assert.deepEqual([by, columns.map(({ skip = false }) => skip)], [f('Code'), [false, false, true]])
    const tried = await imports.ended(await imports.run(id, '?dryRun=true'))
    assert.deepEqual([tried.state, tried.result], ['done', { batch_id: null, table_id: goods.id, ...counts }])
    assert.deepEqual(await records(), before)
    const done = await imports.ended(await imports.run(id))
    assert.deepEqual([done.state, done.result, done.done], ['done', { batch_id: done.batch_id, table_id: goods.id, ...counts }, done.total])
    assert.deepEqual(await shown(), [
      ['1', 'a', 'one again', '2020-01-01'],
      ['2', 'B', 'two', '2020-01-01'],
      [(await shown())[2]![0], 'C', 'three again', '0000-00-00'],
    ])
    assert.match(await imports.errors(id), /^line,column,reason,Name,Code,user_id\n5,Code,[^\n]*,none,,7\n$/)
    assert.equal(await imports.errors(tried.id), await imports.errors(id))
    assert.equal((await service.call('POST', `batch/${done.batch_id}/undo`)).status, 200)
    assert.deepEqual(
      (await shown()).map(([, ...values]) => values),
      before.map(({ attributes }) => [f('Code'), f('Name'), f('Since')].map((one) => attributes[one])),
    )
  })

  it('update_by: many lines in a thread; the last line of a value counts', async () => {
    const many = Array.from({ length: 1_500 }, (_, i) => `code ${i % 1_000},name ${i} ${'x'.repeat(60)}`)
    const id = await imports.made(`Code,Name\n${many.join('\n')}\n`, into({ update_by: f('Code') }))
    const done = await imports.ended(await imports.run(id))
    assert.deepEqual(
      [done.state, done.result.imported, done.result.updated, done.result.bad],
      ['done', 1_500, 500, 0],
      JSON.stringify(done),
    )
    for (const [code, name] of [
      ['code 3', 'name 1003'],
      ['code 999', 'name 999'],
    ]) {
      const found = await service.get(`${goods.type}?filter=${encodeURIComponent(`eq(${f('Code')},'${code}')`)}`)
      assert.ok(found.json.data[0].attributes[f('Name')].startsWith(`${name} `), found.text)
    }
    assert.equal((await service.call('POST', `batch/${done.batch_id}/undo`)).status, 200)
    assert.equal((await records()).length, 2)
  })

  it('update_by: is refused at its place where it cannot be applied', async () => {
    const id = await imports.made(text, into({}))
    for (const [update_by, expected] of [
      ['Name', '422 import.unfit'],
      ['Nothing', '422 import.unfit'],
      ['Secret', '422 import.unfit'],
      [7, '422 field.invalid_value'],
    ] as const)
      refused(await imports.map(id, { update_by }), `${expected} ${at('update_by')}`)
    refused(await imports.map(id, { update_by: 'Code', keep_ids: true }), `422 import.unfit ${at('update_by')}`)
    refused(await imports.map(id, { keep_ids: 'yes' }), `422 field.invalid_value ${at('keep_ids')}`)
    const made = await imports.made('Code\nA\n', { input: { table_name: 'New', update_by: 'Code' } })
    refused(await imports.run(made), `422 import.unfit ${at('update_by')}`)
    assert.equal((await imports.map(id, { update_by: 'Code' })).status, 200)
    assert.equal((await imports.map(id, { nothing: '-' })).status, 200)
    assert.equal((await imports.preview(id)).json.meta.update_by, f('Code'))
    assert.equal((await imports.map(id, { update_by: null })).status, 200)
    assert.equal((await imports.preview(id)).json.meta.update_by, null)
  })

  it('update_by: needs the right to change; a hidden field is not there, and hidden records stay as they are', async () => {
    const rights = { create: true, read: true, bed: true }
    refused(await imports.draft(into({ update_by: 'Code' }), await userWith(rights)), '403 access.denied')
    const few = await userWith({ ...rights, update: true, read_filter: `eq(${f('Code')},'A')`, fields: { [f('Secret')]: 'hidden' } })
    const id = await imports.made('Code,Name,Secret\nA,mine,s\nB,theirs,s\n', into({ update_by: 'Code' }), few)
    refused(await imports.map(id, { update_by: 'Secret' }, few), `422 import.unfit ${at('update_by')}`)
    assert.match((await imports.map(id, { update_by: f('Secret') }, few)).json.errors[0].detail, /has no field/)
    const done = await imports.ended(await imports.run(id, '', few), few)
    assert.deepEqual([done.state, done.result.imported, done.result.updated, done.result.bad], ['done', 1, 1, 1], JSON.stringify(done))
    assert.deepEqual(
      (await shown()).map(([, , name]) => name),
      ['mine', 'old'],
    )
    assert.match(await imports.errors(id, few), /\n3,Code,/)
  })

  it('keep_ids: by administrators, into a table that is made or never had a record', async () => {
    const file = 'id,Name\n7,seven\n3,three\n3,again\n0,zero\n,none\n'
    const counted = { read: 5, imported: 2, updated: 0, bad: 3, incomplete: 0, listed: 3, notes: [] }
    const empty = await makeTable(service, 'Empty', { Name: 'text' })
    const id = await imports.made(file, { table_id: empty.id, input: { keep_ids: true } })
    assert.deepEqual((await imports.preview(id)).json.meta.columns[0], { header: 'id', skip: true, ids: true })
    const tried = await imports.ended(await imports.run(id, '?dryRun=true'))
    assert.deepEqual([tried.state, tried.result], ['done', { batch_id: null, table_id: empty.id, ...counted }])
    const done = await imports.ended(await imports.run(id))
    assert.deepEqual([done.state, done.result], ['done', { batch_id: done.batch_id, table_id: empty.id, ...counted }], JSON.stringify(done))
    assert.deepEqual(
      (await records(empty)).map(({ id: one }) => one),
      ['3', '7'],
    )
    assert.match(await imports.errors(id), /\n4,id,A record has this id already\.,3,again\n5,id,/)
    assert.ok(Number(await service.make(empty.type, {})) > 7)
    const again = await imports.made(file, { table_id: empty.id })
    refused(await imports.map(again, { keep_ids: true }), `422 import.unfit ${at('keep_ids')}`)
    const none = await imports.made('Name\nx\n', { input: { table_name: 'None', keep_ids: true } })
    refused(await imports.run(none), `422 import.unfit ${at('keep_ids')}`)
    const made = await imports.ended(await imports.run(await imports.made(file, { input: { table_name: 'Made', keep_ids: true } })))
    assert.deepEqual([made.state, made.result.imported], ['done', 2], JSON.stringify(made))
    refused(
      await imports.draft(into({ keep_ids: true }), await userWith({ create: true, read: true, bed: true, update: true })),
      '403 access.denied',
    )
  })
})
