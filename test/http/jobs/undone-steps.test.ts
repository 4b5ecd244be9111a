import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { fail } from '../../../src/errors.ts'
import { ATOMIC_TYPE } from '../../../src/http/answers/jsonapi.ts'
import { convertJob } from '../../../src/jobs/convert-job.ts'
import { runJobs } from '../../../src/jobs/run-jobs.ts'
import { RunningJob } from '../../../src/jobs/running-job.ts'
import { sql } from '../../../src/sql/sql.ts'
import type { Transaction } from '../../../src/store/ground/db.ts'
import { sweepChanges } from '../../../src/store/changes/sweep-changes.ts'
import { claimJob, finishJob } from '../../../src/store/jobs/job-work.ts'
import { checkIntegrity } from '../../../src/store/upkeep/check-integrity.ts'
import { jobWhen } from '../../support/jobs.ts'
import { makeTable } from '../../support/scene.ts'
import { startService, type Service } from '../../support/service.ts'

const RECORDS = 400

describe('a step of a conversion that is undone', () => {
  let service: Service
  before(async () => {
    service = await startService()
  })
  after(() => service.close())

  const faults = async () => {
    const found: string[] = []
    for await (const fault of checkIntegrity(service.store)) found.push(fault)
    return found
  }
  const asked = async (n: string, attributes: object = { field_type: 'integer' }) => {
    const body = { data: { type: 'field', id: n.slice(1), attributes } }
    const answer = await service.send('PATCH', `/api/dev/field/${n.slice(1)}?asJob=true`, { body })
    assert.equal(answer.status, 202, answer.text)
    return answer.json.data.id as string
  }
  /** Its store, in which a write may fail right before its commit. */
  function failing(isToFail: (position: { readonly at?: number }) => boolean) {
    const { db } = service.store
    const write: typeof db.write = (work, ...more) =>
      db.write(
        async (tx: Transaction) => {
          const done = await work(tx)
          const [row] = await tx.all(sql`SELECT position FROM jobs WHERE state = ${'running'}`)
          if (row && row[0] !== '' && isToFail(JSON.parse(String(row[0])))) throw fail('server.disk_full')
          return done
        },
        ...more,
      )
    return { ...service.store, db: Object.create(db, { write: { value: write } }) as typeof db }
  }

  it('is done again when the disk has room', async () => {
    const table = await makeTable(service, 'Full', { n: 'text' })
    const { n } = table.f
    const atomic = {
      'atomic:operations': Array.from({ length: RECORDS }, (_, i) => ({
        op: 'add',
        data: { type: table.type, attributes: { [n]: String(i + 1) } },
      })),
    }
    const headers = { 'Content-Type': ATOMIC_TYPE }
    assert.equal((await service.send('POST', '/api/dev/operations', { body: atomic, headers })).status, 200)
    const id = await asked(n)
    let failed = 0
    const runner = runJobs(failing(({ at = 0 }) => at > 0 && ++failed === 1))
    try {
      const job = await jobWhen(service, id)
      assert.equal(job.state, 'done', JSON.stringify(job))
      assert.ok(failed > 1)
      assert.deepEqual([job.result.records, job.result.lost, job.done, job.total], [RECORDS, 0, 2 * RECORDS, 2 * RECORDS])
      assert.equal((await service.get(`${table.type}?filter=between(${n},1,${RECORDS})`)).json.meta.total, RECORDS)
      assert.equal((await service.get(`change?filter=and(eq(table_id,${table.id}),eq(action,'convert'))`)).json.meta.total, RECORDS)
      assert.equal((await service.get(`change?filter=eq(batch_id,${job.batch_id})`)).json.meta.total, RECORDS + 1)
    } finally {
      await runner.close()
    }
    assert.deepEqual(await faults(), [])
  })

  it('has converted nothing where the values would repeat in a unique field', async () => {
    const table = await makeTable(service, 'Repeated', { n: 'text' })
    const { n } = table.f
    assert.equal((await service.change('field', n.slice(1), { unique: true })).status, 200)
    for (const text of ['1.5', '1.50']) await service.make(table.type, { [n]: text })
    const id = await asked(n, { field_type: 'decimal', scale: 2 })
    const runner = runJobs(service.store)
    try {
      const job = await jobWhen(service, id)
      assert.deepEqual([job.state, job.error.code], ['failed', 'field.has_duplicates'])
      assert.deepEqual(job.result, { batch_id: null, converted: false, records: 0, lost: 0, examples: [] })
    } finally {
      await runner.close()
    }
    assert.deepEqual(await faults(), [])
  })

  it('ends where the log has erased, by age, what others wrote while it did not run', async () => {
    const table = await makeTable(service, 'Old', { n: 'text' })
    const { n } = table.f
    for (const text of ['1', '2']) await service.make(table.type, { [n]: text })
    const id = await asked(n)
    const open = { id: Number(id), userId: 1, isRunning: false, isOver: true }
    const first = new RunningJob(service.store, (await claimJob(service.store, open, 'first'))!, 'first')
    const advance = first.advance.bind(first)
    first.advance = async (tx, progress) => {
      if ((progress.position as { stage: string }).stage === 'follow') first.stop()
      await advance(tx, progress)
    }
    await assert.rejects(convertJob.run(first as never, first.job.input as never), { name: 'JobStopped' })
    first.close()
    assert.equal((await service.change(table.type, '1', { [n]: '100' })).status, 200)
    const { now } = service.clock
    // The pieces of the log end with a month; the newest change stays.
    for (let months = 0; months < 3; months++) {
      service.clock.now += 40 * 86_400_000
      await sweepChanges({ ...service.store, settings: { ...service.store.settings, changeDays: 1 } })
      await service.make('table', { table_name: `Later ${months}` })
    }
    await service.store.db.write((tx) => tx.run(sql`UPDATE jobs SET until_ms = 0 WHERE id = ${Number(id)}`))
    const runner = runJobs(service.store)
    try {
      const job = await jobWhen(service, id)
      assert.deepEqual([job.state, job.error?.code], ['failed', 'field.changed_meanwhile'])
    } finally {
      await runner.close()
      service.clock.now = now
    }
    assert.equal((await service.get(`${table.type}/1`)).json.data.attributes[n], '100')
    assert.deepEqual(await faults(), [])
  })

  describe('after the swap', () => {
    /** A conversion whose process ends right after the swap, and what the next one makes of it. */
    async function swapped(name: string) {
      const table = await makeTable(service, name, { n: 'text', m: 'text' })
      for (const text of ['1', '2', '3']) await service.make(table.type, { [table.f.n]: text })
      const id = Number(await asked(table.f.n))
      const open = { id, userId: 1, isRunning: false, isOver: true }
      const first = new RunningJob(service.store, (await claimJob(service.store, open, 'first'))!, 'first')
      const advance = first.advance.bind(first)
      first.advance = async (tx, progress) => {
        if ((progress.position as { stage: string }).stage === 'settle') first.mustStop = true
        await advance(tx, progress)
      }
      await assert.rejects(convertJob.run(first as never, first.job.input as never), { name: 'JobStopped' })
      first.close()
      return { table, n: table.f.n, id }
    }
    async function next(id: number) {
      await service.store.db.write((tx) => tx.run(sql`UPDATE jobs SET until_ms = 0 WHERE id = ${id}`))
      return runJobs(service.store)
    }
    const erase = async (n: string) => {
      assert.equal((await service.remove(`field/${n.slice(1)}`)).status, 200)
      const [entry] = (await service.get(`trash?filter=and(eq(kind,'field'),eq(item_id,${n.slice(1)}))`)).json.data
      assert.equal((await service.remove(`trash/${entry.id}`)).status, 200)
    }

    it('it is done where the second column has gone and only the job has not ended', async () => {
      const { id } = await swapped('Ended')
      const open = { id, userId: 1, isRunning: true, isOver: true }
      await service.store.db.write((tx) => tx.run(sql`UPDATE jobs SET until_ms = 0 WHERE id = ${id}`))
      const second = new RunningJob(service.store, (await claimJob(service.store, open, 'second'))!, 'second')
      await convertJob.run(second as never, second.job.input as never)
      second.close()
      const runner = await next(id)
      try {
        const job = await jobWhen(service, String(id))
        assert.equal(job.state, 'done', JSON.stringify(job))
        assert.deepEqual([job.result.converted, job.result.records], [true, 3])
      } finally {
        await runner.close()
      }
    })

    it('it ends where its field is erased', async () => {
      const { id, n } = await swapped('Erased')
      const { db } = service.store
      let writes = 0
      const write: typeof db.write = async (...rest) => {
        // Before its next step.
        if (++writes === 1) await erase(n)
        return db.write(...rest)
      }
      const open = { id, userId: 1, isRunning: true, isOver: true }
      await service.store.db.write((tx) => tx.run(sql`UPDATE jobs SET until_ms = 0 WHERE id = ${id}`))
      const held = (await claimJob(service.store, open, 'second'))!
      const store = { ...service.store, db: Object.create(db, { write: { value: write } }) as typeof db }
      const second = new RunningJob(store, held, 'second')
      const end = await convertJob.run(second as never, held.input as never)
      assert.equal(convertJob.resultOf(end, 0)['converted'], true)
      await finishJob(service.store, id, 'second', { state: 'done', result: () => ({}) })
      second.close()
      assert.deepEqual(await faults(), [])
    })
  })
})
