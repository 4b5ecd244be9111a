import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { runJobs, type JobRunner } from '../../../src/jobs/run-jobs.ts'
import { name, sql } from '../../../src/sql/sql.ts'
import { MOST_LEFT, QUICK } from '../../../src/store/structure/left-columns.ts'
import { checkIntegrity } from '../../../src/store/upkeep/check-integrity.ts'
import { jobWhen } from '../../support/jobs.ts'
import { makeTable } from '../../support/scene.ts'
import { startService, type Service } from '../../support/service.ts'

/* What a conversion by a job leaves in a large table: here one with few records, of which one has a large id. */
describe('the column that a conversion by a job leaves', () => {
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

  const dialect = () => service.store.db.dialect
  const faults = async () => {
    const found: string[] = []
    for await (const fault of checkIntegrity(service.store)) found.push(fault)
    return found
  }
  async function columnsOf(twin: string, f: string): Promise<string[]> {
    const [rows] = await service.store.db.read(dialect().columnsOf(twin))
    return rows!.map(([column]) => String(column)).filter((column) => new RegExp(`^${f}(_|k|$)`).test(column))
  }
  async function large(title: string) {
    const table = await makeTable(service, title, { n: 'text', other: 'text' })
    const ids: string[] = []
    for (const text of ['1', '2', '']) ids.push(await service.make(table.type, { [table.f.n]: text }))
    await service.store.db.write(async (tx) => {
      for (const statement of dialect().setLastId(`data${table.id}`, QUICK)) await tx.all(statement).catch(() => tx.run(statement))
    })
    ids.push(await service.make(table.type, { [table.f.n]: '4' }))
    assert.equal(Number(ids.at(-1)), QUICK + 1)
    return { ...table, ids, n: table.f.n }
  }
  async function byJob(f: string, field_type: string) {
    const asked = await service.send('PATCH', `/api/dev/field/${f.slice(1)}?asJob=true`, {
      body: { data: { type: 'field', id: f.slice(1), attributes: { field_type } } },
    })
    assert.equal(asked.status, 202, asked.text)
    const job = await jobWhen(service, asked.json.data.id)
    assert.equal(job.state, 'done', JSON.stringify(job))
  }
  const values = async (type: string, f: string) =>
    (await service.get(`${type}?sort=id`)).json.data.map((one: { attributes: Record<string, unknown> }) => one.attributes[f])
  /** What stays on this engine. */
  const staying = (...columns: string[]) => (dialect().dropRewrites ? columns : [])

  it('stays, empty, where dropping it would write a large table anew, and goes with its field', async () => {
    const { id, type, n, ids } = await large('Large')
    assert.equal((await service.remove(`${type}/${ids[1]!}`)).status, 200)
    await byJob(n, 'integer')
    for (const twin of [`data${id}`, `trash${id}`]) {
      assert.deepEqual(await columnsOf(twin, n), [...staying(n, `${n}k`), `${n}_2`])
      if (dialect().dropRewrites)
        assert.deepEqual(await service.store.db.read(sql`SELECT DISTINCT ${name(n)} FROM ${name(twin)}`), [[['']]])
    }
    await byJob(n, 'decimal')
    assert.equal((await service.change('field', n.slice(1), { field_type: 'text' })).status, 200)
    assert.deepEqual(await columnsOf(`data${id}`, n), [...staying(n, `${n}k`, `${n}_2`), `${n}_4`, `${n}_4k`])
    assert.deepEqual(await values(type, n), ['1.00', '0.00', '4.00'])
    const [entry] = (await service.get(`trash?filter=eq(item_id,${ids[1]!})`)).json.data
    assert.equal((await service.call('POST', `trash/${entry.id}/restore`)).status, 200)
    await service.make(type, { [n]: 'new' })
    assert.deepEqual(await values(type, n), ['1.00', '2.00', '0.00', '4.00', 'new'])
    assert.deepEqual(await faults(), [])
    assert.equal((await service.remove(`field/${n.slice(1)}`)).status, 200)
    const [field] = (await service.get(`trash?filter=and(eq(kind,'field'),eq(item_id,${n.slice(1)}))`)).json.data
    assert.equal((await service.remove(`trash/${field.id}`)).status, 200)
    for (const twin of [`data${id}`, `trash${id}`]) assert.deepEqual(await columnsOf(twin, n), [])
    assert.deepEqual(await faults(), [])
  })

  it('has a name that no later conversion takes', async () => {
    const { id, type, n } = await large('Names')
    for (const twin of [`data${id}`, `trash${id}`])
      await service.store.db.write(
        (tx) => tx.alterStructure(sql`ALTER TABLE ${name(twin)} ADD COLUMN ${name(`${n}_2`)} ${dialect().text} NOT NULL DEFAULT ''`),
        { alone: true },
      )
    await byJob(n, 'integer')
    assert.deepEqual(await columnsOf(`data${id}`, n), [...staying(n, `${n}k`), `${n}_2`, `${n}_3`])
    assert.deepEqual(await values(type, n), ['1', '2', '0', '4'])
    assert.deepEqual(await faults(), [])
  })

  it('is dropped where a table has many of them', async () => {
    const { id, n } = await large('Many')
    for (const twin of [`data${id}`, `trash${id}`])
      await service.store.db.write(
        async (tx) => {
          for (let i = 0; i < MOST_LEFT; i++)
            await tx.alterStructure(
              sql`ALTER TABLE ${name(twin)} ADD COLUMN ${name(`${n}_${i + 900}`)} ${dialect().text} NOT NULL DEFAULT ''`,
            )
        },
        { alone: true },
      )
    await byJob(n, 'integer')
    const columns = await columnsOf(`data${id}`, n)
    assert.deepEqual([columns.length, columns.includes(n)], [MOST_LEFT + 1, false])
  })
})
