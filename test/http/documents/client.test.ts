import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, it } from 'node:test'
import * as client from '../../../client/kartoteka.ts'
import { ApiError, and, contains, eq, kartoteka, search, within, word, type Kartoteka } from '../../../client/kartoteka.ts'
import { runJobs } from '../../../src/jobs/run-jobs.ts'
import { createJob } from '../../../src/store/jobs/jobs.ts'
import { callersNow } from '../../../src/store/people/authenticate.ts'
import { jobWhen, stepsKind } from '../../support/jobs.ts'
import { startService, type Service } from '../../support/service.ts'

/* client/: against the service, and against difficulties that stand before it. */

interface Company {
  readonly f1: string
  readonly f2: '' | 'cold' | 'warm'
  readonly f3: string
}
interface Tables {
  data1: {
    shown: Company
    create: { f1?: string; f2?: 'cold' | 'warm' | null; f3?: readonly { file_name: string; content: string }[] }
    update: { f1?: string | null; f2?: 'cold' | 'warm' | null }
  }
}

const NAMES = ["O'Hara", 'a,b)(', "');or(", '100%_\\', 'Ёлка & Co + ?#', '"quoted"', '\u2028']

describe('the typed client', () => {
  let service: Service
  let api: Kartoteka<Tables>
  /** What the next requests meet: a status with Retry-After, or `cut` for an answer that is lost. */
  const difficulties: (number | 'cut')[] = []
  let waits: number[] = []
  let front: Server
  const seen: string[] = []
  before(async () => {
    service = await startService()
    await service.table('Companies', {
      Name: { typeName: 'text', unique: true },
      Stage: { typeName: 'list', options: [{ label: 'cold' }, { label: 'warm' }] },
      Papers: 'file',
    })
    front = createServer(async (request, response) => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk as Buffer)
      const [met] = difficulties.splice(0, 1)
      seen.push(`${request.method} ${request.url} ${request.headers['idempotency-key'] ?? ''}`)
      if (typeof met === 'number') return void response.writeHead(met, { 'Retry-After': '7' }).end('{"errors":[]}')
      const answer = await fetch(service.url + request.url!, {
        method: request.method!,
        headers: Object.entries(request.headers).filter(([name]) => !['host', 'connection', 'content-length'].includes(name)) as [
          string,
          string,
        ][],
        ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
      })
      if (met === 'cut') return void request.socket.destroy()
      response.writeHead(answer.status, [...answer.headers].filter(([name]) => name !== 'transfer-encoding').flat())
      if (answer.body) for await (const part of answer.body) response.write(part)
      response.end()
    })
    await new Promise<void>((done) => front.listen(0, '127.0.0.1', done))
    const wait = async (milliseconds: number) => void waits.push(milliseconds)
    api = kartoteka<Tables>({ url: `http://127.0.0.1:${(front.address() as AddressInfo).port}`, token: service.token, wait })
  })
  after(async () => {
    front.closeAllConnections()
    front.close()
    await service.close()
  })

  it('creates, reads, changes and deletes, and notices that somebody else has changed a record', async () => {
    const companies = api.table('data1')
    const made = await companies.create({ f1: 'Blue Heron', f2: 'warm' })
    assert.equal(made.attributes.f2, 'warm')
    const read = await companies.get(made.id, { fields: ['f1'] })
    assert.deepEqual(Object.keys(read.attributes), ['f1'])
    const changed = await companies.update(read, { f2: 'cold' })
    assert.equal(changed.attributes.f2, 'cold')
    await assert.rejects(
      companies.update(made, { f1: 'Other' }),
      (error: ApiError) => error.status === 412 && error.code === 'record.stale',
    )
    const same = await companies.upsert('f1', { f1: 'BLUE heron', f2: 'warm' })
    assert.deepEqual([same.id, same.attributes.f2], [made.id, 'warm'])
    await companies.delete(made.id)
    await assert.rejects(companies.get(made.id), (error: ApiError) => error instanceof ApiError && error.errors[0]!.status === '404')
  })

  it('quotes what is compared, whatever a person writes', async () => {
    const companies = api.table('data1')
    for (const f1 of NAMES) await companies.create({ f1 })
    for (const name of NAMES) {
      const { records, total } = await companies.page({ filter: eq('f1', name) })
      assert.deepEqual([total, records[0]!.attributes.f1], [1, name])
    }
    const some = and(within('f1', ...NAMES), contains('f1', "'"))
    assert.equal((await companies.page({ filter: some })).total, 2)
    assert.equal((await companies.page({ filter: search('hara') })).total, 1)
    assert.throws(() => eq('f1),eq(f2', 'x'), TypeError)
    assert.throws(() => word("'"), TypeError)
  })

  it('lists page after page, also with a filter too long for an address', async () => {
    const companies = api.table('data1')
    const names = async (asked: Parameters<typeof companies.list>[0]) => {
      const found: string[] = []
      for await (const { attributes } of companies.list(asked)) found.push(attributes.f1)
      return found
    }
    assert.deepEqual((await names({ pageSize: 3 })).sort(), [...NAMES].sort())
    const long = within('f1', ...NAMES, ...Array.from({ length: 300 }, (_, n) => `other ${n}`))
    seen.length = 0
    assert.deepEqual((await names({ pageSize: 3, filter: long, sort: ['-id'] })).toReversed(), NAMES)
    assert.equal(seen.filter((one) => one.startsWith('POST /api/dev/data1/search')).length, 3)
    for await (const _ of companies.list({ pageSize: 2 })) break
  })

  it('sends again what the service could not do now, and makes nothing twice', async () => {
    const companies = api.table('data1')
    waits = []
    seen.length = 0
    difficulties.push(503, 429, 409, 'cut')
    await companies.create({ f1: 'Once' })
    assert.deepEqual(
      waits.map((one) => (one >= 7_000 ? 'as told' : 'a little')),
      ['as told', 'as told', 'as told', 'a little'],
    )
    assert.equal(new Set(seen).size, 1)
    assert.equal((await companies.page({ filter: eq('f1', 'Once') })).total, 1)
    const { records } = await companies.page({ filter: eq('f1', 'Once') })
    difficulties.push('cut')
    await assert.rejects(companies.update(records[0]!.id, { f1: 'Twice' }), TypeError)
  })

  it('does several things at once, and takes them back', async () => {
    const results = await api.batch((batch) => {
      const one = batch.create('data1', { f1: 'New' })
      batch.update('data1', one, { f2: 'warm' })
    })
    assert.equal((results[1]!.attributes as Company).f2, 'warm')
    const found = await api.resource('change').page({ filter: eq('record_id', results[0]!.id), sort: ['-id'] })
    const undone = await api.undo(String(found.records[0]!.attributes['batch_id']))
    assert.deepEqual([undone.records, undone.conflicts], [1, 0])
    assert.equal((await api.table('data1').page({ filter: eq('f1', 'New') })).total, 0)
    await assert.rejects(
      api.batch((batch) => {
        batch.create('data1', { f1: 'Half' })
        batch.delete('data1', 999)
      }),
      (error: ApiError) => error.code === 'record.not_found',
    )
    assert.equal((await api.table('data1').page({ filter: eq('f1', 'Half') })).total, 0)
  })

  it('stores and reads files', async () => {
    const { id } = await api.table('data1').create({ f1: 'With papers' })
    const files = api.table('data1').files(id, 'f3')
    await files.put('Договор №5.txt', 'Ten bicycles.', 'text/plain')
    assert.deepEqual(
      (await files.list()).map(({ file_name, size }) => [file_name, size]),
      [['Договор №5.txt', 13]],
    )
    assert.equal(await (await files.get('Договор №5.txt')).text(), 'Ten bicycles.')
  })

  it('follows changes, and goes on where it was when a connection ends', async () => {
    const { meta } = await api.request<{ meta: { cursor: string } }>('GET', '/api/dev/change?page[after]=now')
    await service.make('data1', { f1: 'First' })
    const told: string[] = []
    const end = new AbortController()
    // As of a proxy while the service starts again.
    difficulties.push(502, 504)
    for await (const { attributes } of api.follow({ tables: [1], after: meta.cursor, signal: end.signal })) {
      told.push(attributes.changes!['f1']!.to!)
      if (told.length === 2) {
        end.abort()
        continue
      }
      // The connection ends with the first change, and the second is made meanwhile.
      front.closeAllConnections()
      await service.make('data1', { f1: 'Second' })
    }
    assert.deepEqual(told, ['First', 'Second'])
    await assert.rejects(api.follow({ tables: [99] }).next(), (error: ApiError) => error.code === 'table.not_found')
  })

  it('follows a job to its end, also where the connection ends meanwhile', async () => {
    const mine = (await service.get('token?sort=-id')).json.data[0].id
    const caller = (await callersNow(service.store, [Number(mine)])).get(Number(mine))!
    const id = await createJob(service.store, caller, { kind: 'steps', tableId: 0, input: { steps: 1 } })
    const steps = stepsKind()
    const runner = runJobs(service.store, steps.kinds)
    const told: string[] = []
    try {
      for await (const { attributes } of api.followJob(id)) {
        told.push(attributes.state)
        if (attributes.state !== 'running') continue
        front.closeAllConnections()
        await jobWhen(service, String(id), () => steps.waiting.has(id))
        steps.step(id)
      }
    } finally {
      await runner.close()
    }
    assert.equal(told.at(-1), 'done')
    assert.equal(told.filter((state) => state === 'done').length, 1)
    const ended: unknown[] = []
    for await (const { attributes } of api.followJob(id)) ended.push(attributes.result)
    assert.deepEqual(ended, [{ position: 1 }])
    await assert.rejects(api.followJob(99_999).next(), (error: ApiError) => error.code === 'resource.not_found')
  })

  it('is typed: names and values that do not exist are no programs', () => {
    const companies = api.table('data1')
    const wrong = () => [
      // @ts-expect-error -- no such label
      companies.create({ f2: 'hot' }),
      // @ts-expect-error -- no such attribute
      companies.page({ filter: eq('f9', 'x') }),
      // @ts-expect-error -- no such attribute to sort by
      companies.page({ sort: ['-f9'] }),
      // One step along a reference is no error.
      companies.page({ filter: eq('f1.f3', 'Porto') }),
      companies.get(1, { fields: ['f1'] }).then(({ attributes }) => [
        attributes.f1,
        // @ts-expect-error -- not asked for
        attributes.f2,
      ]),
      // @ts-expect-error -- no such table
      api.table('data2'),
    ]
    assert.equal(typeof wrong, 'function')
    assert.equal(typeof client.savedFilter(7).text, 'string')
  })
})
