import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import type { RequestListener } from 'node:http'
import { after, before, describe, it } from 'node:test'
import sharp from 'sharp'
import { missingFiles, sweepFiles } from '../../../src/store/records/files.ts'
import { readiness } from '../../../src/store/upkeep/readiness.ts'
import { s3Files } from '../../../src/store/s3/s3-files.ts'
import { s3Requests } from '../../../src/store/s3/requests.ts'
import { bucketAt, startBucket, startFaulty, type TestBucket } from '../../support/bucket.ts'
import { startService, type Answer, type Service } from '../../support/service.ts'

const SECRET = 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY'
const put = (service: Service, path: string, body: Uint8Array | string): Promise<Answer> =>
  service.send('PUT', path, { body, headers: { 'Content-Type': 'application/octet-stream' } })

describe('files in a bucket', () => {
  let bucket: TestBucket
  let service: Service
  let table: number
  let papers: string
  before(async () => {
    bucket = await startBucket()
    service = await startService({}, undefined, undefined, bucket.files)
    const made = await service.table('Papers', { papers: 'file' })
    table = made.id
    papers = made.fields['papers']!
  })
  after(async () => {
    await service.close()
    await bucket.close()
  })
  const record = () => service.make(`data${table}`, {})
  const place = (id: string, name: string) => `/api/dev/file/${table}/${papers}/${id}/${name}`

  it('are sent in documents, by links and as HEAD says, and stay until nothing names them', async () => {
    const sent = await service.make(`data${table}`, { [papers]: [{ file_name: 'a.txt', content: 'a bill' }] })
    const shown = await service.get(`file/${table}/${papers}/${sent}?filename=a.txt`)
    assert.equal(shown.json.data[0].attributes.content, Buffer.from('a bill').toString('base64'))
    const { links } = (await service.send('POST', `${place(sent, 'a.txt')}/link`)).json
    assert.equal((await service.send('GET', links.enclosure, { token: null })).text, 'a bill')
    const head = await service.send('HEAD', place(sent, 'a.txt'))
    assert.deepEqual([head.status, head.headers.get('content-length')], [200, '6'])
    assert.deepEqual(await missingFiles(service.store), { missing: 0, of: 1 })
    assert.equal(await sweepFiles(service.store), 0)
    assert.equal(await readiness(service.store)(), undefined)
  })

  it('have small images there too', async () => {
    const id = await record()
    const image = await sharp({ create: { width: 300, height: 100, channels: 3, background: '#c03020' } })
      .jpeg()
      .toBuffer()
    assert.equal((await put(service, place(id, 'a.jpg'), image)).status, 201)
    const small = async () => {
      const answer = await fetch(`${service.url}${place(id, 'a.jpg')}?thumbnail=64`, { headers: { 'X-Auth-Token': service.token } })
      assert.equal(answer.status, 200)
      return Buffer.from(await answer.arrayBuffer())
    }
    const first = await small()
    assert.equal((await sharp(first).metadata()).width, 64)
    const hash = createHash('sha256').update(image).digest('hex')
    assert.deepEqual(Buffer.from((await service.store.files.small.get(hash, '64'))!), first)
    assert.deepEqual(await small(), first)
  })
})

describe('a bucket that fails', () => {
  const works: RequestListener = (request, response) => void request.resume().once('end', () => response.writeHead(404).end())
  let listener = works
  const patience = { connect: 5_000, stall: 5_000, pause: 1 }
  let server: Awaited<ReturnType<typeof startFaulty>>
  let service: Service
  let path: string
  before(async () => {
    server = await startFaulty((request, response) => listener(request, response))
    const bucket = bucketAt(server.url, { secretKey: SECRET, accessKey: 'AKIDEXAMPLE' })
    const requests = s3Requests(bucket, patience)
    service = await startService({}, undefined, undefined, (directory) => s3Files(bucket, directory, requests))
    const { id, fields } = await service.table('Papers', { papers: 'file' })
    path = `/api/dev/file/${id}/${fields['papers']}/${await service.make(`data${id}`, {})}/a.bin`
  })
  after(async () => {
    await service.close()
    server.close()
  })

  for (const [what, fails] of [
    ['refuses', (_, response) => response.writeHead(403).end('<Error><Code>AccessDenied</Code></Error>')],
    ['has a fault', (_, response) => response.writeHead(500).end()],
    ['ends the connection', (request) => request.socket.destroy()],
    ['never answers', () => {}],
  ] as readonly (readonly [string, RequestListener])[])
    it(`and ${what} is a 503 that may be repeated, and changes nothing`, async () => {
      listener = fails
      patience.stall = what === 'never answers' ? 100 : 5_000
      for (const answer of [
        await put(service, path, randomBytes(9)),
        await service.add(`data1`, { f1: [{ file_name: 'b', content: 'b' }] }),
      ]) {
        assert.equal(`${answer.status} ${answer.json.errors[0].code}`, '503 server.files_unavailable')
        assert.equal(answer.headers.get('retry-after'), '5')
      }
      listener = works
      patience.stall = 5_000
      const listed = await service.get(path.replace('/api/dev/', '').replace('/a.bin', ''))
      assert.deepEqual(listed.json.data, [])
      assert.equal((await service.get('data1')).json.data.length, 1)
    })

  it('while a file is read is a 503 before its first byte', async () => {
    listener = (request, response) =>
      void request.resume().once('end', () => response.writeHead(request.method === 'HEAD' ? 404 : 200).end())
    const last = listener
    listener = (request, response) =>
      request.method === 'PUT' && request.headers['x-amz-copy-source'] !== undefined ? works(request, response) : last(request, response)
    assert.equal((await put(service, path, 'stored')).status, 201)
    listener = (_, response) => response.writeHead(503).end()
    assert.equal((await service.send('GET', path)).json.errors[0].code, 'server.files_unavailable')
    assert.equal((await service.send('HEAD', path)).status, 503)
    listener = works
    assert.equal((await service.send('GET', path)).json.errors[0].code, 'file.not_found')
  })

  it('is told by readiness, once in some seconds', async () => {
    listener = (_, response) => response.writeHead(403).end()
    const before = server.asked.length
    const answers = await Promise.all(Array.from({ length: 20 }, () => readiness(service.store)()))
    assert.deepEqual(new Set(answers), new Set(['files']))
    service.clock.now += 2_000
    assert.equal(await readiness(service.store)(), 'files')
    assert.equal(server.asked.length, before + 1)
  })

  it('is logged with what it said, and without keys', () => {
    const errors = service.logged.filter(({ level }) => level === 'error')
    const text = JSON.stringify(errors)
    assert.match(text, /S3: HEAD: answered 403/)
    assert.match(text, /S3: HEAD: no answer/)
    for (const word of [SECRET, 'AKIDEXAMPLE', 'Signature']) assert.ok(!text.includes(word), word)
  })
})
