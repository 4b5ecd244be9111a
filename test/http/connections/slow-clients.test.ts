import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { limits } from '../../../src/limits.ts'
import { join, name, sql } from '../../../src/sql/sql.ts'
import { verifyPassword } from '../../../src/store/people/passwords.ts'
import { JSON_API, startService, type Service } from '../../support/service.ts'

/** Milliseconds: what limits.ts gives is more than a test should wait for. */
const STALL = 1_000

describe('clients that are slow, many or greedy', () => {
  let service: Service
  let table: number
  let field: string
  const open: Socket[] = []

  before(async () => {
    service = await startService({ bodyLimit: 64 << 20 }, STALL)
    const made = await service.table('Texts', { text: 'longtext', more: 'longtext' })
    table = made.id
    field = made.fields['text']!
    // What the system holds for a connection of loopback is less than this.
    for (let i = 0; i < 20; i++) await service.make(`data${table}`, { [field]: `${i}`.padEnd(1_000_000, '\u0434') })
  })
  after(async () => {
    for (const socket of open) socket.destroy()
    await service.close()
  })

  async function connected(): Promise<Socket> {
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1').on('error', () => {})
    open.push(socket)
    await once(socket, 'connect')
    return socket
  }

  const head = (method: string, path: string, more = '') =>
    `${method} /api/dev/${path} HTTP/1.1\r\nHost: x\r\nX-Auth-Token: ${service.token}\r\nContent-Type: ${JSON_API}\r\n${more}\r\n`

  const until = async (holds: () => boolean) => {
    for (let i = 0; i < 600 && !holds(); i++) await sleep(50)
    assert.ok(holds())
  }
  const toldOf = (message: string) => service.logged.filter(({ details }) => JSON.stringify(details).includes(message)).length

  it('who reads nothing loses the connection, and who reads slowly keeps it', async () => {
    const still = await connected()
    still.pause()
    still.write(head('GET', `data${table}?page[limit]=20`))
    const slow = await connected()
    let read = 0
    slow.on('data', (bytes: Buffer) => {
      read += bytes.length
      slow.pause()
      setTimeout(() => slow.resume(), 20)
    })
    slow.write(head('GET', `data${table}?page[limit]=10`))
    await until(() => toldOf('unread') >= 1)
    let gone = false
    still.once('close', () => (gone = true)).resume()
    await until(() => gone)
    await until(() => read > 20_000_000)
    assert.ok(!slow.destroyed)
    assert.equal(toldOf('unread'), 1)
  })

  it('who stops in the middle of a body is told so, and what is complete is answered', async () => {
    const socket = await connected()
    let said = ''
    socket.setEncoding('latin1').on('data', (text: string) => (said += text))
    socket.write(`${head('POST', `data${table}`, 'Content-Length: 1000\r\n')}{"data":`)
    await once(socket, 'close')
    assert.match(said, /^HTTP\/1\.1 408 /)
    assert.match(said, /request\.timed_out/)
  })

  it('a thousand requests on one connection are answered in their order', async () => {
    const socket = await connected()
    let said = ''
    socket.setEncoding('latin1').on('data', (text: string) => (said += text))
    const asked = Array.from({ length: 1_000 }, (_, i) => i + 1)
    socket.write(asked.map((i) => head('GET', `data${table}/${i + 1_000}`)).join(''))
    const answered = () => [...said.matchAll(/has no record (\d+)\./g)].map(([, id]) => Number(id) - 1_000)
    await until(() => answered().length === asked.length)
    assert.deepEqual(answered(), asked)
  })

  it('more requests on one connection than limits.pipelined allows to wait end it', async (context) => {
    const limit = limits.pipelined as { most: number }
    const { most } = limit
    context.after(() => (limit.most = most))
    limit.most = 20
    const socket = await connected()
    let said = ''
    socket.setEncoding('latin1').on('data', (text: string) => (said += text))
    socket.write(Array.from({ length: 60 }, (_, i) => head('GET', `data${table}/${i + 5_000}`)).join(''))
    await until(() => socket.destroyed)
    assert.ok([...said.matchAll(/has no record/g)].length < 60)
    assert.equal((await service.get(`data${table}/5000`)).status, 404)
  })

  it('a page with long texts is what it was: HEAD, fields[…] and the length of the answer too', async () => {
    const path = `/api/dev/data${table}?page[limit]=3&page[offset]=2&sort=-${field}`
    const page = await service.send('GET', path)
    assert.equal(page.status, 200)
    assert.deepEqual(
      page.json.data.map((one: { attributes: Record<string, string> }) => one.attributes[field]),
      ['7', '6', '5'].map((number) => number.padEnd(1_000_000, '\u0434')),
    )
    assert.equal(Number(page.headers.get('content-length')), Buffer.byteLength(page.text))
    const { status, headers } = await service.send('HEAD', path)
    assert.deepEqual([status, headers.get('content-length'), headers.get('content-type')], [200, null, page.headers.get('content-type')])
    const short = await service.send('GET', `${path}&fields[data${table}]=status`)
    assert.deepEqual(short.json.data[0].attributes, { status: '0' })
    const found = await service.call('POST', `data${table}/search?page[limit]=2`, { meta: { filter: `starts_with(${field},'19')` } })
    assert.equal(found.json.data[0].attributes[field].length, 1_000_000)
    const one = await service.get(`data${table}/1`)
    assert.equal(one.json.data.attributes[field], '0'.padEnd(1_000_000, '\u0434'))
  })

  it('an answer larger than the limit is refused before it is read, with what to do', async () => {
    const fields = Object.fromEntries(Array.from({ length: 135 }, (_, i) => [`t${i}`, 'longtext']))
    const wide = await service.table('Wide', fields)
    const names = Object.values(wide.fields)
    const id = await service.make(`data${wide.id}`, {})
    const long = '\u0434'.repeat(1_000_000)
    const columns = [...service.store.catalogue().tables.get(wide.id)!.fields].map(({ column }) => sql`${name(column)} = ${long}`)
    await service.store.db.write((tx) => tx.run(sql`UPDATE ${name(`data${wide.id}`)} SET ${join(columns, ', ')}`))
    const all = await service.get(`data${wide.id}/${id}`)
    assert.equal(all.status, 400)
    assert.equal(all.json.errors[0].code, 'answer.too_large')
    assert.equal((await service.send('HEAD', `/api/dev/data${wide.id}/${id}`)).status, 400)
    const some = await service.get(`data${wide.id}/${id}?fields[data${wide.id}]=${names.slice(0, 3).join(',')}`)
    assert.deepEqual(
      Object.values(some.json.data.attributes).map((text) => (text as string).length),
      [1_000_000, 1_000_000, 1_000_000],
    )
  })

  it('more sign-ins at once than can wait are told to come again', async () => {
    const signIn = () =>
      service.send('POST', '/api/dev/token', {
        token: null,
        body: { data: { type: 'token', attributes: { login: 'nobody', password: 'not the password' } } },
      })
    let isBusy = true
    // As many as may be at once, each begun again when it ends.
    const others = Array.from({ length: limits.passwords.most + limits.passwordsWaiting.most }, async () => {
      while (isBusy) assert.equal(await verifyPassword('', 'not the password'), false)
    })
    try {
      for (const { status, json, headers } of await Promise.all([signIn(), signIn(), signIn()]))
        assert.deepEqual([status, json.errors[0].code, headers.get('retry-after')], [503, 'server.busy', '5'])
    } finally {
      isBusy = false
      await Promise.all(others)
    }
    assert.equal((await signIn()).status, 401)
  })

  it('more connections of one address than the limit are told so, and those there are go on', async () => {
    const kept = await connected()
    const others = await Promise.all(Array.from({ length: limits.connectionsOfAddress.most + 20 }, connected))
    const refused: string[] = []
    for (const socket of others) socket.on('data', (bytes) => refused.push(bytes.toString()))
    await until(() => refused.length >= 20)
    assert.ok(refused.every((text) => text.startsWith('HTTP/1.1 503 ') && text.includes('server.too_many_connections')))
    kept.write(head('GET', 'user'))
    const [answer] = (await once(kept, 'data')) as [Buffer]
    assert.match(answer.toString(), /^HTTP\/1\.1 200 /)
    for (const socket of others) socket.destroy()
  })

  it('a trusted proxy may have more', async () => {
    const proxied = await startService({ trustedProxies: ['127.0.0.0/8'] })
    try {
      const sockets = Array.from({ length: limits.connectionsOfAddress.most + 20 }, () =>
        connect(Number(new URL(proxied.url).port), '127.0.0.1'),
      )
      await Promise.all(sockets.map((socket) => once(socket, 'connect')))
      const last = sockets.at(-1)!
      last.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
      assert.match(String((await once(last, 'data'))[0]), /^HTTP\/1\.1 (?!503)/)
      for (const socket of sockets) socket.destroy()
    } finally {
      await proxied.close()
    }
  })

  it('a server that stops does not wait for who reads nothing', async () => {
    const other = await startService()
    const made = await other.table('Texts', { text: 'longtext' })
    const name = made.fields['text']!
    for (let i = 0; i < 20; i++) await other.make(`data${made.id}`, { [name]: `${i}`.padEnd(1_000_000, '\u0434') })
    const socket = connect(Number(new URL(other.url).port), '127.0.0.1').on('error', () => {})
    open.push(socket)
    socket.pause()
    socket.write(`GET /api/dev/data${made.id}?page[limit]=20 HTTP/1.1\r\nHost: x\r\nX-Auth-Token: ${other.token}\r\n\r\n`)
    await sleep(2_000)
    const began = performance.now()
    await other.close()
    // What limits.ts gives a client otherwise is more.
    assert.ok(performance.now() - began < limits.stall.most / 2)
  })

  it('nor for a connection on which nothing was ever asked', async () => {
    const other = await startService()
    const socket = connect(Number(new URL(other.url).port), '127.0.0.1').on('error', () => {})
    open.push(socket)
    await once(socket, 'connect')
    await other.get('table')
    const began = performance.now()
    await other.close()
    assert.ok(performance.now() - began < limits.stall.most / 2)
  })

  it('a record that changes while its long answer is made is read again, with its new version', async () => {
    const id = await service.make(`data${table}`, { [field]: 'before'.padEnd(500_000) })
    const files = service.store.files as { spool: typeof service.store.files.spool }
    const { spool } = files
    let made = 0
    files.spool = async (...args) => {
      if (++made === 1) {
        const { status } = await service.change(
          `data${table}`,
          id,
          { [field]: 'after'.padEnd(600_000) },
          undefined,
          `?fields[data${table}]=status`,
        )
        assert.equal(status, 200)
      }
      return spool(...args)
    }
    try {
      const one = await service.get(`data${table}/${id}`)
      assert.equal(one.status, 200)
      assert.equal(one.json.data.attributes[field], 'after'.padEnd(600_000))
      assert.equal(made, 2)
      assert.equal(one.headers.get('etag'), (await service.get(`data${table}/${id}`)).headers.get('etag'))
    } finally {
      files.spool = spool
    }
  })
})
