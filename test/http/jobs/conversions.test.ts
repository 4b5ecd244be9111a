import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { convertJob } from '../../../src/jobs/convert-job.ts'
import { RunningJob } from '../../../src/jobs/running-job.ts'
import { runJobs, type JobRunner } from '../../../src/jobs/run-jobs.ts'
import { abandon, sweepConversions } from '../../../src/store/jobs/abandon.ts'
import { claimJob, finishJob } from '../../../src/store/jobs/job-work.ts'
import { cancelJob } from '../../../src/store/jobs/jobs.ts'
import { operator } from '../../../src/store/catalogue/administrator.ts'
import { checkIntegrity } from '../../../src/store/upkeep/check-integrity.ts'
import { jobWhen } from '../../support/jobs.ts'
import { JobStopped } from '../../../src/jobs/job-kind.ts'
import { ATOMIC_TYPE } from '../../../src/http/answers/jsonapi.ts'
import { name, sql } from '../../../src/sql/sql.ts'
import { randomOf } from '../../support/random.ts'
import { seed } from '../../support/seed.ts'
import { makeTable, refused } from '../../support/scene.ts'
import { startService, type Service } from '../../support/service.ts'

describe('a conversion as a job', () => {
  let service: Service
  let runner: JobRunner
  before(async () => {
    service = await startService()
    runner = runJobs(service.store)
  })
  after(async () => {
    await runner.close()
    await service.close()
  })

  const faults = async () => {
    const found: string[] = []
    for await (const fault of checkIntegrity(service.store)) found.push(fault)
    return found
  }
  const convert = (f: string, attributes: object, more = '') =>
    service.send('PATCH', `/api/dev/field/${f.slice(1)}?asJob=true${more}`, {
      body: { data: { type: 'field', id: f.slice(1), attributes } },
    })
  const ended = async (f: string, attributes: object, more = '') => {
    const asked = await convert(f, attributes, more)
    assert.equal(asked.status, 202, asked.text)
    return jobWhen(service, asked.json.data.id)
  }

  it('gives each record its new value, a change in the log and another update_time', async () => {
    const table = await makeTable(service, 'Numbers', { title: 'text', n: 'text' })
    const { title, n } = table.f
    const ids: string[] = []
    for (let i = 0; i < 30; i++) ids.push(await service.make(table.type, { [title]: `t${i}`, [n]: i % 3 === 0 ? '' : String(i) }))
    assert.equal((await service.remove(`${table.type}/${ids[29]}`)).status, 200)
    service.clock.now += 60_000
    const job = await ended(n, { field_type: 'integer' })
    assert.equal(job.state, 'done', JSON.stringify(job))
    assert.deepEqual({ ...job.result, batch_id: 0 }, { batch_id: 0, converted: true, records: 20, lost: 0, examples: [] })
    const list = (await service.get(`${table.type}?sort=id&page[limit]=50&fields[${table.type}]=${n},update_time`)).json.data
    assert.deepEqual(
      list.map((one: { attributes: Record<string, unknown> }) => one.attributes[n]),
      ids.slice(0, 29).map((_, i) => (i % 3 === 0 ? '0' : String(i))),
    )
    assert.deepEqual(await faults(), [])
    assert.equal(job.done, job.total)
  })

  it('reads a value as all values of the field tell, also those in the trash', async () => {
    const table = await makeTable(service, 'Written', { day: 'text', sum: 'text' })
    const { day, sum } = table.f
    const ids: string[] = []
    for (const [one, two] of [
      ['01/02/2024', '1.234'],
      ['2024-05-01', '-2.500'],
      ['31/12/2024', '1.234,50'],
    ])
      ids.push(await service.make(table.type, { [day]: one, [sum]: two }))
    assert.equal((await service.remove(`${table.type}/${ids[2]!}`)).status, 200)
    for (const [field, attributes] of [
      [day, { field_type: 'date' }],
      [sum, { field_type: 'decimal', scale: 2 }],
    ] as const) {
      const { state, error } = await ended(field, attributes)
      assert.deepEqual([state, error], ['done', null])
    }
    const records = (await service.get(`${table.type}?sort=id`)).json.data
    assert.deepEqual(
      records.map(({ attributes }: { readonly attributes: Record<string, string> }) => [attributes[day], attributes[sum]]),
      [
        ['2024-02-01', '1234.00'],
        ['2024-05-01', '-2500.00'],
      ],
    )
    assert.deepEqual(await faults(), [])
  })

  it('refuses values that would be lost, and leaves nothing', async () => {
    const table = await makeTable(service, 'Lost', { n: 'text' })
    for (const text of ['1', 'x', '3']) await service.make(table.type, { [table.f.n]: text })
    const job = await ended(table.f.n, { field_type: 'integer' })
    assert.equal(job.state, 'failed')
    assert.equal(job.error.code, 'field.would_lose_data')
    assert.deepEqual(job.result.examples, [{ record_id: '2', value: 'x' }])
    assert.deepEqual(await faults(), [])
    refused(await convert(table.f.n, { hint: 'x' }), '422 field.not_by_job')
  })

  it('goes on while others write, create, delete and restore', async () => {
    const table = await makeTable(service, 'Busy', { title: 'text', n: 'text' })
    const { title, n } = table.f
    const atomic = {
      'atomic:operations': Array.from({ length: 1_000 }, (_, i) => ({
        op: 'add',
        data: { type: table.type, attributes: { [n]: String(i) } },
      })),
    }
    const headers = { 'Content-Type': ATOMIC_TYPE }
    for (let i = 0; i < 2; i++) assert.equal((await service.send('POST', '/api/dev/operations', { body: atomic, headers })).status, 200)
    const expected = new Map(Array.from({ length: 2_000 }, (_, i) => [i + 1, String(i % 1_000)]))
    const asked = await convert(n, { field_type: 'integer' })
    let isOver = false
    const job = jobWhen(service, asked.json.data.id).finally(() => (isOver = true))
    const random = randomOf(seed)
    for (let i = 0; !isOver; i++) {
      const id = 1 + random.int(2_000)
      const value = String(10_000 + i)
      if (i % 10 === 0) expected.set(Number(await service.make(table.type, { [n]: value, [title]: 'new' })), value)
      else if (i % 10 === 1) {
        assert.equal((await service.remove(`${table.type}/${id}`)).status, 200)
        const [entry] = (await service.get(`trash?filter=and(eq(table_id,${table.id}),eq(item_id,${id}))`)).json.data
        assert.equal((await service.call('POST', `trash/${entry.id}/restore`)).status, 200)
      } else {
        assert.equal((await service.change(table.type, String(id), { [n]: value })).status, 200)
        expected.set(id, value)
      }
    }
    assert.equal((await job).state, 'done', JSON.stringify(await job))
    for (let offset = 0; offset < expected.size; offset += 500) {
      const page = (await service.get(`${table.type}?sort=id&page[limit]=500&page[offset]=${offset}`)).json.data
      for (const one of page) assert.equal(one.attributes[n], expected.get(Number(one.id)), `record ${one.id}`)
    }
    assert.deepEqual(await faults(), [])
  })

  describe('step by step', () => {
    before(() => runner.close())
    after(() => void (runner = runJobs(service.store)))

    /** Runs a job here, and calls `at` before each of its steps until the swap, with their number from 0. */
    async function drive(id: string, at: (step: number) => Promise<unknown>, onSwap: () => void = () => undefined): Promise<unknown> {
      const held = await claimJob(service.store, { id: Number(id), userId: 1, isRunning: false, isOver: true }, 'this')
      const running = new RunningJob(service.store, held!, 'this')
      const goOn = running.goOn.bind(running)
      let step = 0
      running.goOn = async () => {
        await at(step++)
        await running.look()
        return goOn()
      }
      const advance = running.advance.bind(running)
      running.advance = async (tx, progress) => {
        if ((progress.position as { stage: string }).stage === 'settle' && running.mustStop === false) {
          running.mustStop = true
          onSwap()
        }
        await advance(tx, progress)
      }
      try {
        return await convertJob.run(running as never, held!.input as never)
      } catch (error) {
        if (error !== ends) await finishJob(service.store, Number(id), 'this', { state: 'failed', result: () => ({}) })
        return error
      } finally {
        running.close()
      }
    }
    const ends = new Error('the process ends')
    const columns = async (of: { id: number }) => {
      const [rows] = await service.store.db.read(service.store.db.dialect.columns)
      return rows!.flatMap(([table, column]) => (table === `data${of.id}` ? [String(column)] : [])).sort()
    }
    const made = async (name: string) => {
      const table = await makeTable(service, name, { n: 'text' })
      for (const text of ['1', '2', '']) await service.make(table.type, { [table.f.n]: text })
      return { table, n: table.f.n, before: await columns(table) }
    }
    const codeOf = (error: unknown) => (error as { code?: string }).code

    it('leaves nothing when it is cancelled', async () => {
      const { table, n, before } = await made('Cancelled')
      const { id } = (await convert(n, { field_type: 'integer' })).json.data
      const error = await drive(id, async (step) => {
        if (step === 2) {
          assert.notDeepEqual(await columns(table), before)
          assert.deepEqual(await faults(), [], 'in the middle')
          await cancelJob(service.store, operator, Number(id))
        }
      })
      assert.ok(error instanceof JobStopped)
      assert.deepEqual(await columns(table), before)
      assert.deepEqual(await faults(), [])
    })

    it('leaves nothing of a record that is moved while the column is emptied', async () => {
      const { table, n, before } = await made('Moved')
      assert.equal((await service.remove(`${table.type}/2`)).status, 200)
      const { id } = (await convert(n, { field_type: 'integer' })).json.data
      const end = await drive(id, async (step) => {
        if (step === 5) throw ends
      })
      assert.equal(end, ends)
      const second = name(`${n}_2`)
      assert.deepEqual(await service.store.db.read(sql`SELECT ${second} FROM ${name(`trash${table.id}`)}`), [[[2]]])
      const [entry] = (await service.get(`trash?filter=and(eq(table_id,${table.id}),eq(item_id,2))`)).json.data
      const { db } = service.store
      let steps = 0
      const write: typeof db.write = async (...asked) => {
        // The records of the table were emptied, those in its trash come next.
        if (++steps === 3) assert.equal((await service.call('POST', `trash/${entry.id}/restore`)).status, 200)
        return db.write(...asked)
      }
      await abandon({ ...service.store, db: Object.create(db, { write: { value: write } }) }, Number(id), () => false)
      await service.store.db.write((tx) => tx.run(sql`DELETE FROM jobs WHERE id = ${Number(id)}`))
      assert.ok(steps >= 3)
      assert.deepEqual(await columns(table), before)
      assert.equal((await service.get(`${table.type}/2`)).json.data.attributes[n], '2')
      assert.deepEqual(await faults(), [])
    })

    it('ends when the field is changed or erased meanwhile, and refuses another conversion', async () => {
      const { table, n, before } = await made('Changed')
      const other = async () => {
        for (const query of ['', '?dryRun=true'])
          refused(
            await service.change('field', n.slice(1), { field_type: 'decimal' }, undefined, query),
            '409 field.being_converted /data/attributes/field_type',
          )
      }
      const first = (await convert(n, { field_type: 'integer' })).json.data.id
      const changed = await drive(first, async (step) => {
        if (step !== 2) return
        await other()
        refused(await convert(n, { field_type: 'decimal' }), '409 field.being_converted /data/attributes/field_type')
        assert.equal((await service.change('field', n.slice(1), { max_length: 20 })).status, 200)
      })
      assert.equal(codeOf(changed), 'field.changed_meanwhile')
      assert.deepEqual(await columns(table), before)
      const second = (await convert(n, { field_type: 'integer' })).json.data.id
      const gone = await drive(second, async (step) => {
        if (step === 2) assert.equal((await service.remove(`field/${n.slice(1)}`)).status, 200)
      })
      assert.equal(codeOf(gone), 'resource.not_found')
      assert.deepEqual(await columns(table), before)
      assert.deepEqual(await faults(), [])
    })

    it('ends when the field by which it finds records is not unique any more, or is gone, also right before the swap', async () => {
      const byName = async (name: string) => {
        const other = await makeTable(service, `Named ${name}`, { name: { field_type: 'text', unique: true } })
        await service.make(other.type, { [other.f.name]: '1' })
        const base = await made(`By name ${name}`)
        const by = other.f.name.slice(1)
        const wanted = { field_type: 'reference', reference_table_id: other.id, reference_by: Number(by) }
        const { id } = (await convert(base.n, wanted, '&convertMode=lossy')).json.data
        return { ...base, other, by, id }
      }
      let steps = 0
      const { id: whole } = await byName('to the end')
      assert.ok((await drive(whole, async () => void steps++)) instanceof JobStopped)
      await service.store.db.write((tx) => tx.run(sql`DELETE FROM jobs WHERE id = ${Number(whole)}`))
      await sweepConversions(service.store)
      type Way = (by: string, other: { readonly id: number }) => Promise<{ readonly status: number; readonly text: string }>
      const ways: Readonly<Record<string, Way>> = {
        plain: (by) => service.change('field', by, { unique: false }),
        field: (by) => service.remove(`field/${by}`),
        table: (_, other) => service.remove(`table/${other.id}`),
      }
      for (const [way, act] of Object.entries(ways))
        for (const at of [2, steps - 1]) {
          const { table, n, before, other, by, id } = await byName(`${way} ${at}`)
          const end = await drive(id, async (step) => {
            if (step !== at) return
            const { status, text } = await act(by, other)
            assert.equal(status, 200, text)
          })
          assert.equal(codeOf(end), 'field.changed_meanwhile', `${way} at ${at}`)
          assert.deepEqual(await columns(table), before)
          assert.equal((await service.get(`${table.type}/1`)).json.data.attributes[n], '1')
        }
      assert.deepEqual(await faults(), [])
    })

    it('is finished by housekeeping where its job has gone: before the swap nothing stays, after it all is done', async () => {
      const { table, n, before } = await made('Left')
      const first = (await convert(n, { field_type: 'integer' })).json.data.id
      const end = await drive(first, async (step) => {
        if (step === 2) throw ends
      })
      assert.equal(end, ends)
      assert.notDeepEqual(await columns(table), before)
      await sweepConversions(service.store)
      assert.notDeepEqual(await columns(table), before, 'the job has not ended')
      await service.store.db.write((tx) => tx.run(sql`DELETE FROM jobs WHERE id = ${Number(first)}`))
      await sweepConversions(service.store)
      assert.deepEqual(await columns(table), before)
      assert.deepEqual(await faults(), [])

      const [{ attributes: create }] = (await service.get(`change?filter=and(eq(table_id,${table.id}),eq(record_id,2))`)).json.data
      const batch = create.batch_id
      const { id } = (await convert(n, { field_type: 'integer' })).json.data
      assert.ok((await drive(id, async () => {})) instanceof JobStopped)
      assert.deepEqual(await faults(), [], 'after the swap')
      assert.deepEqual(
        (await service.get(`${table.type}?sort=id`)).json.data.map((one: { attributes: Record<string, unknown> }) => one.attributes[n]),
        ['1', '2', '0'],
      )
      refused(await service.call('POST', `batch/${batch}/undo`), '409 field.being_converted')
      await service.change(table.type, '1', { [n]: 5 })
      await service.store.db.write((tx) => tx.run(sql`DELETE FROM jobs WHERE id = ${Number(id)}`))
      await sweepConversions(service.store)
      assert.equal((await columns(table)).length, before.length - 1, 'integers have no key')
      const log = (await service.get(`change?filter=eq(table_id,${table.id})&sort=id`)).json.data.map(
        ({ attributes: a }: { attributes: Record<string, unknown> }) => [a.record_id, a.action],
      )
      assert.deepEqual(log.slice(-3), [
        [1, 'convert'],
        [1, 'update'],
        [2, 'convert'],
      ])
      assert.deepEqual(await faults(), [])
    })
  })
})
