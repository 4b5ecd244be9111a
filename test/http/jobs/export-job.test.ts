import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { runJobs, type JobRunner } from '../../../src/jobs/run-jobs.ts'
import { sweepFiles } from '../../../src/store/records/files.ts'
import { jobWhen } from '../../support/jobs.ts'
import { makeTable, refused, type Table } from '../../support/scene.ts'
import { startService, type Service } from '../../support/service.ts'

type Values = Readonly<Record<string, unknown>>

describe('an export as a job', () => {
  let service: Service
  let runner: JobRunner
  let table: Table
  let f: Readonly<Record<'name' | 'secret', string>>
  before(async () => {
    service = await startService()
    runner = runJobs(service.store)
    const made = await makeTable(service, 'Things', { name: 'text', secret: 'text' })
    table = made
    f = made.f
    for (const name of ['one', 'two', '=3']) await service.make(table.type, { [f.name]: name, [f.secret]: 'x' })
  })
  after(async () => {
    await runner.close()
    await service.close()
  })

  const ask = (input: Values, token?: string) =>
    service.call('POST', 'job', { data: { type: 'job', attributes: { kind: 'export', table_id: table.id, input } } }, token)
  const file = (id: string, token = service.token, headers: Readonly<Record<string, string>> = {}) =>
    service.send('GET', `/api/dev/job/${id}/result`, { token, headers })
  async function exported(input: Values, token?: string): Promise<string> {
    const asked = await ask(input, token)
    assert.equal(asked.status, 202, asked.text)
    const done = await jobWhen(service, asked.json.data.id, undefined, token)
    assert.equal(done.state, 'done', JSON.stringify(done))
    return asked.json.data.id
  }

  it('stores the file that the direct request sends, and sends it with ranges', async () => {
    for (const [format, direct] of [
      ['csv', 'fileFormat=csv'],
      ['jsonl', `fileFormat=jsonl&filter=eq(${f.name},'two')&fields[${table.type}]=${f.name}`],
    ] as const) {
      const more = format === 'jsonl' ? { filter: `eq(${f.name},'two')`, fields: [f.name] } : {}
      const id = await exported({ file_format: format, ...more })
      const sent = await file(id)
      assert.deepEqual([sent.status, sent.text], [200, (await service.get(`${table.type}/export?${direct}`)).text])
      const part = await file(id, undefined, { Range: 'bytes=2-6' })
      assert.deepEqual([part.status, part.headers.get('content-range')], [206, `bytes 2-6/${sent.headers.get('content-length')}`])
      const { result, file_name } = (await service.get(`job/${id}`)).json.data.attributes
      assert.equal(file_name, `Things.${format}`)
      assert.equal(result.records, format === 'csv' ? 3 : 1)
      assert.deepEqual(result.file, { name: `Things.${format}`, size: Number(sent.headers.get('content-length')) })
    }
    assert.equal((await file(await exported({ file_format: 'xlsx' }))).status, 200)
  })

  it('is in the order that is asked for, and is for those who still see by what', async () => {
    const group = Number(await service.make('group', { group_name: 'Sorters' }))
    const rule = await service.make('access', { group_id: group, table_id: table.id, read: true, print: true })
    const token = await service.tokenOf(group)
    const id = await exported({ file_format: 'jsonl', fields: [f.name], sort: `${f.secret},-${f.name}` }, token)
    const lines = (await file(id, token)).text.trimEnd().split('\n')
    assert.deepEqual(
      lines.map((line) => JSON.parse(line)[f.name]),
      ['two', 'one', '=3'],
    )
    await service.change('access', rule, { fields: { [f.secret.slice(1)]: 'hidden' } })
    refused(await file(id, token), '403 access.denied')
    refused(await ask({ sort: f.secret }, token), '400 sort.unknown_attribute /data/attributes/input/sort')
  })

  it('keeps the file as long as the job', async () => {
    const id = await exported({ file_format: 'csv', filter: `eq(${f.name},'one')` })
    service.clock.now += 7_200_000
    await sweepFiles(service.store)
    assert.equal((await file(id)).status, 200)
  })

  it('is for those who may see what is in it, also later', async () => {
    const group = Number(await service.make('group', { group_name: 'Sellers' }))
    const rule = await service.make('access', { group_id: group, table_id: table.id, read: true, print: true })
    const token = await service.tokenOf(group)
    const id = await exported({ file_format: 'csv' }, token)
    assert.equal((await file(id, token)).status, 200)
    refused(await file(id, await service.tokenOf(group)), '404 resource.not_found')
    await service.change('access', rule, { fields: { [f.secret.slice(1)]: 'hidden' } })
    refused(await file(id, token), '403 access.denied')
    refused(await ask({ fields: [f.secret] }, token), '400 attribute.unknown /data/attributes/input/fields')
    assert.equal((await file(await exported({ file_format: 'csv' }, token), token)).text.includes('secret'), false)
    await service.change('access', rule, { print: false })
    refused(await file(id, token), '403 access.denied')
    refused(await ask({}, token), '403 access.denied')
  })

  it('is refused with what is wrong with it', async () => {
    refused(await ask({ file_format: 'pdf' }), '422 field.invalid_value /data/attributes/input/file_format')
    refused(await ask({ filter: 1 }), '422 field.invalid_value /data/attributes/input/filter')
    refused(await ask({ sort: ['id'] }), '422 field.invalid_value /data/attributes/input/sort')
    refused(await ask({ sort: 'id,-id' }), '400 sort.repeated_attribute /data/attributes/input/sort')
    refused(await ask({ fields: 'f1' }), '422 field.invalid_value /data/attributes/input/fields')
    refused(await ask({ for_spreadsheet: 1 }), '422 field.invalid_value /data/attributes/input/for_spreadsheet')
    refused(await ask({ more: 1 }), '422 field.invalid_value /data/attributes/input/more')
    const { json } = await ask({ filter: 'eq(f9999,1)' })
    assert.equal((await jobWhen(service, json.data.id)).error.code, 'filter.unknown_attribute')
    refused(await file(json.data.id), '404 job.no_file')
    refused(await file('999'), '404 resource.not_found')
  })
})
