import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startService, type Service } from '../../support/service.ts'
import { body, makeTable, refused, type Table } from '../../support/scene.ts'

/* The section Files of DECISIONS.md. What files.test.ts pins already is not repeated. */

describe('files, as decided', () => {
  let service: Service
  let table: Table
  let papers: string

  before(async () => {
    service = await startService()
    table = await makeTable(service, 'Papers', { name: 'text', papers: 'file' })
    papers = table.f['papers']!
  })
  after(() => service.close())

  const add = (...files: object[]) => service.add(table.type, { [papers]: files })
  const change = (id: string, ...files: object[]) => service.change(table.type, id, { [papers]: files })
  const place = (id: string) => `/api/dev/file/${table.id}/${papers}/${id}/`
  const bytes = async (id: string, name: string) => {
    const answer = await fetch(service.url + place(id) + encodeURIComponent(name), { headers: { 'X-Auth-Token': service.token } })
    assert.equal(answer.status, 200)
    return Buffer.from(await answer.arrayBuffer()).toString('hex')
  }
  const unfit = `422 field.invalid_value /data/attributes/`

  it('content is base64 when binary is true, otherwise the literal text in UTF-8', async () => {
    const { id } = (
      await add(
        { file_name: 'a', content: 'AP8=', binary: true },
        { file_name: 'b', content: 'AP8=', binary: false },
        { file_name: 'c', content: 'Ё\u0000' },
      )
    ).json.data
    assert.deepEqual([await bytes(id, 'a'), await bytes(id, 'b'), await bytes(id, 'c')], ['00ff', '4150383d', 'd08100'])
  })

  it('bad base64 is 422', async () => {
    for (const content of ['AP8', 'A', 'AP8=x', '====', 'not base64', 'AP-_', 'QQ==QQ==', 'Ё'])
      refused(await add({ file_name: 'a', content, binary: true }), unfit + papers)
  })

  it('binary with empty content keeps the bytes of a file of that name, or makes an empty file', async () => {
    const { id } = (await add({ file_name: 'a', content: 'kept' })).json.data
    const answer = await change(id, { file_name: 'new', content: '', binary: true }, { file_name: 'a', content: '', binary: true })
    assert.equal(answer.json.data.attributes[papers], 'new\r\na')
    assert.deepEqual([await bytes(id, 'a'), await bytes(id, 'new')], [Buffer.from('kept').toString('hex'), ''])
    await change(id, { file_name: 'a', content: '' })
    assert.equal(await bytes(id, 'a'), '', 'without binary, empty means empty')
  })

  it('names have at most 255 bytes, no slash or control character, and are not . or ..', async () => {
    for (const file_name of [
      '',
      '.',
      '..',
      'a/b',
      'a\\b',
      'a\0b',
      'a\nb',
      'a\rb',
      'a\tb',
      'a\u0085b',
      'half \ud800',
      'x'.repeat(256),
      'я'.repeat(128),
    ])
      refused(await add({ file_name, content: '' }), unfit + papers)
    for (const file_name of ['...', '.a', 'x'.repeat(255), `${'я'.repeat(127)}x`, ' ']) {
      const { json } = await add({ file_name, content: 'x' })
      assert.equal(json.data.attributes[papers], file_name)
      assert.equal(await bytes(json.data.id, file_name), '78')
    }
  })

  it('two files of one field do not share a name', async () => {
    refused(await add({ file_name: 'a', content: '1' }, { file_name: 'a', content: '2' }), unfit + papers)
    refused(await add({ file_name: 'é', content: '1' }, { file_name: 'e\u0301', content: '2' }), unfit + papers)
    assert.equal((await add({ file_name: 'a', content: '1' }, { file_name: 'A', content: '2' })).status, 201)
  })

  it('with filename the JSON answer has content in base64; without, all files and no content', async () => {
    const { id } = (await add({ file_name: 'a.txt', content: 'A' }, { file_name: 'b.txt', content: 'BB' })).json.data
    const all = (await service.send('GET', place(id))).json.data
    const file = (i: number, content?: string) => ({
      type: 'file',
      id: all[i].id,
      attributes: {
        file_name: ['a.txt', 'b.txt'][i],
        ...(content && { content }),
        binary: true,
        size: i + 1,
        mime_type: 'text/plain',
      },
      links: { self: `${place(id)}?filename=${['a.txt', 'b.txt'][i]}`, enclosure: place(id) + ['a.txt', 'b.txt'][i] },
    })
    const at = `${service.url}${place(id).slice(0, -1)}`
    const jsonapi = { version: '1.1' }
    body(await service.send('GET', place(id)), 200, { data: [file(0), file(1)], links: { self: at }, meta: { total: 2 }, jsonapi })
    body(await service.send('GET', `${place(id)}?filename=b.txt`), 200, {
      data: [file(1, 'QkI=')],
      links: { self: `${at}?filename=b.txt` },
      meta: { total: 1 },
      jsonapi,
    })
  })

  it('a file of a record in the trash is gone, and there again with it', async () => {
    const { id } = (await add({ file_name: 'a', content: 'x' })).json.data
    await service.remove(`${table.type}/${id}`)
    assert.equal((await service.send('GET', `${place(id)}a`)).status, 404)
    const [entry] = (await service.get(`trash?filter=eq(item_id,${id})`)).json.data
    await service.call('POST', `trash/${entry.id}/restore`)
    assert.equal(await bytes(id, 'a'), '78')
  })

  it('files are filtered by their names', async () => {
    const { id } = (await add({ file_name: 'Счёт № 7.pdf', content: '' }, { file_name: 'zeta.txt', content: '' })).json.data
    for (const filter of [
      `has(${papers},'счет № 7.pdf')`,
      `contains(${papers},'ЗЕТА')`.replace('ЗЕТА', 'ZETA'),
      `eq(${papers},'счёт № 7.pdf\r\nzeta.txt')`,
    ])
      assert.deepEqual(
        (await service.get(`${table.type}?filter=${encodeURIComponent(filter)}`)).json.data.map((one: { id: string }) => one.id),
        [id],
      )
  })
})
