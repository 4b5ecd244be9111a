import assert from 'node:assert/strict'
import { get } from 'node:http'
import { closeSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { operator } from '../../../src/store/catalogue/administrator.ts'
import { takeTurn } from '../../../src/http/resources/export-turns.ts'
import { grant } from '../../../src/store/model/access.ts'
import { insertRecords } from '../../../src/store/records/insert-records.ts'
import { limits } from '../../../src/limits.ts'
import { readXlsx } from '../../../src/transfer/read-xlsx.ts'
import { makeTable, person, refused, type Table } from '../../support/scene.ts'
import { startService, type Service } from '../../support/service.ts'

describe('exports over HTTP', () => {
  let service: Service
  let goods: Table
  let f: Readonly<Record<string, string>>
  before(async () => {
    service = await startService()
    goods = await makeTable(service, 'Goods: "new"', { name: 'text', price: 'decimal', since: 'date', secret: 'text', note: 'longtext' })
    f = goods.f
    await service.make(goods.type, named({ name: '=1+1', price: '1.5', since: '2024-02-29', secret: 'hidden', note: 'two\nlines' }))
    await service.make(goods.type, named({ name: 'Ёлка, "зелёная"', secret: 'hidden' }))
  })
  after(() => service.close())

  const named = (values: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [f[name]!, value]))
  const path = (query = '') => `${goods.type}/export${query}`
  const fields = () => `fields[${goods.type}]=${['name', 'price', 'since', 'note'].map((name) => f[name]).join(',')}`

  it('has its columns in the order in which they are named, in each format', async () => {
    const order = ['since', 'note', 'name'].map((name) => f[name]!)
    const asked = (format: string) => service.get(path(`?fileFormat=${format}&fields[${goods.type}]=${order.join(',')}`))
    const csv = await asked('csv')
    assert.match(csv.text, /^\ufeff?id,since,note,name\n/i)
    const [line] = (await asked('jsonl')).text.split('\n')
    assert.deepEqual(Object.keys(JSON.parse(line!)), ['id', ...order])
    const named = await service.get(path(`?fileFormat=csv&fields[${goods.type}]=id,${f['name']}`))
    assert.match(named.text, /^\ufeff?id,name\n/i)
  })

  it('are CSV for spreadsheets, CSV as it is, or lines of JSON', async () => {
    const sheet = await service.get(path(`?${fields()}`))
    assert.equal(sheet.status, 200)
    assert.equal(sheet.headers.get('content-type'), 'text/csv; charset=utf-8')
    assert.equal(
      sheet.headers.get('content-disposition'),
      'attachment; filename="Goods: _new_.csv"; filename*=UTF-8\'\'Goods%3A%20%22new%22.csv',
    )
    const bytes = Buffer.from(
      await (await fetch(`${service.url}/api/dev/${path(`?${fields()}`)}`, { headers: { 'X-Auth-Token': service.token } })).arrayBuffer(),
    )
    assert.deepEqual([...bytes.subarray(0, 3)], [0xef, 0xbb, 0xbf])
    const rows = (name: string) =>
      `id,name,price,since,note\n1,${name},1.50,2024-02-29,"two\nlines"\n2,"Ёлка, ""зелёная""",0.00,0000-00-00,\n`
    assert.equal(bytes.subarray(3).toString(), rows(`'=1+1`))
    assert.equal((await service.get(path(`?${fields()}&forSpreadsheet=false`))).text, rows('=1+1'))
    const lines = await service.get(path(`?fileFormat=jsonl&fields[${goods.type}]=${f['name']}&filter=eq(id,2)`))
    assert.deepEqual(lines.text, `${JSON.stringify({ id: '2', [f['name']!]: 'Ёлка, "зелёная"' })}\n`)
    // Without records: the header, or nothing.
    assert.equal((await service.get(path(`?fields[${goods.type}]=&forSpreadsheet=false&filter=eq(id,0)`))).text, 'id\n')
    assert.equal((await service.get(path('?fileFormat=jsonl&filter=eq(id,0)'))).text, '')
  })

  it('are in the order that is asked for', async () => {
    const ids = async (query: string) =>
      (await service.get(path(`?fileFormat=jsonl&fields[${goods.type}]=${query}`))).text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line).id)
    assert.deepEqual(await ids(''), ['1', '2'])
    assert.deepEqual(await ids(`&sort=${f['price']}`), ['2', '1'])
    assert.deepEqual(await ids(`&sort=-${f['price']}`), ['1', '2'])
    assert.deepEqual(await ids(`&sort=${f['secret']},-id`), ['2', '1'])
    assert.deepEqual(await ids(`&sort=-id&filter=eq(id,1)`), ['1'])
  })

  it('are workbooks', async () => {
    const answer = await fetch(`${service.url}/api/dev/${path(`?fileFormat=xlsx&${fields()}`)}`, {
      headers: { 'X-Auth-Token': service.token },
    })
    const [file, texts] = ['a.xlsx', 'texts'].map((name) => join(service.directory, name)) as [string, string]
    writeFileSync(file, Buffer.from(await answer.arrayBuffer()))
    const files = { descriptor: openSync(file, 'r'), texts: openSync(texts, 'w+') }
    const rows: (readonly string[])[] = []
    for await (const some of readXlsx(files, {})) rows.push(...some)
    for (const descriptor of Object.values(files)) closeSync(descriptor)
    for (const one of [file, texts]) rmSync(one)
    assert.deepEqual(rows, [
      ['id', 'name', 'price', 'since', 'note'],
      ['1', '=1+1', '1.50', '2024-02-29', 'two\nlines'],
      ['2', 'Ёлка, "зелёная"', '0.00'],
    ])
  })

  it('a workbook ends early at a value that no cell holds, which the log has as a warning', async () => {
    const id = await service.make(goods.type, named({ name: 'long', note: 'x'.repeat(40_000) }))
    const before = service.logged.length
    const answer = await fetch(`${service.url}/api/dev/${path('?fileFormat=xlsx')}`, { headers: { 'X-Auth-Token': service.token } })
    await assert.rejects(answer.arrayBuffer())
    const log = service.logged.slice(before).map(({ level }) => level)
    assert.ok(log.includes('warn') && !log.includes('error'), log.join())
    await service.remove(`${goods.type}/${id}`)
  })

  it('need the right print, have what the caller sees, and no more', async () => {
    const group = Number(await service.make('group', { group_name: 'Sales' }))
    const { token } = await person(service, group, 'sales@example.com')
    refused(await service.get(path(), token), '404 table.not_found')
    const rule = await service.make('access', { group_id: group, table_id: goods.id, read: true })
    refused(await service.get(path(), token), '403 access.denied')
    await service.change('access', rule, { print: true, fields: { [f['secret']!]: 'hidden' }, read_filter: 'eq(id,2)' })
    const { text } = await service.get(path('?forSpreadsheet=false'), token)
    assert.match(text, /^id,user_id,add_time,status,name,price,since,note\n2,\d+,/)
    assert.doesNotMatch(text, /hidden|1\+1/)
    refused(await service.get(path(`?fields[${goods.type}]=${f['secret']}`), token), '400 attribute.unknown fields[' + goods.type + ']')
    refused(await service.get(path(`?filter=eq(${f['secret']},'hidden')`), token), '400 filter.unknown_attribute filter')
    refused(await service.get(path(`?sort=${f['secret']}`), token), '400 sort.unknown_attribute sort')
    const sorted = await service.get(path(`?forSpreadsheet=false&sort=-${f['name']}`), token)
    assert.equal(sorted.text, text)
  })

  it('refuse with a document, before any byte of a file', async () => {
    refused(await service.get(path('?filter=eq(')), '400 filter.syntax filter')
    refused(await service.get(path('?fileFormat=pdf')), '400 parameter.invalid fileFormat')
    refused(await service.get(path('?sort=f999')), '400 sort.unknown_attribute sort')
    refused(await service.get(path('?sort=id,id')), '400 sort.repeated_attribute sort')
    refused(await service.get(path('?include=id')), '400 parameter.unknown include')
    const head = await service.send('HEAD', `/api/dev/${path()}`)
    assert.deepEqual([head.status, head.text], [200, ''])
  })

  describe('of many records', () => {
    let many: Table
    before(async () => {
      many = await makeTable(service, 'Many', { text: 'text' })
      const granted = grant(['create', 'bulk'], many.id, operator, service.store.catalogue())
      const rows = Array.from({ length: 500 }, () => new Map([[many.f['text']!, 'x'.repeat(250)]]))
      for (let i = 0; i < 60; i++) await insertRecords(service.store, granted, rows)
    })

    /** Waits until the service has noticed that the clients of all exports have gone. */
    async function allHaveEnded(): Promise<void> {
      const mostBegin = () => {
        const ends: (() => void)[] = []
        try {
          for (let i = 0; i < limits.exports.most; i++) ends.push(takeTurn(service.store, { userId: 2000 + i }))
          return true
        } catch {
          return false
        } finally {
          for (const end of ends) end()
        }
      }
      for (let i = 0; i < 500 && !mostBegin(); i++) await new Promise((next) => setTimeout(next, 10))
      assert.ok(mostBegin())
    }

    /** Begins one and reads nothing of it. */
    const begun = (token: string, fileFormat = 'jsonl') =>
      new Promise<{ end(): void; rest(): Promise<'whole' | 'cut'> }>((resolve, reject) => {
        const url = `${service.url}/api/dev/${many.type}/export?fileFormat=${fileFormat}`
        const request = get(url, { headers: { 'X-Auth-Token': token }, agent: false }, (response) => {
          response.pause()
          if (response.statusCode !== 200) reject(new Error(`status ${response.statusCode}`))
          const rest = () =>
            new Promise<'whole' | 'cut'>((done) => {
              response.on('end', () => done('whole'))
              response.on('error', () => done('cut'))
              response.resume()
            })
          resolve({ end: () => void request.destroy(), rest })
        })
        request.on('error', reject)
      })

    it('are so many of one user at once, and of all', async () => {
      const some = await Promise.all(Array.from({ length: limits.exportsOfUser.most }, () => begun(service.token)))
      const refusal = await service.get(`${many.type}/export`)
      refused(refusal, '429 export.too_many')
      assert.equal(refusal.headers.get('retry-after'), '10')
      assert.equal(await some[0]!.rest(), 'whole')
      for (const one of some) one.end()
      await allHaveEnded()
    })

    it('are no more where they are asked for at once; one that is refused, or of HEAD, takes no room', async () => {
      const { most } = limits.exportsOfUser
      const asked = await Promise.allSettled(Array.from({ length: 4 * most }, () => begun(service.token)))
      const running = asked.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
      assert.equal(running.length, most)
      for (const one of running) one.end()
      await allHaveEnded()
      for (let i = 0; i < 2 * most; i++) {
        assert.equal((await service.get(`${goods.type}/export?filter=eq(f9999,1)`)).status, 400)
        assert.equal((await service.get(`${goods.type}/export?filter=eq(`)).status, 400)
        assert.equal((await service.send('HEAD', `/api/dev/${goods.type}/export`)).status, 200)
      }
      await allHaveEnded()
    })

    it('end where their client goes, and leave room for others', async () => {
      for (const format of ['csv', 'jsonl', 'xlsx']) {
        for (let i = 0; i < limits.exportsOfUser.most + 1; i++) {
          let one: Awaited<ReturnType<typeof begun>> | undefined
          // The end of the one before may not have been noticed yet.
          for (let n = 0; n < 200 && !one; n++) {
            one = await begun(service.token, format).catch(() => undefined)
            if (!one) await new Promise((next) => setTimeout(next, 10))
          }
          one!.end()
        }
      }
      await allHaveEnded()
      assert.deepEqual(service.faults, [])
    })

    it('of others that are as many as all may have are waited for', async () => {
      const ends = Array.from({ length: limits.exports.most }, (_, i) => takeTurn(service.store, { userId: 1000 + i }))
      refused(await service.get(`${goods.type}/export`), '503 server.busy')
      for (const end of ends) end()
      assert.equal((await service.get(`${goods.type}/export`)).status, 200)
    })

    it('end where the token is revoked', async () => {
      const { token } = await person(service, 1, 'gone@example.com')
      const one = await begun(token)
      const { data } = (await service.get('token', token)).json
      assert.equal((await service.remove(`token/${data[0].id}`, token)).status, 200)
      service.clock.now += 2_000
      assert.equal(await one.rest(), 'cut')
    })
  })
})
