import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { JobKind, Running } from '../../../src/jobs/job-kind.ts'
import { runJobs } from '../../../src/jobs/run-jobs.ts'
import { limits } from '../../../src/limits.ts'
import { sql } from '../../../src/sql/sql.ts'
import { createJob } from '../../../src/store/jobs/jobs.ts'
import { callersNow } from '../../../src/store/people/authenticate.ts'
import { jobWhen } from '../../support/jobs.ts'
import { startService, type Service } from '../../support/service.ts'

/** Steps that a test lets go on one after the other. */
class Steps implements JobKind<{ readonly steps: number }, number> {
  readonly name = 'steps'
  readonly goesOn: boolean
  readonly begun: number[] = []
  readonly waiting = new Map<number, () => void>()
  constructor(goesOn = true) {
    this.goesOn = goesOn
  }
  tableOf = () => 0
  allow = () => undefined
  resultOf = (position: number | undefined) => ({ position: position ?? null })
  async run(running: Running<number>, { steps }: { readonly steps: number }): Promise<number> {
    this.begun.push(running.id)
    let position = running.position ?? 0
    for (; position < steps; position++) {
      await running.goOn()
      await new Promise<void>((resolve) => {
        this.waiting.set(running.id, resolve)
        running.signal.addEventListener('abort', () => resolve())
        if (running.signal.aborted) resolve()
      })
      await running.advance(undefined, { done: position + 1, total: steps, position: position + 1 })
    }
    return position
  }
  step(id: number): void {
    this.waiting.get(id)!()
  }
}

describe('the process that runs jobs', () => {
  let service: Service
  before(async () => {
    service = await startService()
  })
  after(() => service.close())

  async function users(count: number) {
    const ids: number[] = []
    for (let i = 0; i < count; i++) {
      const token = await service.tokenOf(1)
      ids.push(Number((await service.get('token?sort=-id', token)).json.data[0].id))
    }
    const callers = await callersNow(service.store, ids)
    return ids.map((id) => callers.get(id)!)
  }
  const queue = (caller: Awaited<ReturnType<typeof users>>[number], steps = 1) =>
    createJob(service.store, caller, { kind: 'steps', tableId: 0, input: { steps } })
  const kindsOf = (kind: Steps) => new Map([[kind.name, kind]])
  const stateOf = (id: number, state: string) => jobWhen(service, String(id), (job) => job.state === state)
  const doneOf = (id: number, done: number) => jobWhen(service, String(id), (job) => job.done === done)

  it(`runs ${limits.jobs.most} at once, one of each user, and users take turns`, async () => {
    const [a, b, c] = await users(3)
    const kind = new Steps()
    const order = [await queue(a!), await queue(a!), await queue(a!), await queue(b!), await queue(b!), await queue(c!)]
    const [a1, a2, a3, b1, b2, c1] = order as [number, number, number, number, number, number]
    const runner = runJobs(service.store, kindsOf(kind))
    try {
      const turns: readonly (readonly [ends: number | undefined, begins: number])[] = [[undefined, a1], [undefined, b1], [a1, c1], [c1, a2], [b1, b2], [a2, a3]] // prettier-ignore
      for (const [i, [ends, begins]] of turns.entries()) {
        if (ends !== undefined) {
          kind.step(ends)
          await stateOf(ends, 'done')
        }
        await jobWhen(service, String(begins), () => kind.waiting.has(begins))
        assert.equal(kind.begun[i], begins)
        assert.ok(runner.load().running <= limits.jobs.most)
      }
      for (const id of [b2, a3]) {
        kind.step(id)
        await stateOf(id, 'done')
      }
    } finally {
      await runner.close()
    }
  })

  it('ends a job that is cancelled after its present step, and keeps what it has done', async () => {
    const [a] = await users(1)
    const kind = new Steps()
    const id = await queue(a!, 5)
    const runner = runJobs(service.store, kindsOf(kind))
    try {
      await jobWhen(service, String(id), () => kind.waiting.has(id))
      kind.step(id)
      await doneOf(id, 1)
      const asked = await service.remove(`job/${id}`)
      assert.deepEqual([asked.status, asked.json.data.attributes.cancel_asked], [202, true])
      kind.step(id)
      const ended = await jobWhen(service, String(id))
      assert.deepEqual([ended.state, ended.done, ended.total, ended.result], ['cancelled', 2, 5, { position: 2 }])
      await jobWhen(service, String(id), () => runner.load().running === 0)
      assert.deepEqual(
        [runner.load().ended, [...runner.load().runningOf]],
        [[{ kind: 'steps', state: 'cancelled', count: 1 }], [['steps', 0]]],
      )
    } finally {
      await runner.close()
    }
  })

  it('gives a job back when it ends: the next one goes on behind the last step', async () => {
    const [a] = await users(1)
    const kind = new Steps()
    const id = await queue(a!, 3)
    const first = runJobs(service.store, kindsOf(kind))
    await jobWhen(service, String(id), () => kind.waiting.has(id))
    kind.step(id)
    await doneOf(id, 1)
    await first.close()
    const between = await jobWhen(service, String(id), () => true)
    assert.equal(between.state, 'running')
    const second = runJobs(service.store, kindsOf(kind))
    try {
      for (let done = between.done; done < 3;) {
        kind.step(id)
        const now = await jobWhen(service, String(id), () => true)
        done = now.done
      }
      const ended = await jobWhen(service, String(id))
      assert.deepEqual([ended.state, ended.done, kind.begun], ['done', 3, [id, id]])
    } finally {
      await second.close()
    }
  })

  it('ends as interrupted what cannot go on', async () => {
    const [a, b] = await users(2)
    const kind = new Steps(false)
    const id = await queue(a!, 3)
    const first = runJobs(service.store, kindsOf(kind))
    await jobWhen(service, String(id), () => kind.waiting.has(id))
    kind.step(id)
    await doneOf(id, 1)
    await first.close()
    const unknown = await createJob(service.store, b!, { kind: 'gone', tableId: 0, input: {} })
    const second = runJobs(service.store, kindsOf(kind))
    try {
      const ended = await jobWhen(service, String(id))
      assert.deepEqual([ended.state, ended.error.code], ['interrupted', 'job.interrupted'])
      assert.ok(ended.result.position >= 1)
      assert.equal((await jobWhen(service, String(unknown))).state, 'interrupted')
    } finally {
      await second.close()
    }
  })

  it('writes nothing for a job that another process holds, and tells of a fault', async () => {
    const [a, b] = await users(2)
    const kind = new Steps()
    const id = await queue(a!, 2)
    const runner = runJobs(service.store, kindsOf(kind))
    try {
      await jobWhen(service, String(id), () => kind.waiting.has(id))
      await service.store.db.write((tx) => tx.run(sql`UPDATE jobs SET holder = ${'another'} WHERE id = ${id}`))
      kind.step(id)
      await jobWhen(service, String(id), () => runner.load().running === 0)
      const left = await jobWhen(service, String(id), () => true)
      assert.deepEqual([left.state, left.done], ['running', 0])
      await service.store.db.write((tx) => tx.run(sql`DELETE FROM jobs WHERE id = ${id}`))
    } finally {
      await runner.close()
    }
    const faulty = await queue(b!)
    kind.run = () => Promise.reject(new Error('a fault'))
    const again = runJobs(service.store, kindsOf(kind))
    try {
      assert.deepEqual((await jobWhen(service, String(faulty))).error.code, 'server.internal')
      assert.deepEqual(service.faults, [`job ${faulty} failed: a fault`])
    } finally {
      await again.close()
    }
  })
})
