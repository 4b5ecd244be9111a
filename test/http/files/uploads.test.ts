import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { connect, type Socket } from 'node:net'
import { buffer, json, text } from 'node:stream/consumers'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { limits } from '../../../src/limits.ts'
import { operator } from '../../../src/store/catalogue/administrator.ts'
import { createRule } from '../../../src/store/structure/access-rules.ts'
import { startService, type Answer, type Service } from '../../support/service.ts'
import { storages } from '../../support/storages.ts'

const MIB = 1 << 20
/** Milliseconds for a request to arrive. */
const ARRIVAL = 1_000

for (const storage of storages)
  describe(`uploads of files to ${storage.name}`, () => {
    let begun: Awaited<ReturnType<typeof storage.begin>>
    let service: Service
    let table: number
    let papers: string
    let few: string
    const open: Socket[] = []

    before(async () => {
      begun = await storage.begin()
      service = await startService({ uploadLimit: 8 * MIB }, undefined, undefined, begun.files)
      const made = await service.table('Papers', {
        title: 'text',
        papers: 'file',
        few: { typeName: 'file', maxFiles: 2, maxKilobytes: 1, fileExtensions: ['txt'] },
      })
      table = made.id
      ;({ papers, few } = made.fields as { papers: string; few: string })
    })
    after(async () => {
      for (const socket of open) socket.destroy()
      await service.close()
      await begun.close()
    })

    const place = (record: string, name: string, field = papers) => `/api/dev/file/${table}/${field}/${record}/${encodeURIComponent(name)}`
    const put = (path: string, bytes: Uint8Array | string, headers: Record<string, string> = {}, token?: string): Promise<Answer> =>
      service.send('PUT', path, {
        body: bytes,
        headers: { 'Content-Type': 'application/octet-stream', ...headers },
        ...(token && { token }),
      })
    const record = () => service.make(`data${table}`, {})
    const refusal = ({ status, json: document }: Answer) => `${status} ${document?.errors?.[0].code}`
    const unfinished = () => storage.unfinished(service.directory)

    async function connected(head: string): Promise<{ socket: Socket; said(): string }> {
      const socket = connect(Number(new URL(service.url).port), '127.0.0.1').on('error', () => {})
      open.push(socket)
      let text = ''
      socket.setEncoding('latin1').on('data', (data: string) => (text += data))
      await once(socket, 'connect')
      socket.write(head)
      return { socket, said: () => text }
    }
    const head = (path: string, more: string, token = service.token) =>
      `PUT ${path} HTTP/1.1\r\nHost: x\r\nX-Auth-Token: ${token}\r\n${more}\r\n`
    const until = async (holds: () => boolean | Promise<boolean>) => {
      for (let i = 0; i < 3_000 && !(await holds()); i++) await sleep(20)
      assert.ok(await holds())
    }

    it('adds a file, replaces the one of its name, and writes one change each', async () => {
      const id = await record()
      const bytes = randomBytes(300_000)
      const hash = createHash('sha256').update(bytes).digest('hex')
      const added = await put(place(id, 'Отчёт.bin'), bytes)
      assert.equal(added.status, 201, added.text)
      assert.equal(added.headers.get('etag'), `"${hash}"`)
      assert.equal(added.headers.get('location'), place(id, 'Отчёт.bin'))
      assert.deepEqual(added.json.data.attributes, {
        file_name: 'Отчёт.bin',
        binary: true,
        size: 300_000,
        mime_type: 'application/octet-stream',
      })
      assert.equal((await put(place(id, 'b.txt', papers.slice(1)), 'one')).status, 201)
      const replaced = await put(place(id, 'b.txt'), 'two')
      assert.equal(replaced.status, 200)
      const shown = await service.get(`data${table}/${id}`)
      assert.equal(shown.json.data.attributes[papers], 'Отчёт.bin\r\nb.txt')
      const answer = await fetch(service.url + place(id, 'Отчёт.bin'), { headers: { 'X-Auth-Token': service.token } })
      assert.deepEqual(Buffer.from(await answer.arrayBuffer()), bytes)
      const history = async () => (await service.get(`data${table}/${id}/history?sort=id`)).json.data
      const changes = await history()
      assert.deepEqual(
        changes.map(({ attributes }: { attributes: { action: string } }) => attributes.action),
        ['create', 'update', 'update', 'update'],
      )
      // The same bytes again change nothing.
      assert.equal((await put(place(id, 'b.txt'), 'two')).json.data.id, replaced.json.data.id)
      assert.equal((await history()).length, 4)
    })

    it('accepts bodies of any type and length, also chunked and none', async () => {
      const id = await record()
      const chunked = async (type?: string) => {
        const sent = httpRequest(service.url + place(id, 'chunked.txt'), {
          method: 'PUT',
          headers: { 'X-Auth-Token': service.token, ...(type !== undefined && { 'Content-Type': type }) },
        })
        for (let i = 0; i < 5; i++) sent.write(`${i}`.repeat(1_000))
        sent.end()
        const [response] = (await once(sent, 'response')) as [IncomingMessage]
        // oxlint-disable-next-line typescript/no-explicit-any
        return { status: response.statusCode, document: (await json(response)) as any }
      }
      const { status, document } = await chunked()
      assert.deepEqual([status, document.data.attributes.size], [201, 5_000])
      assert.equal((await chunked('text/html; charset=utf-8')).status, 200)
      const empty = await service.send('PUT', place(id, 'empty.txt'))
      assert.deepEqual([empty.status, empty.json.data.attributes.size], [201, 0])
      assert.deepEqual((await put(place(id, 'empty.txt'), '')).status, 200)
      assert.equal((await service.send('GET', place(id, 'empty.txt'))).text, '')
    })

    it('is bounded by the settings of the service and of the field', async () => {
      const id = await record()
      const refused = async (path: string, bytes: Uint8Array | string) => refusal(await put(path, bytes))
      assert.equal(await refused(place(id, 'a.bin'), Buffer.alloc(8 * MIB + 1)), '413 body.too_large')
      assert.equal(await refused(place(id, 'a.txt', few), 'x'.repeat(1_025)), '413 body.too_large')
      const chunks = await connected(head(place(id, 'a.txt', few), 'Transfer-Encoding: chunked\r\n'))
      chunks.socket.write(`400\r\n${'x'.repeat(1_024)}\r\n1\r\nx\r\n`)
      await until(() => chunks.said().includes('body.too_large'))
      assert.equal(await refused(place(id, 'a.exe', few), 'x'), '422 field.invalid_value')
      assert.equal(await refused(place(id, 'a\nb.txt'), 'x'), '422 field.invalid_value')
      assert.equal(await refused(place(id, 'x'.repeat(256)), 'x'), '422 field.invalid_value')
      for (const name of ['1.txt', '2.txt']) assert.equal((await put(place(id, name, few), 'x'.repeat(1_024))).status, 201)
      assert.equal(await refused(place(id, '3.txt', few), 'x'), '422 field.invalid_value')
      assert.equal((await put(place(id, '2.txt', few), 'y')).status, 200)
      assert.equal((await service.get(`data${table}/${id}`)).json.data.attributes[few], '1.txt\r\n2.txt')
      await until(() => unfinished() === 0)
    })

    it('replaces the file whose name looks the same', async () => {
      const id = await record()
      assert.equal((await put(place(id, 'é.txt'), 'one')).status, 201)
      assert.equal((await put(place(id, 'e\u0301.txt'), 'two')).status, 200)
      assert.equal((await service.get(`data${table}/${id}`)).json.data.attributes[papers], 'e\u0301.txt')
    })

    it('obeys If-Match with the tag of the file or of the record, and If-None-Match', async () => {
      const id = await record()
      const path = place(id, 'a.txt')
      const first = await service.get(`data${table}/${id}`)
      assert.equal(refusal(await put(path, 'x', { 'If-Match': '*' })), '412 file.changed')
      const ofRecord = first.headers.get('etag')!
      const made = await put(path, 'one', { 'If-Match': ofRecord, 'If-None-Match': '*' })
      assert.equal(made.status, 201)
      assert.equal(refusal(await put(path, 'x', { 'If-Match': ofRecord })), '412 file.changed')
      assert.equal(refusal(await put(path, 'x', { 'If-None-Match': '*' })), '412 file.changed')
      const tag = made.headers.get('etag')!
      assert.equal((await put(path, 'two', { 'If-Match': tag })).status, 200)
      assert.equal(refusal(await put(path, 'x', { 'If-Match': tag })), '412 file.changed')
      assert.equal((await service.send('GET', path)).text, 'two')
    })

    it('is refused as a part, and with a content coding', async () => {
      const path = place(await record(), 'a.txt')
      await put(path, 'abcdefghij')
      assert.equal(refusal(await put(path, 'XX', { 'Content-Range': 'bytes 2-3/10' })), '400 header.invalid')
      assert.equal(refusal(await put(path, 'XX', { 'Content-Encoding': 'gzip' })), '415 request.wrong_encoding')
      assert.equal((await service.send('GET', path)).text, 'abcdefghij')
    })

    it('of two at once on one field, both stay', async () => {
      const id = await record()
      const names = Array.from({ length: 8 }, (_, i) => `${i}.txt`)
      const answers = await Promise.all(names.map((name) => put(place(id, name), name)))
      assert.deepEqual(
        answers.map(({ status }) => status),
        names.map(() => 201),
      )
      const shown = (await service.get(`data${table}/${id}`)).json.data.attributes[papers]
      assert.deepEqual(shown.split('\r\n').sort(), names)
    })

    it('needs the rights of the record and of the field, which are checked before the body', async () => {
      const other = await record()
      const rule = (group: number, given: object) =>
        createRule(service.store, operator, { groupId: group, tableId: table, read: true, update: true, ...given } as never)
      await rule(3, { writeFilter: `eq(id,${other})` })
      await rule(2, { fields: { [papers.slice(1)]: 'read_only', [few.slice(1)]: 'hidden' } })
      const [client, manager] = [await service.tokenOf(3), await service.tokenOf(2)]
      const reader = await service.tokenOf(1, { scope: 'read' })
      const said = async (path: string, token: string) => {
        const { said: text, socket } = await connected(head(path, 'Content-Length: 1000000\r\nExpect: 100-continue\r\n', token))
        await once(socket, 'close')
        return `${text().slice(9, 12)} ${/"code":"([^"]+)"/.exec(text())?.[1]}`
      }
      assert.equal(await said(place('1', 'a.txt'), reader), '403 access.denied')
      assert.equal(await said(place('1', 'a.txt'), client), '403 access.denied')
      assert.equal(await said(place('999999', 'a.txt'), service.token), '404 record.not_found')
      assert.equal(await said(place('1', 'a.txt'), manager), '400 attribute.read_only')
      assert.equal(await said(place('1', 'a.txt', few), manager), '404 file.field_not_found')
      assert.equal(await said(place('1', 'a.txt', 'f999'), service.token), '404 file.field_not_found')
      assert.equal(await said(place('1', 'a.txt', few), service.token), '413 body.too_large')
      const { socket, said: text } = await connected(head(place(other, 'a.txt'), 'Content-Length: 5\r\nExpect: 100-continue\r\n', client))
      await until(() => text().startsWith('HTTP/1.1 100 Continue\r\n\r\n'))
      socket.write('hello')
      await until(() => /\r\n\r\nHTTP\/1\.1 201 /.test(text()))
    })

    it('that breaks off leaves nothing', async () => {
      const id = await record()
      const { socket } = await connected(head(place(id, 'a.bin'), 'Content-Length: 1000000\r\n'))
      socket.write(Buffer.alloc(300_000))
      await until(() => unfinished() === 1)
      socket.destroy()
      await until(() => unfinished() === 0)
      assert.equal((await service.get(`data${table}/${id}`)).json.data.attributes[papers], '')
      assert.equal((await service.send('GET', place(id, 'a.bin'))).status, 404)
    })

    it('of one user at once are bounded', async () => {
      const id = await record()
      const before = open.length
      for (let i = 0; i < limits.uploadsOfUser.most; i++) {
        const { socket } = await connected(head(place(id, `${i}.bin`), 'Content-Length: 1000\r\n'))
        socket.write('x')
      }
      await until(() => unfinished() === limits.uploadsOfUser.most)
      assert.equal(refusal(await put(place(id, 'more.bin'), 'x')), '503 server.busy')
      for (const socket of open.slice(before)) socket.destroy()
      await until(async () => (await put(place(id, 'more.bin'), 'x')).status < 300)
    })
  })

it('an upload that arrives too slowly ends', async () => {
  const service = await startService({}, undefined, ARRIVAL)
  const { id, fields } = await service.table('Papers', { papers: 'file' })
  const place = `/api/dev/file/${id}/${fields['papers']}/${await service.make(`data${id}`, {})}`
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1').on('error', () => {})
  const said = text(socket)
  socket.write(`PUT ${place}/a.bin HTTP/1.1\r\nHost: x\r\nX-Auth-Token: ${service.token}\r\nContent-Length: 100000\r\n\r\n`)
  const drip = setInterval(() => socket.writable && socket.write('x'), 100)
  assert.match(await said, /^HTTP\/1\.1 408 [^]*request\.timed_out/)
  clearInterval(drip)
  await service.close()
})

for (const storage of storages)
  describe(`ranges of a file in ${storage.name}`, () => {
    let begun: Awaited<ReturnType<typeof storage.begin>>
    let service: Service
    let path: string
    const bytes = randomBytes(200_000)

    before(async () => {
      begun = await storage.begin()
      service = await startService({}, undefined, undefined, begun.files)
      const { id, fields } = await service.table('Papers', { papers: 'file' })
      path = `/api/dev/file/${id}/${fields['papers']}/${await service.make(`data${id}`, {})}/a.bin`
      const put = (name: string, body: Uint8Array) =>
        service.send('PUT', path.replace('a.bin', name), { body, headers: { 'Content-Type': 'application/octet-stream' } })
      assert.equal((await put('a.bin', bytes)).status, 201)
      assert.equal((await put('none.bin', Buffer.alloc(0))).status, 201)
    })
    after(async () => {
      await service.close()
      await begun.close()
    })

    const get = (headers: Record<string, string>, at = path, method = 'GET') =>
      fetch(service.url + at, { method, headers: { 'X-Auth-Token': service.token, ...headers } })
    const tag = `"${createHash('sha256').update(bytes).digest('hex')}"`

    for (const [range, start, end] of [
      ['bytes=0-0', 0, 0],
      ['bytes=100-199', 100, 199],
      ['bytes=70000-', 70_000, 199_999],
      ['bytes=199999-300000', 199_999, 199_999],
      ['bytes=-5', 199_995, 199_999],
      ['bytes=-900000', 0, 199_999],
      ['BYTES= 1-2 ', 1, 2],
    ] as const)
      it(`answers ${range} with these bytes`, async () => {
        const answer = await get({ Range: range })
        assert.equal(answer.status, 206)
        assert.equal(answer.headers.get('content-range'), `bytes ${start}-${end}/200000`)
        assert.equal(answer.headers.get('content-length'), String(end - start + 1))
        assert.deepEqual(Buffer.from(await answer.arrayBuffer()), bytes.subarray(start, end + 1))
      })

    for (const range of ['bytes=200000-', 'bytes=200000-200001', 'bytes=-0', `bytes=${'9'.repeat(400)}-`])
      it(`refuses ${range.slice(0, 30)}`, async () => {
        const answer = await get({ Range: range })
        assert.equal(answer.status, 416)
        assert.equal(answer.headers.get('content-range'), 'bytes */200000')
        assert.equal(JSON.parse(await answer.text()).errors[0].code, 'file.range_not_satisfiable')
      })

    for (const range of ['bytes=1-0', 'bytes=a-b', 'bytes=-', 'bytes', 'lines=1-2', 'bytes=0-1,5-6', 'bytes=0-1, -1', 'bytes 0-1'])
      it(`ignores ${range}`, async () => {
        const answer = await get({ Range: range })
        assert.deepEqual([answer.status, answer.headers.get('accept-ranges')], [200, 'bytes'])
        assert.equal((await answer.arrayBuffer()).byteLength, 200_000)
      })

    it('obeys If-Range, If-None-Match and If-Match, and HEAD has no range', async () => {
      const status = async (headers: Record<string, string>, method = 'GET') => {
        const answer = await get({ Range: 'bytes=0-1', ...headers }, path, method)
        await answer.arrayBuffer()
        return answer.status
      }
      assert.equal(await status({ 'If-Range': tag }), 206)
      assert.equal(await status({ 'If-Range': '"other"' }), 200)
      assert.equal(await status({ 'If-Range': `W/${tag}` }), 200)
      assert.equal(await status({ 'If-Range': 'Wed, 21 Oct 2015 07:28:00 GMT' }), 200)
      assert.equal(await status({ 'If-None-Match': tag }), 304)
      assert.equal(await status({ 'If-Match': '"other"' }), 412)
      assert.equal(await status({ 'If-Match': tag }), 206)
      const head = await get({ Range: 'bytes=0-1' }, path, 'HEAD')
      assert.deepEqual([head.status, head.headers.get('content-length'), head.headers.get('content-range')], [200, '200000', null])
    })

    it('of an empty file', async () => {
      const at = path.replace('a.bin', 'none.bin')
      assert.equal((await get({ Range: 'bytes=0-' }, at)).status, 416)
      const last = await get({ Range: 'bytes=-5' }, at)
      assert.deepEqual([last.status, await buffer(last.body!)], [200, Buffer.alloc(0)])
    })
  })
