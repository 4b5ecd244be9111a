import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { limits } from '../../../src/limits.ts'
import { servedProgram, type ScratchProgram, type Server } from '../../support/scratch-program.ts'

/* The memory of a real process while clients ask for much and do not read it. */

const RECORDS = 50
const MEBIBYTE = 2 ** 20
/** What the process may take besides: garbage that is not collected yet, threads that start, and the allocator's own. */
const SLACK = 96 * MEBIBYTE

const rss = (server: Server): number => Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${server.child.pid}/status`, 'utf8'))![1]) * 1024

describe('clients that do not read', () => {
  let program: ScratchProgram
  let server: Server
  let token: string
  let table: string
  let field: string
  const open: Socket[] = []

  before(async () => {
    ;({ program, server, token } = await servedProgram())
    const make = async (type: string, attributes: object) => {
      const { status, body } = await server.call(token, 'POST', type, { data: { type, attributes } })
      assert.equal(status, 201, JSON.stringify(body).slice(0, 500))
      return body.data.id as string
    }
    table = await make('table', { table_name: 'Texts' })
    field = `f${await make('field', { table_id: Number(table), field_name: 'Text', field_type: 'longtext' })}`
    for (let i = 0; i < RECORDS; i++) await make(`data${table}`, { [field]: `${i} `.padEnd(1_000_000, 'long text ') })
  })
  after(async () => {
    for (const socket of open) socket.destroy()
    await program.remove()
  })

  /** Asks and reads nothing. */
  async function ask(path: string, times = 1): Promise<Socket> {
    const { hostname, port } = new URL(server.url)
    const socket = connect({ host: hostname, port: Number(port) }).on('error', () => {})
    open.push(socket)
    socket.pause()
    socket.write(`GET /api/dev/${path} HTTP/1.1\r\nHost: x\r\nX-Auth-Token: ${token}\r\n\r\n`.repeat(times))
    return socket
  }

  /** The most that the process held while the work went on and for some seconds after it. */
  async function most(work: () => Promise<unknown>): Promise<number> {
    const began = rss(server)
    let peak = began
    const watch = setInterval(() => (peak = Math.max(peak, rss(server))), 20)
    await work()
    await sleep(4_000)
    clearInterval(watch)
    return peak - began
  }

  it('a page of 50 texts of a million characters arrives whole, and takes little memory', async () => {
    const sizes: number[] = []
    const grown = await most(async () => {
      const { status, headers, body } = await server.call(token, 'GET', `data${table}?page[limit]=50`)
      assert.equal(status, 200)
      assert.ok(Number(headers.get('content-length')) > RECORDS * 1_000_000)
      for (const one of body.data) sizes.push(one.attributes[field].length)
      assert.equal(body.meta.total, RECORDS)
    })
    assert.deepEqual(
      sizes,
      Array.from({ length: RECORDS }, () => 1_000_000),
    )
    assert.ok(grown < limits.pageInMemory.most + SLACK, `${Math.round(grown / MEBIBYTE)} MiB`)
  })

  it('twenty of them, and a thousand requests on one connection, take no more than the limits say', async () => {
    const grown = await most(async () => {
      for (let i = 0; i < 20; i++) await ask(`data${table}?page[limit]=50`)
      await ask(`data${table}?page[limit]=50`, 1_000)
      for (let i = 0; i < 10; i++) {
        await sleep(200)
        assert.equal((await server.call(token, 'GET', 'user')).status, 200)
      }
    })
    assert.ok(grown < limits.unreadAnswers.most + SLACK, `${Math.round(grown / MEBIBYTE)} MiB`)
  })

  it('a file of 40 MB in a document arrives whole, and takes little memory', async () => {
    for (const socket of open.splice(0)) socket.destroy()
    const bytes = Buffer.alloc(40_000_001, 'not the same at every third byte')
    const files = await server.call(token, 'POST', 'field', {
      data: { type: 'field', attributes: { table_id: Number(table), field_name: 'File', field_type: 'file' } },
    })
    const name = `f${files.body.data.id}`
    const content = bytes.toString('base64')
    const attributes = { [name]: [{ file_name: 'large.bin', content, binary: true }] }
    assert.equal((await server.call(token, 'PATCH', `data${table}/1`, { data: { type: `data${table}`, id: '1', attributes } })).status, 200)
    await server.stop()
    server = await program.serve()
    await server.call(token, 'GET', 'user')
    const grown = await most(async () => {
      const { status, headers, body } = await server.call(token, 'GET', `file/${table}/${name}/1/?filename=large.bin`)
      assert.equal(status, 200)
      assert.ok(Number(headers.get('content-length')) > content.length)
      assert.ok(body.data[0].attributes.content === content)
    })
    assert.ok(grown < SLACK, `${Math.round(grown / MEBIBYTE)} MiB`)
    const { body } = await server.call(token, 'GET', `file/${table}/${name}/1/?filename=large.bin&fields[file]=size`)
    assert.deepEqual(body.data[0].attributes, { size: bytes.length })
  })
})
