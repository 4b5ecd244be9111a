import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { runJobs } from '../../../src/jobs/run-jobs.ts'
import { limits } from '../../../src/limits.ts'
import { sql } from '../../../src/sql/sql.ts'
import { operator } from '../../../src/store/catalogue/administrator.ts'
import { sweepJobs } from '../../../src/store/jobs/jobs.ts'
import { grant } from '../../../src/store/model/access.ts'
import { insertRecords } from '../../../src/store/records/insert-records.ts'
import { jobWhen } from '../../support/jobs.ts'
import { makeTable, refused, type Table } from '../../support/scene.ts'
import { startService, type Answer, type Service } from '../../support/service.ts'

type Values = Readonly<Record<string, unknown>>
const JOBS = 'job?sort=id&page[size]=1000'

describe('jobs', () => {
  let service: Service
  let table: Table
  let f: Readonly<Record<'count' | 'code' | 'paper', string>>
  let mine: string

  before(async () => {
    service = await startService()
    const made = await makeTable(service, 'Things', { count: 'integer', code: { field_type: 'text', unique: true }, paper: 'file' })
    table = made
    f = made.f
    mine = await userWith({ read: true, update: true, delete: true, bed: true })
  })
  after(() => service.close())

  async function userWith(rights: Values, wish?: { scope?: 'read' | 'write'; tables?: readonly number[] }): Promise<string> {
    const group = Number(await service.make('group', { group_name: `g${Math.random()}` }))
    await service.make('access', { group_id: group, table_id: table.id, ...rights })
    return service.tokenOf(group, wish)
  }
  async function fill(records: number, count = 0): Promise<void> {
    const granted = grant(['create', 'bulk'], table.id, operator, service.store.catalogue())
    await insertRecords(
      service.store,
      granted,
      Array.from({ length: records }, () => new Map([[f.count, String(count)]])),
    )
  }
  const ask = (attributes: Values, token?: string) => service.call('POST', 'job', { data: { type: 'job', attributes } }, token)
  const deletion = (filter = `eq(${f.count},99)`) => ({ kind: 'bulk', table_id: table.id, input: { action: 'delete', filter } })
  const queued = async (token = mine) => {
    const answer = await ask(deletion(), token)
    assert.equal(answer.status, 202, answer.text)
    return String(answer.json.data.id)
  }
  const total = async (filter: string) =>
    (await service.get(`${table.type}?filter=${encodeURIComponent(filter)}&page[limit]=1`)).json.meta.total
  const ids = async (token?: string) => (await service.get(JOBS, token)).json.data.map(({ id }: Answer['json']) => id)
  /** A lowered limit during some work. */
  async function lowered<T>(name: 'bulkRecords' | 'jobsWaiting' | 'jobsOfUser', most: number, work: () => Promise<T>): Promise<T> {
    const before_ = limits[name].most
    Object.assign(limits[name], { most })
    try {
      return await work()
    } finally {
      Object.assign(limits[name], { most: before_ })
    }
  }

  it('are what a change or deletion of many records becomes; it is one batch, which an undo takes back', async () => {
    await fill(130, 1)
    const filter = encodeURIComponent(`eq(${f.count},1)`)
    const document = { data: { type: table.type, attributes: { [f.count]: 2, [f.paper]: [{ file_name: 'a.txt', content: 'paper' }] } } }
    const asked = await lowered('bulkRecords', 100, () => service.call('PATCH', `${table.type}?filter=${filter}`, document, mine))
    assert.equal(asked.status, 202, asked.text)
    const { id, attributes } = asked.json.data
    assert.deepEqual([asked.headers.get('location'), attributes.state, attributes.kind], [`/api/dev/job/${id}`, 'queued', 'bulk'])
    assert.equal(await total(`eq(${f.count},1)`), 130)
    const runner = runJobs(service.store)
    try {
      const done = await jobWhen(service, id, undefined, mine)
      const { batch_id: batch, ...result } = done.result
      assert.deepEqual(
        [done.state, done.done, done.total, result],
        ['done', 130, 130, { records: 130, refused: 0, left_out: 0, listed: [] }],
      )
      assert.deepEqual([done.error, done.batch_id], [null, batch])
      assert.deepEqual([await total(`eq(${f.count},2)`), await total(`eq(${f.paper},'a.txt')`)], [130, 130])
      assert.equal((await service.get(`batch/${batch}`)).json.data.attributes.records, 130)
      assert.equal((await service.call('POST', `batch/${batch}/undo`, undefined, mine)).json.meta.records, 130)
      assert.deepEqual([await total(`eq(${f.count},1)`), await total(`is_empty(${f.paper})`)], [130, 130])
      const gone = await lowered('bulkRecords', 100, () => service.remove(`${table.type}?filter=${filter}`, mine))
      assert.equal((await jobWhen(service, gone.json.data.id)).result.records, 130)
      assert.equal(await total(`eq(${f.count},1)`), 0)
      assert.deepEqual(service.faults, [])
    } finally {
      await runner.close()
    }
  })

  it('count and list the records that could not be written', async () => {
    await fill(60, 5)
    const limited = await userWith({ read: true, update: true, bed: true, write_filter: `gt(id,${(await lastId()) - 10})` })
    const { json } = await ask({ kind: 'bulk', table_id: table.id, input: { action: 'update', filter: `eq(${f.count},5)`, attributes: { [f.count]: 6 } } }, limited) // prettier-ignore
    const runner = runJobs(service.store)
    try {
      const done = await jobWhen(service, json.data.id)
      assert.deepEqual([done.state, done.done, done.result.records, done.result.refused], ['done', 60, 10, 50])
      assert.deepEqual([done.result.listed.length, done.result.listed[0].code], [50, 'access.denied'])
    } finally {
      await runner.close()
    }
  })
  const lastId = async () => Number((await service.get(`${table.type}?sort=-id&page[limit]=1`)).json.data[0].id)

  it('are refused with what is wrong with them, as the direct request is', async () => {
    const bulk = (input: unknown, more: Values = {}) => ask({ kind: 'bulk', table_id: table.id, input, ...more }, mine)
    const change = (attributes: unknown) => bulk({ action: 'update', filter: 'eq(status,0)', attributes })
    refused(await ask({}, mine), '422 field.required /data/attributes/kind')
    refused(await ask({ kind: 'x' }, mine), '422 job.unknown_kind /data/attributes/kind')
    refused(await bulk([]), '422 field.invalid_value /data/attributes/input')
    refused(await bulk({ action: 'x', filter: 'y' }), '422 field.invalid_value /data/attributes/input/action')
    refused(await bulk({ action: 'delete' }), '422 field.invalid_value /data/attributes/input/filter')
    refused(await bulk({ action: 'delete', filter: 'y', more: 1 }), '422 field.invalid_value /data/attributes/input/more')
    refused(await change({ [f.count]: {} }), '422 field.invalid_value /data/attributes/input/attributes')
    refused(await change({ [f.count]: 'x'.repeat(limits.jobInput.most) }), '413 job.too_large')
    refused(await bulk({ action: 'delete', filter: 'y' }, { table_id: 999 }), '404 table.not_found')
    refused(await ask(deletion(), await userWith({ read: true, delete: true })), '403 access.denied')
    refused(await ask(deletion(), await userWith({ read: true, delete: true, bed: true }, { scope: 'read' })), '403 access.denied')
    refused(await ask({ ...deletion(), state: 'done' }, mine), '400 attribute.unknown /data/attributes/state')
    // What is wrong only where the work begins is told by the job.
    const wrong = await ask(deletion('eq(f9999,1)'), mine)
    const unique = await ask({ kind: 'bulk', table_id: table.id, input: { action: 'update', filter: 'gt(id,0)', attributes: { [f.code]: 'same' } } }, mine) // prettier-ignore
    const runner = runJobs(service.store)
    try {
      assert.equal((await jobWhen(service, wrong.json.data.id)).error.code, 'filter.unknown_attribute')
      const failed = await jobWhen(service, unique.json.data.id)
      assert.deepEqual([failed.state, failed.error.code, failed.batch_id, failed.result.records], ['failed', 'field.not_unique', null, 0])
    } finally {
      await runner.close()
    }
  })

  it('exist for their user and for administrators, by a token of some tables those of these tables', async () => {
    const own = await queued()
    const other = await userWith({ read: true, delete: true, bed: true })
    const others = await queued(other)
    for (const [method, path] of [
      ['GET', `job/${own}`],
      ['DELETE', `job/${own}`],
    ] as const)
      // prettier-ignore
      refused(await service.call(method, path, undefined, other), '404 resource.not_found')
    assert.deepEqual([await ids(other), (await ids()).includes(own), (await ids()).includes(others)], [[others], true, true])
    assert.equal((await service.get(`job?filter=eq(id,${own})`, other)).json.meta.total, 0)
    const { login } = service.first
    const { issueToken } = await import('../../../src/store/people/tokens.ts')
    const elsewhere = await makeTable(service, 'Other', {})
    const narrow = (await issueToken(service.store, operator, { login, tables: [elsewhere.id] })).token
    assert.deepEqual(await ids(narrow), [])
    refused(await service.get(`job/${own}`, narrow), '404 resource.not_found')
    const reader = await userWith({ read: true, delete: true, bed: true }, { scope: 'read' })
    refused(await service.remove(`job/${own}`, reader), '404 resource.not_found')
    for (const id of [own, others]) {
      assert.equal((await service.remove(`job/${id}`)).status, 202)
      assert.equal((await service.remove(`job/${id}`)).status, 200)
    }
    const acts = (await service.get(`audit?filter=eq(action,'job_cancelled')`)).json.data
    assert.ok(acts.length >= 2)
  })

  it('can be cancelled while they wait, and removed when they have ended', async () => {
    const id = await queued()
    const cancelled = await service.remove(`job/${id}`, mine)
    assert.deepEqual([cancelled.status, cancelled.json.data.attributes.state], [202, 'cancelled'])
    const removed = await service.remove(`job/${id}`, mine)
    assert.deepEqual([removed.status, removed.json.meta], [200, {}])
    refused(await service.remove(`job/${id}`, mine), '404 resource.not_found')
  })

  it('end when their user has no right any more, or their token is revoked', async () => {
    for (const [end, code] of [
      [(id: string, token: string) => service.remove(`token/${id}`, token), 'auth.token_invalid'],
      [async () => service.change('access', await rule(), { bed: false }), 'access.denied'],
    ] as const) {
      const token = await userWith({ read: true, delete: true, bed: true })
      const id = await queued(token)
      const [[tokenId]] = (await service.store.db.read(sql`SELECT token_id FROM jobs WHERE id = ${Number(id)}`))[0] as [[number]]
      const ended = await end(String(tokenId), token)
      assert.equal(ended.status, 200, ended.text)
      const runner = runJobs(service.store)
      try {
        const failed = await jobWhen(service, id)
        assert.deepEqual([failed.state, failed.error.code], ['failed', code])
      } finally {
        await runner.close()
      }
    }
  })
  const rule = async (): Promise<string> => (await service.get('access?sort=-id')).json.data[0].id

  it('of a user are limited; those that ended first go', async () => {
    const token = await userWith({ read: true, delete: true, bed: true })
    await lowered('jobsWaiting', 2, async () => {
      const first = await queued(token)
      await queued(token)
      refused(await ask(deletion(), token), '409 quota.reached')
      await service.remove(`job/${first}`, token)
      await queued(token)
    })
    await lowered('jobsOfUser', 3, async () => {
      const before_ = await ids(token)
      const last = await queued(token)
      assert.deepEqual(await ids(token), [...before_.slice(1), last])
    })
    for (const id of await ids(token)) await service.remove(`job/${id}`, token)
  })

  it('are erased some days after their end', async () => {
    const [ended, waits] = [await queued(), await queued()]
    await service.remove(`job/${ended}`, mine)
    service.clock.now += 29 * 86_400_000
    await sweepJobs(service.store)
    assert.ok((await ids()).includes(ended))
    service.clock.now += 2 * 86_400_000
    await sweepJobs(service.store)
    assert.deepEqual([(await ids()).includes(ended), (await ids()).includes(waits)], [false, true])
    service.clock.now -= 31 * 86_400_000
  })
})
