import assert from 'node:assert/strict'
import { readdirSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { crc32, deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { limits } from '../../../src/limits.ts'
import { sweepFiles } from '../../../src/store/records/files.ts'
import { startService, type Service } from '../../support/service.ts'
import { until } from '../../support/until.ts'

/** A PNG of one color; its data is a few KB, however many pixels it has. */
function plainPng(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), data])
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
    length.writeUInt32BE(data.length)
    sum.writeUInt32BE(crc32(body))
    return Buffer.concat([length, body, sum])
  }
  const head = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0])
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  const lines = deflateSync(Buffer.alloc(2_000_000))
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', head),
    chunk('IDAT', lines),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

const ppm = (width: number, height: number, background = '#c03020') => sharp({ create: { width, height, channels: 3, background } })

describe('small images of files', () => {
  let service: Service
  let place: string

  before(async () => {
    service = await startService()
    const { id, fields } = await service.table('Papers', { papers: 'file' })
    place = `/api/dev/file/${id}/${fields['papers']}/${await service.make(`data${id}`, {})}/`
  })
  after(() => service.close())

  async function put(name: string, body: Uint8Array): Promise<void> {
    const { status, text } = await service.send('PUT', place + name, { body, headers: { 'Content-Type': 'application/octet-stream' } })
    assert.ok(status < 300, text)
  }
  const ask = (name: string, side: string | number, headers: Record<string, string> = {}) =>
    fetch(`${service.url}${place}${name}?thumbnail=${side}`, { headers: { 'X-Auth-Token': service.token, ...headers } })
  async function small(name: string, body: Uint8Array, side = 64) {
    await put(name, body)
    const answer = await ask(name, side)
    const bytes = Buffer.from(await answer.arrayBuffer())
    assert.equal(answer.status, 200, bytes.toString())
    const { format, width, height, exif, icc, xmp } = await sharp(bytes).metadata()
    return { type: answer.headers.get('content-type'), format, width, height, more: exif ?? icc ?? xmp, bytes }
  }
  async function refused(name: string, body: Uint8Array): Promise<string> {
    await put(name, body)
    const answer = await ask(name, 64)
    return `${answer.status} ${JSON.parse(await answer.text()).errors[0].code}`
  }
  const impossible = '422 thumbnail.impossible'

  it('have at most so many pixels on the longer side, and are never larger than the image', async () => {
    const jpeg = await ppm(1_200, 600).jpeg().toBuffer()
    for (const side of [64, 256, 1_024]) {
      const { type, format, width, height } = await small('a.jpg', jpeg, side)
      assert.deepEqual([type, format, width, height], ['image/jpeg', 'jpeg', side, side / 2])
    }
    const { width, height } = await small('tiny.webp', await ppm(10, 20).webp().toBuffer())
    assert.deepEqual([width, height], [10, 20])
    const clear = await small(
      'clear.png',
      await sharp({ create: { width: 300, height: 300, channels: 4, background: '#0000' } })
        .png()
        .toBuffer(),
    )
    assert.deepEqual([clear.type, clear.format], ['image/png', 'png'])
    assert.equal((await small('a.avif', await ppm(80, 80).avif({ effort: 0 }).toBuffer())).width, 64)
    for (const side of ['0', '65', 'large']) assert.equal((await ask('a.jpg', side)).status, 400)
  })

  it('have headers of their own, and follow from the ETag of the file', async () => {
    await put('b.jpg', await ppm(100, 100).jpeg().toBuffer())
    const answer = await ask('b.jpg', 64)
    const tag = answer.headers.get('etag')!
    assert.match(tag, /^"[0-9a-f]{64}-64"$/)
    assert.equal(answer.headers.get('content-disposition'), 'inline; filename="b.jpg"')
    assert.match(answer.headers.get('content-security-policy')!, /sandbox/)
    assert.equal((await ask('b.jpg', 64, { 'If-None-Match': tag })).status, 304)
    const { links } = (await service.send('POST', `${place}b.jpg/link`)).json
    const linked = await service.send('GET', `${links.enclosure}&thumbnail=64`, { token: null })
    assert.equal(linked.headers.get('content-type'), 'image/jpeg')
  })

  it('are turned as the camera was held, in colors of the screen, without what the camera noted', async () => {
    const noted = await ppm(200, 100)
      .withExif({ IFD0: { Copyright: 'secret place' } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer()
    assert.ok(noted.includes('secret place'))
    const turned = await small('turned.jpg', noted)
    assert.deepEqual([turned.width, turned.height, turned.more], [32, 64, undefined])
    assert.ok(!turned.bytes.includes('secret place'))
    const print = await ppm(90, 90).toColourspace('cmyk').jpeg().toBuffer()
    assert.equal((await sharp(print).metadata()).space, 'cmyk')
    const shown = await small('print.jpg', print)
    assert.equal((await sharp(shown.bytes).metadata()).space, 'srgb')
    const [red, green, blue] = (await sharp(shown.bytes).stats()).channels.map(({ mean }) => mean)
    assert.ok(red! > 120 && green! < 90 && blue! < 90, `${red} ${green} ${blue}`)
  })

  it('of an animation show its first image', async () => {
    const frames = await Promise.all(['#ff0000', '#00ff00', '#0000ff'].map((color) => ppm(100, 80, color).png().toBuffer()))
    const gif = await sharp(frames, { join: { animated: true } })
      .gif()
      .toBuffer()
    assert.equal((await sharp(gif).metadata()).pages, 3)
    const { bytes, width, height } = await small('moving.gif', gif)
    assert.deepEqual([width, height], [64, 51])
    assert.ok((await sharp(bytes).stats()).channels[0]!.mean > 200)
  })

  it('are refused where the image is too large, damaged, or none', async () => {
    const bomb = plainPng(50_000, 50_000)
    assert.ok(bomb.length < 5_000)
    assert.equal(await refused('bomb.png', bomb), impossible)
    const wide = Math.floor(limits.thumbnailPixels.most / 1_000) + 1
    assert.equal(await refused('wide.png', plainPng(wide, 1_000)), impossible)
    assert.equal(await refused('vector.svg', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')), impossible)
    assert.equal(await refused('vector.png', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')), impossible)
    assert.equal(await refused('text.jpg', Buffer.from('no image')), impossible)
    assert.equal(await refused('empty.jpg', Buffer.alloc(0)), impossible)
    const sound = await sharp(Buffer.from(Array.from({ length: 120_000 }, (_, i) => (i * 7919) % 251)), {
      raw: { width: 200, height: 200, channels: 3 },
    })
      .png()
      .toBuffer()
    assert.equal(await refused('cut.png', sound.subarray(0, sound.length / 2)), impossible)
    const jpeg = await sharp(sound).jpeg().toBuffer()
    assert.equal(await refused('cut.jpg', jpeg.subarray(0, jpeg.length / 2)), impossible)
    const large = Buffer.concat([jpeg, Buffer.alloc(limits.thumbnailBytes.most)])
    assert.equal(await refused('large.jpg', large), impossible)
    assert.equal((await small('after.jpg', jpeg)).width, 64)
    assert.ok(limits.thumbnailTime.most <= 20_000)
  })

  it('that cannot be made are not tried again', async () => {
    const sound = await ppm(400, 300).png().toBuffer()
    const cut = sound.subarray(0, sound.length - 20)
    assert.equal(await refused('again.png', cut), impossible)
    const { stream } = service.store.files
    Object.assign(service.store.files, { stream: () => assert.fail('the file was read again') })
    assert.equal((await ask('again.png', 64)).status, 422)
    Object.assign(service.store.files, { stream })
  })

  it('of one user do not keep others waiting', async () => {
    await put('slow.jpg', await ppm(1_000, 800).jpeg().toBuffer())
    const other = await service.tokenOf(1)
    // One is read until the others are there, so many wait, and there is room for others.
    const { files } = service.store
    const { stream } = files
    const { promise: isRead, resolve: read } = Promise.withResolvers<void>()
    Object.assign(files, { stream: async (hash: string) => (await isRead, stream.call(files, hash)) })
    let refusals = 0
    const asks = Array.from({ length: limits.thumbnailsOfUser.most + 10 }, async () => {
      const { status } = await ask('slow.jpg', 256)
      if (status === 503) refusals++
      return status
    })
    const theirs = ask('slow.jpg', 64, { 'X-Auth-Token': other })
    await until('the refusals', async () => refusals >= 9)
    read()
    assert.equal((await theirs).status, 200)
    const statuses = await Promise.all(asks)
    Object.assign(files, { stream })
    assert.deepEqual([refusals, statuses.filter((status) => status === 200).length], [9, limits.thumbnailsOfUser.most + 1])
    assert.ok(limits.thumbnailsOfUser.most * 2 <= limits.thumbnailsWaiting.most)
  })

  it('are kept, and go with the file', async () => {
    const kept = () =>
      readdirSync(join(service.directory, 'files', 'small'), { recursive: true, withFileTypes: true }).filter((one) => one.isFile()).length
    const jpeg = await ppm(333, 111).jpeg().toBuffer()
    await small('kept.jpg', jpeg)
    const before = kept()
    const { stream } = service.store.files
    Object.assign(service.store.files, { stream: () => assert.fail('the file was read again') })
    assert.equal((await ask('kept.jpg', 64)).status, 200)
    Object.assign(service.store.files, { stream })
    const hash = (await ask('kept.jpg', 64)).headers.get('etag')!.slice(1, 65)
    assert.equal(kept(), before)
    utimesSync(join(service.directory, 'files', hash.slice(0, 2), hash.slice(2)), 0, 0)
    await sweepFiles(service.store)
    assert.equal(kept(), before)
    await service.store.files.sweep(async (one) => one !== hash, 1_000)
    assert.equal(kept(), before - 1)
  })
})
