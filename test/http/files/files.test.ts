import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { operator } from '../../../src/store/catalogue/administrator.ts'
import { createRule } from '../../../src/store/structure/access-rules.ts'
import { JSON_API, startService, type Service } from '../../support/service.ts'

describe('files over HTTP', () => {
  let service: Service
  let table: number
  let field: string
  let text: string
  let type: string

  before(async () => {
    service = await startService()
    const made = await service.table('Papers', { title: 'text', papers: 'file' })
    table = made.id
    ;({ papers: field, title: text } = made.fields as { papers: string; title: string })
    type = `data${table}`
  })
  after(() => service.close())

  const save = async (...files: object[]): Promise<string> => {
    const made = await service.send('POST', `/api/dev/${type}`, { body: { data: { type, attributes: { [field]: files } } } })
    assert.equal(made.status, 201, made.text)
    return made.json.data.id
  }
  const place = (id: string) => `/api/dev/file/${table}/${field}/${id}/`

  it('gives the bytes as they are', async () => {
    const bytes = Buffer.from([0, 255, 1, 254, 13, 10])
    const id = await save(
      { file_name: 'data.bin', content: bytes.toString('base64'), binary: true },
      { file_name: 'note.txt', content: 'Привет' },
    )
    const answer = await fetch(`${service.url}${place(id)}data.bin`, { headers: { 'X-Auth-Token': service.token } })
    assert.equal(answer.status, 200)
    assert.deepEqual(Buffer.from(await answer.arrayBuffer()), bytes)
    assert.equal(answer.headers.get('content-length'), '6')
    const note = await service.send('GET', `${place(id).replace(field, field.slice(1))}note.txt`)
    assert.deepEqual([note.status, note.text, note.headers.get('content-type')], [200, 'Привет', 'text/plain'])
  })

  it('survives a client that has left when the bytes are there', async () => {
    const id = await save({ file_name: 'a.txt', content: 'x'.repeat(100_000) })
    const [asked, gone] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const { stream } = service.store.files
    let opened: { readonly destroyed: boolean } | undefined
    Object.assign(service.store.files, {
      async stream(hash: string) {
        asked.resolve()
        await gone.promise
        opened = (await stream(hash)) as unknown as typeof opened
        return opened
      },
    })
    const client = connect(Number(new URL(service.url).port), '127.0.0.1')
    client.write(`GET ${place(id)}a.txt HTTP/1.1\r\nHost: x\r\nX-Auth-Token: ${service.token}\r\n\r\n`)
    await asked.promise
    client.destroy()
    // What the server hears of it comes before what is asked on another connection.
    await once(client, 'close')
    await service.send('GET', '/api/dev')
    gone.resolve()
    Object.assign(service.store.files, { stream })
    assert.equal((await service.send('GET', `${place(id)}a.txt`)).text.length, 100_000)
    assert.equal(opened?.destroyed, true)
  })

  it('lets nothing run in the name of the service', async () => {
    for (const [name, how] of [
      ['photo.png', 'inline'],
      ['note.txt', 'inline'],
      ['song.mp3', 'inline'],
      ['page.html', 'attachment'],
      ['image.svg', 'attachment'],
      ['feed.xml', 'attachment'],
      ['code.js', 'attachment'],
      ['code.mjs', 'attachment'],
      ['style.css', 'attachment'],
      ['doc.pdf', 'inline'],
      ['page.xhtml', 'attachment'],
      ['what', 'attachment'],
    ] as const) {
      const id = await save({ file_name: name, content: '<script>alert(1)</script>' })
      const { headers } = await service.send('GET', place(id) + name)
      assert.equal(headers.get('content-disposition'), `${how}; filename="${name}"`)
      assert.equal(headers.get('x-content-type-options'), 'nosniff')
      assert.match(headers.get('content-security-policy')!, /sandbox/)
    }
  })

  it('names any file exactly', async () => {
    for (const name of ['Отчёт за май.pdf', 'a "quoted" name.txt', '100%.txt', "it's (1).txt", '+&?#;=.txt', '𝄞.mid', '..hidden']) {
      const id = await save({ file_name: name, content: name })
      const { json } = await service.send('GET', `${place(id)}?filename=${encodeURIComponent(name)}`)
      const [{ attributes, links }] = json.data
      assert.deepEqual([attributes.file_name, Buffer.from(attributes.content, 'base64').toString()], [name, name])
      const raw = await service.send('GET', links.enclosure)
      assert.equal(raw.text, name)
      const [, encoded] = /filename\*=UTF-8''(\S+)$/.exec(raw.headers.get('content-disposition')!) ?? []
      if (encoded !== undefined) assert.equal(decodeURIComponent(encoded), name)
      assert.equal((await service.send('GET', links.self)).json.data[0].id, json.data[0].id)
    }
  })

  it('lists the files of a field as resources, without content', async () => {
    const id = await save({ file_name: 'b.txt', content: 'bb' }, { file_name: 'a.png', content: '', binary: true })
    const { status, headers, json } = await service.send('GET', place(id))
    assert.deepEqual([status, headers.get('content-type')], [200, JSON_API])
    assert.deepEqual(
      json.data.map(({ type: of, attributes }: { type: string; attributes: object }) => [of, attributes]),
      [
        ['file', { file_name: 'b.txt', binary: true, size: 2, mime_type: 'text/plain' }],
        ['file', { file_name: 'a.png', binary: true, size: 0, mime_type: 'image/png' }],
      ],
    )
    assert.equal(json.links.self, service.url + place(id).slice(0, -1))
    assert.equal(json.meta.total, 2)
    assert.deepEqual(json.jsonapi, { version: '1.1' })
    const only = await service.send('GET', `${place(id)}?fields[file]=size`)
    assert.deepEqual(only.json.data[0].attributes, { size: 2 })
  })

  it('keeps id and bytes of a file that is sent back without content', async () => {
    const id = await save({ file_name: 'a.txt', content: 'kept' })
    const [before] = (await service.send('GET', place(id))).json.data
    const body = {
      data: {
        type,
        id,
        attributes: {
          [field]: [
            { file_name: 'new.txt', content: 'n' },
            { file_name: 'a.txt', content: '', binary: true },
          ],
        },
      },
    }
    const changed = await service.send('PATCH', `/api/dev/${type}/${id}`, { body })
    assert.equal(changed.json.data.attributes[field], 'new.txt\r\na.txt')
    const after = (await service.send('GET', place(id))).json.data
    assert.deepEqual(after[1], before)
    assert.equal((await service.send('GET', `${place(id)}a.txt`)).text, 'kept')
  })

  it('takes its own resources back', async () => {
    const id = await save({ file_name: 'a.txt', content: 'kept' })
    const [{ attributes }] = (await service.send('GET', `${place(id)}?filename=a.txt`)).json.data
    const changed = await service.send('PATCH', `/api/dev/${type}/${id}`, {
      body: { data: { type, id, attributes: { [field]: [attributes] } } },
    })
    assert.equal(changed.status, 200)
    assert.equal((await service.send('GET', `${place(id)}a.txt`)).text, 'kept')
  })

  it('has a strong ETag by content', async () => {
    const id = await save({ file_name: 'a.txt', content: 'x' }, { file_name: 'b.txt', content: 'x' })
    const tag = (await service.send('GET', `${place(id)}a.txt`)).headers.get('etag')!
    assert.match(tag, /^"[0-9a-f]{64}"$/)
    assert.equal((await service.send('GET', `${place(id)}b.txt`)).headers.get('etag'), tag)
    const known = await service.send('GET', `${place(id)}a.txt`, { headers: { 'If-None-Match': tag } })
    assert.deepEqual([known.status, known.text, known.headers.get('etag')], [304, '', tag])
    const head = await service.send('HEAD', `${place(id)}a.txt`)
    assert.deepEqual([head.status, head.headers.get('content-length'), head.text], [200, '1', ''])
  })

  it('is 404 for what is not there or not for the caller', async () => {
    const id = await save({ file_name: 'a.txt', content: 'x' })
    for (const [address, code] of [
      [`${place(id)}b.txt`, 'file.not_found'],
      [`${place(id)}?filename=b.txt`, 'file.not_found'],
      [`${place(id)}..%2Fa.txt`, 'file.not_found'],
      [`/api/dev/file/${table}/${text}/${id}/`, 'file.field_not_found'],
      [`/api/dev/file/${table}/f999/${id}/a.txt`, 'file.field_not_found'],
      [`/api/dev/file/${table}/__proto__/${id}/a.txt`, 'file.field_not_found'],
      [`/api/dev/file/${table}/${field}/99999/a.txt`, 'record.not_found'],
      [`/api/dev/file/999/${field}/${id}/a.txt`, 'table.not_found'],
      [`/api/dev/file/${table}/${field}/0/a.txt`, 'request.no_such_path'],
    ] as const) {
      const answer = await service.send('GET', address)
      assert.deepEqual([answer.status, answer.json.errors[0].code], [404, code], address)
    }
    const token = await service.tokenOf(3)
    assert.equal((await service.send('GET', `${place(id)}a.txt`, { token })).status, 404)
    const rule = { groupId: 3, tableId: table, read: true, fields: { [field.slice(1)]: 'hidden' } }
    await createRule(service.store, operator, rule as never)
    const hidden = await service.send('GET', `${place(id)}a.txt`, { token })
    assert.deepEqual([hidden.status, hidden.json.errors[0].code], [404, 'file.field_not_found'])
    assert.equal((await service.send('GET', `${place(id)}a.txt`, { token: null })).status, 401)
  })
})
