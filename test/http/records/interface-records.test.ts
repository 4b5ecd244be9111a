import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { JSON_API, startService, type Answer, type Service } from '../../support/service.ts'
import { body, makeTable, refused } from '../../support/scene.ts'

/* docs/interface.md, chapters 3 to 6: endpoints 1, 2, 3 and 5. */

const jsonapi = { version: '1.1' }

describe('the interface: records', () => {
  let service: Service
  let companies: Awaited<ReturnType<typeof makeTable>>
  let deals: Awaited<ReturnType<typeof makeTable>>
  let f: Record<'title' | 'count' | 'amount' | 'met' | 'company' | 'companies' | 'tags' | 'papers', string>

  before(async () => {
    service = await startService()
    companies = await makeTable(service, 'Companies', { name: 'text' })
    for (const name of ['Sun', 'Moon', 'Sea']) await service.make(companies.type, { [companies.f['name']!]: name })
    const made = await makeTable(service, 'Deals', {
      title: 'text',
      count: 'integer',
      amount: 'decimal',
      met: 'datetime',
      company: { field_type: 'reference', reference_table_id: companies.id },
      companies: { field_type: 'references', reference_table_id: companies.id },
      tags: { field_type: 'multilist', options: ['hot', 'cold'] },
      papers: 'file',
    })
    deals = made
    f = made.f
  })
  after(() => service.close())

  /** A full record as the contract prints it: system attributes first, then the fields in their order. */
  const record = (id: string, attributes: Record<string, string> = {}, system: Record<string, string> = {}) => ({
    type: deals.type,
    id,
    attributes: {
      user_id: '1',
      add_time: '2024-05-01 09:30:15',
      status: '0',
      ...system,
      ...Object.fromEntries(
        Object.entries({
          [f.title]: '',
          [f.count]: '0',
          [f.amount]: '0.00',
          [f.met]: '0000-00-00 00:00:00',
          [f.company]: '0',
          [f.companies]: '',
          [f.tags]: '',
          [f.papers]: '',
        }).map(([name, empty]) => [name, attributes[name] ?? empty]),
      ),
    },
    links: { self: `${deals.path}/${id}` },
  })
  const post = (attributes: unknown) =>
    service.send('POST', deals.path, { body: { data: { type: deals.type, attributes } }, headers: { 'Content-Type': JSON_API } })
  const patch = (id: string, attributes: unknown) =>
    service.send('PATCH', `${deals.path}/${id}`, { body: { data: { type: deals.type, id, attributes } } })
  const get = (id: string) => service.send('GET', `${deals.path}/${id}`, { headers: { 'Content-Type': JSON_API } })
  const ours = (answer: Answer) => assert.equal(answer.headers.get('content-type'), JSON_API)

  it('endpoint 5: POST answers 201 with the complete record, id and links.self, fields not sent being empty or zero', async () => {
    const answer = await post({ [f.title]: 'First', [f.amount]: '1500' })
    const { id } = answer.json.data
    body(answer, 201, { data: record(id, { [f.title]: 'First', [f.amount]: '1500.00' }), jsonapi })
    ours(answer)
    assert.match(id, /^[1-9]\d*$/)
    assert.equal(answer.headers.get('location'), `${deals.path}/${id}`)
  })

  it('endpoint 1: GET answers 200 with the single record', async () => {
    const made = await post({ [f.title]: 'Second' })
    const { id } = made.json.data
    const answer = await get(id)
    body(answer, 200, { data: record(id, { [f.title]: 'Second' }), jsonapi })
    ours(answer)
  })

  it('endpoint 2: PATCH answers 200 with the updated record, and attributes not named keep their values', async () => {
    const { id } = (await post({ [f.title]: 'Third', [f.count]: '7', [f.tags]: 'hot' })).json.data
    const answer = await patch(id, { [f.count]: '8' })
    body(answer, 200, { data: record(id, { [f.title]: 'Third', [f.count]: '8', [f.tags]: 'hot' }), jsonapi })
    ours(answer)
    body(await get(id), 200, answer.json)
  })

  it('endpoint 3: DELETE answers 200, and after it the record is 404 on endpoints 1 to 3', async () => {
    const { id } = (await post({})).json.data
    const answer = await service.send('DELETE', `${deals.path}/${id}`, { headers: { 'Content-Type': JSON_API } })
    body(answer, 200, { meta: { type: deals.type, id }, jsonapi })
    ours(answer)
    for (const again of [await get(id), await patch(id, {}), await service.send('DELETE', `${deals.path}/${id}`)])
      refused(again, '404 record.not_found')
  })

  it('all values are returned as strings, in the form the contract gives for each kind', async () => {
    const values = {
      [f.title]: 'Text',
      [f.count]: '42',
      [f.amount]: '12.5',
      [f.met]: '2024-02-29 23:59:59',
      [f.company]: '2',
      [f.companies]: '-1-3-',
      [f.tags]: 'hot\r\ncold',
      [f.papers]: [
        { file_name: 'a.txt', content: 'A' },
        { file_name: 'b.bin', content: '', binary: true },
      ],
    }
    const answer = await post(values)
    const { id } = answer.json.data
    const shown = { ...values, [f.amount]: '12.50', [f.papers]: 'a.txt\r\nb.bin' } as Record<string, string>
    body(answer, 201, { data: record(id, shown), jsonapi })
    body(await get(id), 200, answer.json)
    for (const value of Object.values(answer.json.data.attributes)) assert.equal(typeof value, 'string')
  })

  it('status is numeric text, of which 0 and 1 occur', async () => {
    const { id } = (await post({ status: '1' })).json.data
    body(await get(id), 200, { data: record(id, {}, { status: '1' }), jsonapi })
  })

  it('a PATCH of a file field replaces the list of files, and the response shows the new names', async () => {
    const { id } = (await post({ [f.papers]: [{ file_name: 'old.txt', content: 'old' }] })).json.data
    const files = [
      { file_name: 'new.txt', content: 'new' },
      { file_name: 'scan.pdf', content: '', binary: true },
    ]
    const answer = await patch(id, { [f.papers]: files })
    body(answer, 200, { data: record(id, { [f.papers]: 'new.txt\r\nscan.pdf' }), jsonapi })
    assert.equal((await patch(id, { [f.papers]: [] })).json.data.attributes[f.papers], '')
  })

  it('file_name and content of a file object are required, binary is not', async () => {
    const place = `/data/attributes/${f.papers}/0`
    refused(await post({ [f.papers]: [{ content: 'x' }] }), `422 field.invalid_value ${place}/file_name`)
    refused(await post({ [f.papers]: [{ file_name: 'x' }] }), `422 field.invalid_value ${place}/content`)
    assert.equal((await post({ [f.papers]: [{ file_name: 'x', content: '' }] })).status, 201)
  })

  it('type and id of a body are those of the path, and POST sends no id', async () => {
    const { id } = (await post({})).json.data
    const sent = (method: string, data: unknown) =>
      service.send(method, method === 'POST' ? deals.path : `${deals.path}/${id}`, { body: { data } })
    refused(await sent('POST', { type: companies.type }), '409 document.wrong_type /data/type')
    refused(await sent('POST', { type: deals.type, id: '999' }), '403 document.client_id /data/id')
    refused(await sent('PATCH', { type: companies.type, id }), '409 document.wrong_type /data/type')
    refused(await sent('PATCH', { type: deals.type, id: `${id}0` }), '409 document.wrong_id /data/id')
  })

  it('an id that is null is no id', async () => {
    const answer = await service.send('POST', deals.path, { body: { data: { type: deals.type, id: null } } })
    assert.deepEqual([answer.status, answer.json.data?.type], [201, deals.type], answer.text)
    assert.match(answer.json.data.id, /^[1-9]\d*$/)
  })

  it('request bodies are JSON', async () => {
    refused(await service.send('POST', deals.path, { body: 'type=data1' }), '400 body.malformed ')
  })

  it('in record paths the word data is directly followed by the table id', async () => {
    refused(await service.send('GET', `/api/dev/data/${deals.id}/1`), '404 request.no_such_path')
  })

  it('every endpoint needs the header X-Auth-Token', async () => {
    for (const [method, path] of [
      ['GET', `${deals.path}/1`],
      ['PATCH', `${deals.path}/1`],
      ['DELETE', `${deals.path}/1`],
      ['GET', deals.path],
      ['POST', deals.path],
      ['GET', `/api/dev/table/${deals.id}`],
      ['GET', '/api/dev/user'],
    ] as const) {
      const sent = method === 'POST' || method === 'PATCH' ? { body: { data: { type: deals.type, id: '1' } } } : {}
      const answer = await service.send(method, path, { ...sent, token: null })
      refused(answer, '401 auth.token_missing X-Auth-Token')
      assert.deepEqual(answer.json.jsonapi, jsonapi)
      ours(answer)
    }
  })

  it('writes need the media type application/vnd.api+json', async () => {
    for (const [method, path] of [
      ['POST', deals.path],
      ['PATCH', `${deals.path}/1`],
    ] as const) {
      const answer = await service.send(method, path, { body: '{}', headers: { 'Content-Type': 'application/json' } })
      refused(answer, '415 request.wrong_media_type Content-Type')
    }
  })
})
