import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { Failure, Failures } from '../../src/errors.ts'
import { fieldType, fieldTypes } from '../../src/fields/index.ts'
import { columnGuess } from '../../src/fields/readers.ts'
import { parseValue } from '../../src/fields/value.ts'
import { convertJob, type ConvertInput } from '../../src/jobs/convert-job.ts'
import { JobStopped } from '../../src/jobs/job-kind.ts'
import { RunningJob } from '../../src/jobs/running-job.ts'
import { join, name, sql } from '../../src/sql/sql.ts'
import { operator } from '../../src/store/catalogue/administrator.ts'
import { claimJob, finishJob } from '../../src/store/jobs/job-work.ts'
import { createJob } from '../../src/store/jobs/jobs.ts'
import { grant } from '../../src/store/model/access.ts'
import { createRecord, deleteRecord, updateRecord } from '../../src/store/records/write-records.ts'
import { createField, findField, updateField } from '../../src/store/structure/fields.ts'
import { createTable } from '../../src/store/structure/tables.ts'
import { restore } from '../../src/store/structure/trash.ts'
import { checkIntegrity } from '../../src/store/upkeep/check-integrity.ts'
import { ensureFirstAdministrator } from '../../src/store/people/first-administrator.ts'
import { randomOf } from '../support/random.ts'
import { scratchStore } from '../support/scratch-store.ts'
import { seed } from '../support/seed.ts'

/* A conversion by a job gives what the conversion in one transaction gives, whatever others write meanwhile. */

const TEXTS = [
  '',
  '0',
  '1',
  '2',
  '-1',
  '007',
  '1.5',
  '1.50',
  '-0.00',
  '1,234',
  '999999999999999999',
  'true',
  'abc',
  'ß İ ǅ',
  '😀',
  '" \\ \' {NULL}',
  '2024-02-29',
  '2024-02-29 12:00:00',
  '2024-02-29 00:00:00',
  '31.12.2024',
  'a\r\nb',
  '1\r\n2',
  'x@y.example',
  'https://e.example/',
  '+7 900 123 45 67',
]
const RECORDS = 14
/** Records up to this one stay, since it depends on the moment whether a number is the id of one. */
const REFERRED = 9

describe('a conversion by a job', () => {
  const random = randomOf(seed)
  let scratch: Awaited<ReturnType<typeof scratchStore>>
  before(async () => {
    scratch = await scratchStore()
    const { store } = scratch
    await ensureFirstAdministrator(store)
    // So that the id of an option is told from other numbers.
    await store.db.write(async (tx) => {
      for (const statement of store.db.dialect.setLastId('options', 10_000_000)) await tx.run(statement)
    })
  })
  after(() => scratch.remove())

  const faults = async () => {
    const found: string[] = []
    for await (const fault of checkIntegrity(scratch.store)) found.push(fault)
    return found
  }

  /** Runs a job until it ends or was swapped; `between`: before each step until then. Returns why it has failed. */
  async function work(id: number, between: () => Promise<void>): Promise<Failure | 'swapped' | 'done'> {
    const { store } = scratch
    const held = await claimJob(store, { id, userId: 0, isRunning: false, isOver: true }, 'this')
    const running = new RunningJob(store, held!, 'this')
    const goOn = running.goOn.bind(running)
    running.goOn = async () => {
      await between()
      return goOn()
    }
    const advance = running.advance.bind(running)
    running.advance = async (tx, progress) => {
      if ((progress.position as { stage: string }).stage === 'settle' && held!.position === undefined) running.mustStop = true
      await advance(tx, progress)
    }
    const finish = (state: 'done' | 'failed') => finishJob(store, id, 'this', { state, result: () => ({}) })
    try {
      await convertJob.run(running as never, held!.input as never)
      await finish('done')
      return 'done'
    } catch (error) {
      if (error instanceof JobStopped) return 'swapped'
      const failure = error instanceof Failures ? error.failures[0]! : error
      if (!(failure instanceof Failure)) throw error
      await finish('failed')
      return failure
    } finally {
      running.close()
    }
  }

  async function pair(from: string): Promise<void> {
    const { store } = scratch
    const tables = [0, 0]
    for (const i of [0, 1]) tables[i] = await createTable(store, operator, { title: `${from} ${i}` })
    const targets = fieldTypes
      .filter(
        ({ name: to, files, assigned, settings }) =>
          to !== from && !files && !assigned && (!settings.includes('options') || ['list', 'multilist'].includes(from)),
      )
      .filter(() => random.percent(60))
    const fields: [number, number][] = []
    for (const { name: to } of targets) {
      const made: number[] = []
      for (const tableId of tables)
        made.push(
          await createField(store, operator, {
            tableId,
            title: to,
            typeName: from,
            ...(from.startsWith('reference') && { referenceTableId: tables[0]! }),
            ...(from.endsWith('list') && {
              options: TEXTS.filter((text) => text !== '' && !/[\r\n]/.test(text)).map((label) => ({ label })),
            }),
          }),
        )
      fields.push(made as [number, number])
    }
    const [labels] = await store.db.read(sql`SELECT id, label FROM options WHERE id > 10000000`)
    const options = new Map(labels!.map(([id, label]) => [String(id), `option ${label}`]))
    const may = <R extends 'create' | 'update' | 'delete'>(right: R, i: number) => grant(right, tables[i]!, operator, store.catalogue())
    const takes = (id: number, text: string): boolean => {
      const { type, settings } = findField(store, id, tables[0]!)!
      try {
        parseValue(type, text, settings, store.context)
        return !type.assigned
      } catch {
        return false
      }
    }
    /** The same values in both tables. */
    const values = () => {
      const chosen = fields.map(([id]) => {
        const { type } = findField(store, id, tables[0]!)!
        const text = random.pick(TEXTS)
        if (!takes(id, text)) return ''
        return type.target === 'record' && /[^0-9\r\n-]|999|007/.test(text) ? '' : type.target && text !== '1' ? '' : text
      })
      const given = fields
        .map((ids, at) => [ids, chosen[at]!] as const)
        .filter(([[id]]) => !findField(store, id, tables[0]!)!.type.assigned)
      return (i: number) => new Map(given.map(([ids, text]) => [`f${ids[i]}`, text]))
    }
    const live = new Set<number>()
    const gone = new Set<number>()
    const both = async (act: (i: number) => Promise<number | void>) => {
      const refusal = (error: unknown) => String(error).replaceAll(/f\d+/g, 'f')
      const [one, other] = [await act(0).catch(refusal), await act(1).catch(refusal)]
      assert.deepEqual(one, other)
      return one
    }
    const create = async () => {
      const given = values()
      const id = await both(async (i) => (await createRecord(store, may('create', i), given(i))).id)
      if (typeof id === 'number') live.add(id)
    }
    for (let n = 0; n < RECORDS; n++) await create()
    const write = async () => {
      const act = random.int(6)
      const some = random.pick([...live])
      if (act === 0) await create()
      else if (act <= 3) {
        const given = values()
        await both(async (i) => void (await updateRecord(store, may('update', i), some, given(i))))
      } else if (act === 4 && some > REFERRED) {
        await both((i) => deleteRecord(store, may('delete', i), some))
        live.delete(some)
        gone.add(some)
      } else if (gone.size > 0) {
        const [back] = gone
        await both(async (i) => {
          const [rows] = await store.db.read(sql`SELECT id FROM trash WHERE table_id = ${tables[i]!} AND item_id = ${back!}`)
          await restore(store, operator, Number(rows![0]![0]))
        })
        gone.delete(back!)
        live.add(back!)
      }
    }
    for (let n = 0; n < 4; n++) await write()
    for (const [at, { name: to }] of targets.entries()) {
      const [direct, byJob] = fields[at]!
      scratch.clock.now += 60_000
      const changes = { typeName: to, ...(to.startsWith('reference') && { referenceTableId: tables[0]! }) }
      const patch = (lossy: boolean) =>
        updateField(store, operator, direct, changes, { lossy }).then(
          () => undefined,
          (error: unknown) => error,
        )
      // Whether a value would be lost, and how numbers and dates are written, depends on the texts of the moment: so nobody writes while that decides.
      const isRead = fieldType(from)!.kind === 'text' && columnGuess(fieldType(to)!) !== undefined
      for (const lossy of random.percent(40) ? [false, true] : [true]) {
        const input: ConvertInput = { tableId: tables[1]!, fieldId: byJob, changes, lossy }
        const id = await createJob(store, operator, { kind: convertJob.name, tableId: tables[1]!, input })
        const outcome = await work(id, lossy && !isRead ? write : async () => {})
        const about = `${from} to ${to}, seed ${seed}`
        const refusal = await patch(lossy)
        if (outcome instanceof Failure) {
          const failure = refusal instanceof Failures ? refusal.failures[0] : refusal
          assert.ok(failure instanceof Failure, `${about}: the job said ${outcome.code}, the other conversion ${String(refusal)}`)
          assert.equal(failure.code, outcome.code, about)
          assert.equal(lossy, false, `${about}: ${outcome.message}`)
          continue
        }
        assert.equal(refusal, undefined, about)
        assert.equal(outcome, 'swapped', about)
        for (let n = 0; n < 3; n++) await write()
        if (random.percent(20)) assert.deepEqual(await faults(), [], about)
        await store.db.write((tx) => tx.run(sql`UPDATE jobs SET until_ms = 0 WHERE id = ${id}`))
        assert.equal(await work(id, async () => {}), 'done', about)
        break
      }
    }
    const [one, other] = [await contents(0), await contents(1)]
    assert.deepEqual(other, one)

    async function contents(i: number) {
      const table = store.catalogue().tables.get(tables[i]!)!
      const columns = fields.flatMap((ids) => {
        const { column, keyColumn, type } = findField(store, ids[i]!, table.id)!
        return [type.exact ? store.db.dialect.integerText(name(column)) : name(column), ...(keyColumn ? [name(keyColumn)] : [])]
      })
      const rows = []
      for (const twin of [`data${table.id}`, `trash${table.id}`])
        rows.push((await store.db.read(sql`SELECT id, version, update_time, ${join(columns, ', ')} FROM ${name(twin)} ORDER BY id`))[0])
      const [log] = await store.db.read(
        sql`SELECT record_id, action, user_id, via, touched, content FROM changes WHERE table_id = ${table.id} ORDER BY record_id, id`,
      )
      const places = new Map(fields.map((ids, at) => [String(ids[i]), `f#${at}`]))
      const labelled = (text: string) => text.replaceAll(/\d{8,}/g, (id) => options.get(id) ?? id)
      const plain = log!.map((row) =>
        row.map((cell) => labelled(String(cell)).replaceAll(/f(\d+)(?=[_|"])/g, (all, id: string) => places.get(id) ?? all)),
      )
      assert.deepEqual(table.conversions, [])
      return { rows: rows.map((twin) => twin!.map((row) => row.map((cell) => labelled(String(cell))))), log: plain }
    }
  }

  for (const { name: from, files } of fieldTypes) if (!files) it(`of ${from} to other types is that in one transaction`, () => pair(from))

  it('leaves nothing that check would find', async () => assert.deepEqual(await faults(), []))
})
