import assert from 'node:assert/strict'
import { readdirSync, readlinkSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { after, before, describe, it } from 'node:test'
import type { Worker } from 'node:worker_threads'
import { startBeats } from '../../support/watched/beats.ts'
import { errorsOf, JSON_API, startService, type Answer, type Service } from '../../support/service.ts'
import { randomOf } from '../../support/random.ts'
import { seed } from '../../support/seed.ts'

const random = randomOf(seed)

const MIB = 1 << 20

describe('bodies of many MiB', () => {
  let service: Service
  let type: string
  let table: number
  let file: string
  let text: string
  before(async () => {
    service = await startService({ bodyLimit: 64 * MIB })
    const made = await service.table('With files', { file: 'file', text: 'longtext' })
    table = made.id
    type = `data${table}`
    ;[file, text] = [made.fields['file']!, made.fields['text']!]
  })
  after(() => service.close())

  const documentOf = (files: readonly object[], more: object = {}) =>
    JSON.stringify({ data: { type, attributes: { [file]: files, ...more } } })
  const send = (body: string | Uint8Array, headers: Record<string, string> = {}) =>
    service.send('POST', `/api/dev/${type}`, { body, headers })
  const bytesOf = async (id: string, name: string): Promise<Buffer> => {
    const answer = await fetch(`${service.url}/api/dev/file/${table}/${file}/${id}/${name}`, { headers: { 'X-Auth-Token': service.token } })
    assert.equal(answer.status, 200)
    return Buffer.from(await answer.arrayBuffer())
  }
  const idOf = (made: Answer): string => {
    assert.equal(made.status, 201, made.text.slice(0, 500))
    return made.json.data.id
  }

  const begun = (length: number): Socket => {
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1')
    socket.on('error', () => undefined)
    socket.write(head(length))
    return socket
  }
  const written = (socket: Socket, bytes: Uint8Array) => new Promise<void>((done) => socket.write(bytes, () => done()))
  const large = (content: string, more: object = {}) => documentOf([{ file_name: 'large', content, binary: true, ...more }])

  it('keep nobody waiting: the thread that serves never works for long', async () => {
    const body = Buffer.from(large(Buffer.alloc(42 * MIB, 'content of a file').toString('base64')))
    const socket = begun(body.length)
    let answer = ''
    socket.once('data', (data) => (answer = data.toString('latin1', 0, 12)))
    const beats = startBeats()
    // A test that hands over all of it at once would work as long itself.
    for (let at = 0; at < body.length; at += MIB) await written(socket, body.subarray(at, at + MIB))
    let others = 0
    for (; answer === ''; others++) assert.equal((await service.get('user')).status, 200)
    const { worked } = beats.take()
    beats.end()
    assert.equal(answer, 'HTTP/1.1 201')
    socket.destroy()
    // In memory it is half a second, for a much faster machine too.
    assert.ok(worked < 200, `${worked} ms`)
    assert.ok(others > 5, `${others}`)
  })

  const head = (length: number) =>
    `POST /api/dev/${type} HTTP/1.1\r\nHost: x\r\nX-Auth-Token: ${service.token}\r\nContent-Type: ${JSON_API}\r\nContent-Length: ${length}\r\n\r\n`

  it('bring each file byte for byte, also when they are changed or sent again', async () => {
    const bytes = random.bytes(3 * MIB)
    const note = 'Привет 😀 "\\"\n\t\u0001'.repeat(40_000)
    const files = [
      { file_name: 'a.bin', content: bytes.toString('base64').replace(/.{76}/g, '$&\r\n'), binary: true },
      { file_name: 'empty', content: '', binary: true },
      { file_name: 'b.txt', content: note },
    ]
    const body = documentOf(files, { [text]: 'long' })
    const made = await send(body, { 'Idempotency-Key': 'large' })
    const id = idOf(made)
    assert.equal(made.json.data.attributes[text], 'long')
    assert.deepEqual([await bytesOf(id, 'a.bin'), await bytesOf(id, 'b.txt')], [bytes, Buffer.from(note)])
    assert.equal((await bytesOf(id, 'empty')).length, 0)
    const again = await send(body, { 'Idempotency-Key': 'large' })
    assert.deepEqual([again.status, again.text], [201, made.text])
    assert.deepEqual(errorsOf(await send(`${body} `, { 'Idempotency-Key': 'large' })), ['422 idempotency.other_body Idempotency-Key'])
    const other = random.bytes(3 * MIB)
    const changed = await service.change(type, id, {
      [file]: [
        { file_name: 'a.bin', content: other.toString('base64'), binary: true },
        { file_name: 'b.txt', content: '', binary: true },
      ],
    })
    assert.equal(changed.status, 200)
    assert.deepEqual([await bytesOf(id, 'a.bin'), await bytesOf(id, 'b.txt')], [other, Buffer.from(note)])
  })

  it('are refused as small ones are', async () => {
    const broken: ((content: string) => string)[] = [
      (content) => large(content).slice(0, -1),
      (content) => large(content).slice(0, -10),
      (content) => large(`${content}!`),
      (content) => large(`${content}A`),
      (content) => large(content, { binary: 'yes' }),
      (content) => large(content, { file_name: 7 }),
      (content) => large(content, { file_name: 'a/b' }),
      (content) => large(content, { more: 1 }),
      (content) => large(content).replace('"large"', '"la\nrge"'),
      (content) => large(content).replace('"large"', 'true'),
      (content) =>
        documentOf([
          { file_name: 'a', content },
          { file_name: 'a', content: '' },
        ]),
      (content) => documentOf([{ file_name: 'a', content }, []]),
      (content) => documentOf([{ file_name: 'a', content }], { [text]: 7, f999: 'x', [`${text}0`]: 'y' }),
      (content) => documentOf([], { [text]: [{ file_name: 'a', content }] }),
      (content) => large(content).replace(type, 'data999'),
      (content) => large(content).replace('{', `{"meta":${'['.repeat(70)}${']'.repeat(70)},`),
      (content) => large(content).replace('{', `{${Array.from({ length: 10_001 }, (_, n) => `"m${n}":1`).join(',')},`),
    ]
    const wordsOf = ({ status, json }: Answer) => [
      status,
      json.errors.map(({ code, detail, source }: Record<string, unknown>) => [code, String(detail).replace(/\d+\.$/, '…'), source]),
    ]
    for (const make of broken) {
      const small = await send(make('QUJD'))
      assert.notEqual(small.status, 201)
      assert.deepEqual(wordsOf(await send(make('QUJD'.repeat(MIB)))), wordsOf(small), make('QUJD').slice(0, 300))
    }
    const control = large('QUJD'.repeat(MIB)).replace('JD"', 'J\u0001"')
    const { detail } = (await send(control)).json.errors[0]
    assert.equal(detail, `The body is not JSON: it breaks off at position ${control.indexOf('\u0001')}.`)
    const notUtf8 = Buffer.from(large('QUJD'.repeat(MIB)))
    notUtf8[3 * MIB] = 0xff
    assert.equal((await send(notUtf8)).json.errors[0].detail, 'The body is not UTF-8.')
  })

  it('have as much besides the contents of files as bodies without any', async () => {
    const body = documentOf([{ file_name: 'a', content: 'QUJD'.repeat(MIB) }], { [text]: 'x'.repeat(2 * MIB) })
    assert.deepEqual(errorsOf(await send(body)), ['413 body.too_large_besides'])
  })

  it('end nothing but themselves where the thread that reads them is killed', async () => {
    const one = await startService({ bodyLimit: 64 * MIB })
    try {
      const { id, fields } = await one.table('With files', { file: 'file' })
      const add = () => one.add(`data${id}`, { [fields['file']!]: [{ file_name: 'a', content: 'QUJD'.repeat(2 * MIB), binary: true }] })
      let killed = 0
      // Known by its heap; others may be started meanwhile.
      const kill = (worker: Worker) => {
        if (worker.resourceLimits?.maxOldGenerationSizeMb !== 128) return
        killed++
        worker.once('online', () => void worker.terminate())
      }
      process.on('worker', kill)
      const [first, second, others] = await Promise.all([add(), add(), one.get('user')])
      process.off('worker', kill)
      assert.deepEqual([errorsOf(first), errorsOf(second)], [['500 server.internal'], ['500 server.internal']])
      assert.equal(others.status, 200)
      assert.equal(killed, 2)
      assert.equal((await add()).status, 201)
    } finally {
      await one.close()
    }
  })

  it('leave nothing behind, also where a client goes', async () => {
    const body = Buffer.from(large('QUJD'.repeat(4 * MIB)))
    const sockets = [begun(body.length), begun(body.length), begun(body.length)]
    // One goes in the middle, the others while theirs is read or waits.
    await written(sockets[0]!, body.subarray(0, 5 * MIB))
    for (const socket of sockets.slice(1)) await written(socket, body)
    for (const socket of sockets) socket.destroy()
    assert.equal((await send(large('QUJD'.repeat(MIB)))).status, 201)
    const open = () =>
      readdirSync('/proc/self/fd').filter((descriptor) => {
        try {
          return readlinkSync(`/proc/self/fd/${descriptor}`).endsWith('.part (deleted)')
        } catch {
          return false
        }
      })
    for (let left = 200; left > 0 && open().length > 0; left--) await new Promise((next) => setTimeout(next, 50))
    assert.deepEqual(open(), [])
    assert.ok(readdirSync(`${service.directory}/files`).every((name) => !name.endsWith('.part')))
  })
})
