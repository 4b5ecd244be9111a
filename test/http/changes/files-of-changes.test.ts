import assert from 'node:assert/strict'
import { utimesSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, describe, it } from 'node:test'
import { sweepChanges } from '../../../src/store/changes/sweep-changes.ts'
import { sweepFiles } from '../../../src/store/records/files.ts'
import { makeTable, person, refused, type Table } from '../../support/scene.ts'
import { startService, type Service } from '../../support/service.ts'

const DAY = 86_400_000

describe('files of old versions', () => {
  let service: Service
  let deals: Table
  let title: string
  let paper: string
  let secret: string
  before(async () => {
    service = await startService()
    deals = await makeTable(service, 'Deals', { title: 'text', paper: 'file', secret: 'file' })
    ;({ title, paper, secret } = deals.f as { title: string; paper: string; secret: string })
  })
  after(() => service.close())

  const file = (content: string, file_name = 'offer.txt') => [{ file_name, content }]
  const make = (attributes: object) => service.make(deals.type, attributes)
  const put = async (id: string, attributes: object) => assert.equal((await service.change(deals.type, id, attributes)).status, 200)
  const changesOf = async (id: string): Promise<string[]> =>
    (await service.get(`change?filter=and(eq(table_id,${deals.id}),eq(record_id,${id}))`)).json.data.map((one: { id: string }) => one.id)
  const place = (change: string, side: string, field = paper, name = 'offer.txt') => `change/${change}/file/${field}/${side}/${name}`
  /** Removes the bytes that nothing names. */
  async function sweep(): Promise<number> {
    const long = new Date(0)
    for await (const hash of service.store.files.list())
      utimesSync(join(service.directory, 'files', hash.slice(0, 2), hash.slice(2)), long, long)
    return sweepFiles(service.store)
  }

  it('are kept and read as they were before each change and after it, also of records in the trash', async () => {
    const id = await make({ [title]: 'Roof', [paper]: file('first') })
    await put(id, { [paper]: file('second') })
    await put(id, { [paper]: [] })
    await service.remove(`${deals.type}/${id}`)
    assert.equal(await sweep(), 0)
    const [created, replaced, emptied] = (await changesOf(id)) as [string, string, string]
    const read = async (change: string, side: string) => (await service.get(place(change, side))).text
    assert.deepEqual(
      [await read(created, 'to'), await read(replaced, 'from'), await read(replaced, 'to'), await read(emptied, 'from')],
      ['first', 'first', 'second', 'second'],
    )
    const answer = await service.get(place(replaced, 'from', paper.slice(1)))
    assert.deepEqual(
      ['content-type', 'content-disposition', 'content-security-policy'].map((name) => answer.headers.get(name)),
      ['text/plain', 'inline; filename="offer.txt"', "default-src 'none'; sandbox"],
    )
    const known = await service.send('GET', `/api/dev/${place(replaced, 'from')}`, {
      headers: { 'If-None-Match': answer.headers.get('etag')! },
    })
    assert.equal(known.status, 304)
    refused(await service.get(place(created, 'from')), '404 file.not_found')
    refused(await service.get(place(created, 'both')), '404 file.not_found')
    refused(await service.get(place(created, 'to', paper, 'x.txt')), '404 file.not_found')
    refused(await service.get(place(created, 'to', title)), '404 file.field_not_found')
    refused(await service.get(place('999999999999', 'to')), '404 resource.not_found')
  })

  it('are there only for those who may read the record and the field', async () => {
    const group = Number(await service.make('group', { group_name: 'Sellers' }))
    const fields = { [secret.slice(1)]: 'hidden' }
    await service.make('access', { group_id: group, table_id: deals.id, read: true, fields, read_filter: `starts_with(${title},'Seen')` })
    const { token } = await person(service, group, 'seller')
    const seen = await make({ [title]: 'Seen', [paper]: file('paper'), [secret]: file('secret') })
    await put(seen, { [secret]: file('other secret') })
    const unseen = await make({ [title]: 'Unseen', [paper]: file('unseen') })
    const [created, changed] = (await changesOf(seen)) as [string, string]
    const [elsewhere] = (await changesOf(unseen)) as [string]
    const read = async (path: string) => (await service.get(path, token)).text
    assert.equal(await read(place(created, 'to')), 'paper')
    refused(await service.get(place(created, 'to', secret), token), '404 file.field_not_found')
    refused(await service.get(place(changed, 'to', secret), token), '404 resource.not_found')
    refused(await service.get(place(elsewhere, 'to'), token), '404 resource.not_found')
    await service.remove(`${deals.type}/${seen}`)
    assert.equal(await read(place(created, 'to')), 'paper', 'in the trash')
    await service.remove(`${deals.type}/${unseen}`)
    refused(await service.get(place(elsewhere, 'to'), token), '404 resource.not_found')
    const limited = await service.tokenOf(1, { tables: [(await makeTable(service, 'Elsewhere', {})).id] })
    refused(await service.get(place(created, 'to'), limited), '404 resource.not_found')
  })

  it('of a field that became another type are those that it had', async () => {
    const id = await make({ [paper]: file('converted away') })
    const [created] = (await changesOf(id)) as [string]
    const other = await makeTable(service, 'Other', { paper: 'file' })
    const name = other.f['paper']!
    await service.make(other.type, { [name]: file('kept') })
    const made = (await service.get(`change?filter=eq(table_id,${other.id})`)).json.data[0].id
    assert.equal((await service.change('field', name.slice(1), { field_type: 'text' }, undefined, '?convertMode=lossy')).status, 200)
    assert.equal(await sweep(), 0)
    assert.equal((await service.get(place(made, 'to', name))).text, 'kept')
    assert.equal((await service.get(place(created, 'to'))).text, 'converted away')
  })

  it('go with a record that is erased', async () => {
    const id = await make({ [paper]: file('erased first') })
    await put(id, { [paper]: file('erased second') })
    const [created] = (await changesOf(id)) as [string]
    await service.remove(`${deals.type}/${id}`)
    const [trash] = (await service.get(`trash?filter=eq(item_id,${id})`)).json.data
    assert.equal((await service.remove(`trash/${trash.id}`)).status, 200)
    assert.equal(await sweep(), 2)
    refused(await service.get(place(created, 'to')), '404 resource.not_found')
  })

  it('go with a field that is erased', async () => {
    const made = await makeTable(service, 'Erased', { paper: 'file' })
    const name = made.f['paper']!
    const id = await service.make(made.type, { [name]: file('field first') })
    await service.change(made.type, id, { [name]: file('field second') })
    await service.remove(`field/${name.slice(1)}`)
    assert.equal(await sweep(), 0)
    const [trash] = (await service.get(`trash?filter=eq(item_id,${name.slice(1)})`)).json.data
    assert.equal((await service.remove(`trash/${trash.id}`)).status, 200)
    assert.equal(await sweep(), 2)
  })

  it('go with the changes that name them when these are too old; what records have stays', async () => {
    const id = await make({ [paper]: file('too old') })
    await put(id, { [paper]: file('present') })
    service.clock.now += 40 * DAY
    await make({ [title]: 'of another month' })
    await sweepChanges(service.store)
    await make({ [title]: 'in a new piece' })
    service.clock.now += 370 * DAY
    await sweepChanges(service.store)
    assert.ok((await sweep()) > 0)
    const hashes: string[] = []
    for await (const hash of service.store.files.list()) hashes.push(await text((await service.store.files.stream(hash))!))
    assert.ok(!hashes.includes('too old'))
    assert.ok(hashes.includes('present'))
    assert.equal((await service.get(`file/${deals.id}/${paper}/${id}/offer.txt`)).text, 'present')
  })
})
