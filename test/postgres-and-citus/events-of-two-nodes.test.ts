import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { runJobs } from '../../src/jobs/run-jobs.ts'
import { createJob } from '../../src/store/jobs/jobs.ts'
import { callersNow } from '../../src/store/people/authenticate.ts'
import { openEvents } from '../support/event-stream.ts'
import { jobWhen, stepsKind } from '../support/jobs.ts'
import { makeTable, person } from '../support/scene.ts'
import { startNodes, type Service } from '../support/service.ts'

describe('live events of two nodes over one database', () => {
  let close: () => Promise<void>
  let here: Service
  let there: Service
  before(async () => {
    const started = await startNodes(2)
    ;[here, there] = started.nodes as [Service, Service]
    close = started.close
  })
  after(() => close?.())

  it('are the same on both, whichever wrote, in one order', async () => {
    const table = await makeTable(here, 'Deals', { title: 'text' })
    const { title } = table.f
    const streams = [await openEvents(here, `?tables=${table.id}`), await openEvents(there, `?tables=${table.id}`)]
    for (const stream of streams) await stream.until(() => stream.comments > 0)
    const written: string[] = []
    for (let i = 0; i < 20; i++) {
      const id = await (i % 2 === 0 ? here : there).make(table.type, { [title]: String(i) })
      await (i % 3 === 0 ? here : there).change(table.type, id, { [title]: `${i} again` })
      written.push(`${id} create`, `${id} update`)
    }
    for (const stream of streams) {
      await stream.until(() => stream.events.length >= written.length)
      assert.deepEqual(
        stream.events.map(({ data }) => `${data.attributes.record_id} ${data.attributes.action}`),
        written,
      )
      stream.close()
    }
    const [one, other] = streams.map(({ events }) => events.map(({ id }) => id))
    assert.deepEqual(one, other)
  })

  it('tell how a job goes that the other node runs, to its user alone', async () => {
    const group = Number(await here.make('group', { group_name: 'Workers' }))
    const [owner, other] = [await here.tokenOf(group), await here.tokenOf(group)]
    const [own] = (await here.get('token', owner)).json.data
    await there.get('token', owner)
    const caller = (await callersNow(here.store, [Number(own.id)])).get(Number(own.id))!
    const streams = [
      await openEvents(here, '?jobEvents=only', { token: owner }),
      await openEvents(there, '?jobEvents=only', { token: owner }),
      await openEvents(here, '?jobEvents=only', { token: other }),
    ]
    for (const stream of streams) await stream.until(() => stream.comments > 0)
    const steps = stepsKind()
    const runner = runJobs(there.store, steps.kinds)
    const states = ({ events }: (typeof streams)[number], id: number) =>
      events.filter(({ data }) => data.id === String(id)).map(({ data: { attributes } }) => `${attributes.state} ${attributes.done}`)
    try {
      const id = await createJob(here.store, caller, { kind: 'steps', tableId: 0, input: { steps: 2 } })
      await jobWhen(here, String(id), () => steps.waiting.has(id))
      for (const stream of streams.slice(0, 2)) await stream.until(() => states(stream, id).includes('running 0'))
      steps.step(id)
      for (const stream of streams.slice(0, 2)) await stream.until(() => states(stream, id).includes('running 1'))
      while ((await jobWhen(here, String(id), () => true)).state === 'running') steps.step(id)
      for (const stream of streams.slice(0, 2)) await stream.until(() => states(stream, id).includes('done 2'))
      // One that begins and ends there between two looks here.
      const quick = await createJob(here.store, caller, { kind: 'steps', tableId: 0, input: { steps: 0 } })
      for (const stream of streams.slice(0, 2)) await stream.until(() => states(stream, quick).at(-1) === 'done 0')
      assert.deepEqual(streams[2]!.events, [])
    } finally {
      await runner.close()
      for (const stream of streams) stream.close()
    }
  })

  it('follow rights, and end with tokens, that the other node changed', async () => {
    const table = await makeTable(here, 'Secret', { title: 'text' })
    const group = Number(await here.make('group', { group_name: 'Readers' }))
    const rule = await here.make('access', { group_id: group, table_id: table.id, read: true })
    const { token } = await person(here, group, 'reader')
    const stream = await openEvents(there, '', { token })
    await stream.until(() => stream.comments > 0)
    const first = await here.make(table.type, { [table.f.title]: 'x' })
    await stream.until(() => stream.events.length === 1)
    await here.change('access', rule, { read: false, create: true })
    const unseen = await here.make(table.type, { [table.f.title]: 'y' })
    await here.change('access', rule, { read: true })
    const last = await here.make(table.type, { [table.f.title]: 'z' })
    await stream.until(() => stream.events.some(({ data }) => String(data.attributes.record_id) === last))
    assert.equal(String(stream.events[0]!.data.attributes.record_id), first)
    const [own] = (await here.get('token', token)).json.data
    assert.equal((await here.remove(`token/${own.id}`, token)).status, 200)
    await here.change(table.type, unseen, { [table.f.title]: 'w' })
    await stream.until(() => stream.hasEnded)
    assert.ok(!stream.events.some(({ data }) => data.attributes.action === 'update'))
  })
})
