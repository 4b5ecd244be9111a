import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { runJobs } from '../../../src/jobs/run-jobs.ts'
import { sql } from '../../../src/sql/sql.ts'
import { createJob } from '../../../src/store/jobs/jobs.ts'
import { callersNow } from '../../../src/store/people/authenticate.ts'
import { openEvents, type EventStream } from '../../support/event-stream.ts'
import { jobWhen, stepsKind } from '../../support/jobs.ts'
import { makeTable, refused, type Table } from '../../support/scene.ts'
import { startService, type Service } from '../../support/service.ts'

describe('events of jobs', () => {
  let service: Service
  let deals: Table & { readonly f: Readonly<Record<'title', string>> }
  const open: EventStream[] = []
  before(async () => {
    service = await startService()
    deals = await makeTable(service, 'Deals', { title: 'text' })
  })
  after(async () => {
    for (const one of open) one.close()
    await service.close()
  })

  const listen = async (query: string, token: string): Promise<EventStream> => {
    const stream = await openEvents(service, query, { token })
    open.push(stream)
    await stream.until(() => stream.comments > 0)
    return stream
  }
  /** A user outside of the administrators, with the caller of their token. */
  async function someone(wish: { readonly tables?: readonly number[] } = {}) {
    const group = Number(await service.make('group', { group_name: `Group ${Math.random()}` }))
    for (const table_id of wish.tables ?? []) await service.make('access', { group_id: group, table_id, read: true })
    const token = await service.tokenOf(group, wish)
    return { token, caller: await callerOf(token) }
  }
  async function callerOf(token: string) {
    const id = Number((await service.get('token?sort=-id', token)).json.data[0].id)
    return (await callersNow(service.store, [id])).get(id)!
  }
  const queue = (caller: Awaited<ReturnType<typeof callerOf>>, steps: number, tableId = 0) =>
    createJob(service.store, caller, { kind: 'steps', tableId, input: { steps } })
  const ofJob = ({ events }: EventStream, id: number) => events.filter(({ name, data }) => name === 'job' && data.id === String(id))
  const told = (stream: EventStream, id: number) => ofJob(stream, id).map(({ data: { attributes } }) => [attributes.state, attributes.done])
  const sees = (stream: EventStream, id: number, state: string, done: number) =>
    stream.until(() => told(stream, id).some(([a, b]) => a === state && b === done))

  it('tell its user and administrators how a job goes, with the resource as it is read, and nobody else', async () => {
    const [owner, other] = [await someone(), await someone()]
    const [mine, all, others, plain] = [
      await listen('?jobEvents=only', owner.token),
      await listen('?jobEvents=true', service.token),
      await listen('?jobEvents=true', other.token),
      await listen('', service.token),
    ]
    const before = mine.lastId
    const steps = stepsKind()
    const id = await queue(owner.caller, 3)
    await sees(mine, id, 'queued', 0)
    const runner = runJobs(service.store, steps.kinds)
    try {
      await sees(mine, id, 'running', 0)
      await jobWhen(service, String(id), () => steps.waiting.has(id))
      steps.step(id)
      await sees(mine, id, 'running', 1)
      for (let done = 1; done < 3;) {
        steps.step(id)
        done = (await jobWhen(service, String(id), () => true)).done
      }
      for (const stream of [mine, all]) await stream.until(() => told(stream, id).at(-1)?.[0] === 'done')
    } finally {
      await runner.close()
    }
    assert.deepEqual(ofJob(mine, id).at(-1)!.data, (await service.get(`job/${id}`, owner.token)).json.data)
    assert.deepEqual(ofJob(all, id).at(-1)!.data, ofJob(mine, id).at(-1)!.data)
    assert.equal(ofJob(mine, id).at(-1)!.data.attributes.result.position, 3)
    // A change shows that the streams have come further; without an id, the cursor stays.
    const record = await service.make(deals.type, { [deals.f.title]: 'x' })
    for (const stream of [all, plain])
      await stream.until(() => stream.events.some(({ data }) => String(data.attributes.record_id) === record))
    assert.equal(ofJob(mine, id)[0]!.id, before)
    assert.deepEqual([others.events.length, plain.events.map(({ name }) => name)], [0, ['change']])
    assert.ok(mine.events.every(({ name }) => name === 'job'))
    assert.deepEqual(service.faults, [])
  })

  it('tell that a job was cancelled, while it waits and while it runs, and that it failed', async () => {
    const { token, caller } = await someone()
    const stream = await listen('?jobEvents=only', token)
    const [running, waiting] = [await queue(caller, 5), await queue(caller, 5)]
    const steps = stepsKind()
    const runner = runJobs(service.store, steps.kinds)
    try {
      await sees(stream, running, 'running', 0)
      assert.equal((await service.remove(`job/${waiting}`, token)).status, 202)
      await sees(stream, waiting, 'cancelled', 0)
      assert.equal((await service.remove(`job/${running}`, token)).status, 202)
      await stream.until(() => told(stream, running).at(-1)?.[0] === 'cancelled')
      assert.ok(!told(stream, waiting).some(([state]) => state === 'running'))
      const unknown = await createJob(service.store, caller, { kind: 'gone', tableId: 0, input: {} })
      await stream.until(() => told(stream, unknown).at(-1)?.[0] === 'interrupted')
      assert.equal(ofJob(stream, unknown).at(-1)!.data.attributes.error.code, 'job.interrupted')
    } finally {
      await runner.close()
    }
  })

  it('tell about once a second how far a job is, however many steps it has', async () => {
    const { token, caller } = await someone()
    const stream = await listen('?jobEvents=only', token)
    const id = await queue(caller, 1)
    await sees(stream, id, 'queued', 0)
    const began = performance.now()
    let done = 0
    while (performance.now() - began < 2_500) {
      await service.store.db.write((tx) => tx.run(sql`UPDATE jobs SET done = ${++done} WHERE id = ${id}`))
      await sleep(5)
    }
    const seconds = (performance.now() - began) / 1_000
    const count = told(stream, id).length
    assert.ok(done > 50 && count >= 2 && count <= 2 + seconds, `${count} events of ${done} steps in ${seconds} s`)
    await service.remove(`job/${id}`, token)
    await sees(stream, id, 'cancelled', done)
  })

  it('tell of a job that began and ended between two looks, and of none twice', async () => {
    const { token, caller } = await someone()
    const stream = await listen('?jobEvents=only', token)
    const [quick, next] = [await queue(caller, 0), await queue(caller, 0)]
    // As another process ends it: this one hears nothing.
    await service.store.db.write((tx) =>
      tx.run(sql`UPDATE jobs SET state = ${'done'}, statek = ${'done'}, result = ${'{}'} WHERE id = ${quick}`),
    )
    await sees(stream, quick, 'done', 0)
    await sleep(2_500)
    assert.equal(told(stream, quick).filter(([state]) => state === 'done').length, 1)
    assert.equal(told(stream, next).length, 1)
    await service.remove(`job/${next}`, token)
  })

  it('go by the rights of the moment: of a token of some tables by these, of one that was revoked not at all', async () => {
    const owner = await someone({ tables: [deals.id] })
    const witness = await listen('?jobEvents=only', service.token)
    const limited = await listen('?jobEvents=only', owner.token)
    const [elsewhere, here] = [await queue(owner.caller, 1), await queue(owner.caller, 1, deals.id)]
    await sees(limited, here, 'queued', 0)
    await sees(witness, elsewhere, 'queued', 0)
    assert.deepEqual(told(limited, elsewhere), [])
    assert.equal((await service.remove(`token/${owner.caller.tokenId}`, owner.token)).status, 200)
    for (const id of [elsewhere, here]) {
      await service.remove(`job/${id}`)
      await sees(witness, id, 'cancelled', 0)
    }
    assert.deepEqual(told(limited, here), [['queued', 0]])
  })

  it('are asked for by true or only, which takes nothing that chooses changes', async () => {
    refused(await service.get('events?jobEvents=yes'), '400 parameter.invalid jobEvents')
    for (const query of [`tables=${deals.id}`, 'after=0', 'saved_filter=1'])
      refused(await service.get(`events?jobEvents=only&${query}`), '400 parameter.invalid jobEvents')
  })
})
