import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { sql } from '../../src/sql/sql.ts'
import { checkIntegrity } from '../../src/store/upkeep/check-integrity.ts'
import { openDatabase } from '../../src/store/open.ts'
import { migrateStore } from '../../src/store/upkeep/migrate-store.ts'
import { errorsOf, startService, type Service } from '../support/service.ts'
import { scratchDatabase } from '../support/scratch-database.ts'
import { scratchInstallation } from '../support/scratch-store.ts'

/* What is only so where tables are spread over the servers of a Citus cluster: DB=citus npm test. */

describe('over a Citus cluster', () => {
  let service: Service
  before(async () => {
    service = await startService()
  })
  after(() => service?.close())

  const faults = async () => {
    const found: string[] = []
    for await (const fault of checkIntegrity(service.store)) found.push(fault)
    return found
  }
  const tamper = (statement: ReturnType<typeof sql>) => service.store.db.write((tx) => tx.run(statement), { alone: true })
  const rows = async (query: ReturnType<typeof sql>) => (await service.store.db.read(query))[0]!.map((row) => row.join(' '))
  /** Who holds which value of a field. */
  const kept = (field: string) => rows(sql`SELECT key, id FROM unique_keys WHERE column_name LIKE ${`${field}%`} ORDER BY key`)

  it('records lie by their ids and unique values by themselves, the catalogue everywhere, counts and the log of changes on the coordinator', async () => {
    const { id } = await service.table('Spread', { name: { typeName: 'text', unique: true } })
    const spread =
      await rows(sql`SELECT logicalrelid::text, partmethod::text, repmodel::text, coalesce(column_to_column_name(logicalrelid, partkey), '')
      FROM pg_dist_partition ORDER BY 1`)
    for (const one of [`data${id} h s id`, `trash${id} h s id`, 'unique_keys h s key', 'tables n t ', 'users n t ', 'writers n s '])
      assert.ok(spread.includes(one), `${one} in ${spread.join(', ')}`)
    const local =
      await rows(sql`SELECT table_name FROM information_schema.tables AS t WHERE table_schema = 'public' AND table_type = 'BASE TABLE'
      AND NOT EXISTS (SELECT 1 FROM pg_dist_partition WHERE logicalrelid = to_regclass(t.table_name)) ORDER BY 1`)
    const counts = ['block_changes', 'block_counts', 'region_counts']
    const log = ['batch_parts', 'batches', 'change_files', 'change_log', 'changes', 'changes_1']
    const hooks = ['webhook_deliveries', 'webhook_lease', 'webhooks']
    assert.deepEqual(local, [...counts, ...log, ...hooks, 'jobs', 'job_pieces'].toSorted())
    const [servers] = await rows(
      sql`SELECT count(DISTINCT nodename || nodeport) FROM citus_shards WHERE table_name = ${`data${id}`}::regclass`,
    )
    const [workers] = await rows(sql`SELECT count(*) FROM pg_dist_node WHERE shouldhaveshards`)
    assert.equal(servers, workers)
  })

  it('a unique value has one holder, whatever becomes of records and fields', async () => {
    const { id, fields } = await service.table('Keys', { code: { typeName: 'text', unique: true }, n: 'integer' })
    const [code, n, type] = [fields['code']!, fields['n']!, `data${id}`]
    const made = await Promise.all(
      Array.from({ length: 40 }, (_, i) => service.add(type, { [code]: `Code ${i % 10}`, [n]: String(i % 7) })),
    )
    assert.equal(made.filter(({ status }) => status === 201).length, 10)
    assert.equal(made.filter(({ status }) => status === 409).length, 30)
    assert.equal((await kept(code)).length, 10)
    const [first, second] = made
      .filter(({ status }) => status === 201)
      .map(({ json }) => json.data as { id: string; attributes: Record<string, string> })
    // Another spelling of its own value, another value, and one that is taken.
    assert.equal((await service.change(type, first!.id, { [code]: first!.attributes[code]!.toUpperCase() })).status, 200)
    assert.equal((await service.change(type, first!.id, { [code]: 'Elsewhere' })).status, 200)
    assert.equal((await service.change(type, second!.id, { [code]: 'elsewhere' })).status, 409)
    assert.equal((await service.add(type, { [code]: first!.attributes[code]! })).status, 201)
    // The trash holds nothing, and nothing comes back to a value that is taken.
    assert.equal((await service.remove(`${type}/${first!.id}`)).status, 200)
    const taking = await service.make(type, { [code]: 'ELSEWHERE' })
    const { json } = await service.get('trash?sort=-id&page[limit]=1')
    const restoring = () => service.call('POST', `trash/${json.data[0].id}/restore`, { data: null })
    assert.deepEqual(errorsOf(await restoring()), [`409 field.not_unique /data/attributes/${code}`])
    assert.equal((await service.change(type, taking, { [code]: '' })).status, 200)
    assert.equal((await restoring()).status, 200)
    assert.ok((await kept(code)).includes(`elsewhere ${first!.id}`))
    assert.deepEqual(await faults(), [])
    // Values that are there twice, a field of another type, one that ceases to be unique, is deleted and comes back.
    const field = (name: string) => name.slice(1)
    assert.equal((await service.change('field', field(n), { unique: true })).status, 409)
    assert.deepEqual(await kept(n), [])
    assert.equal((await service.change('field', field(code), { field_type: 'longtext' }, undefined, '?convertMode=lossy')).status, 200)
    assert.deepEqual(await kept(code), [])
    assert.equal((await service.change('field', field(code), { field_type: 'text', unique: true })).status, 200)
    const all = await kept(code)
    assert.equal(all.length, 11)
    assert.equal((await service.remove(`field/${field(code)}`)).status, 200)
    assert.deepEqual(await kept(code), [])
    const trashed = (await service.get('trash?sort=-id&page[limit]=1')).json.data[0].id
    assert.equal((await service.call('POST', `trash/${trashed}/restore`, { data: null })).status, 200)
    assert.deepEqual(await kept(code), all)
    assert.deepEqual(await faults(), [])
    assert.equal((await service.change('field', field(code), { unique: false })).status, 200)
    assert.deepEqual(await kept(code), [])
  })

  it('long values and numbers are kept apart too, and go with their table', async () => {
    const { id, fields } = await service.table('Long', {
      url: { typeName: 'url', unique: true },
      big: { typeName: 'integer', unique: true },
    })
    const [url, big, type] = [fields['url']!, fields['big']!, `data${id}`]
    const long = `https://example.com/${'я'.repeat(400)}`
    const values = { [url]: long, [big]: '123456789012345678' }
    const record = await service.make(type, values)
    assert.deepEqual(errorsOf(await service.add(type, values)), [
      `409 field.not_unique /data/attributes/${url}`,
      `409 field.not_unique /data/attributes/${big}`,
    ])
    assert.equal((await service.remove(`${type}/${record}`)).status, 200)
    const again = await service.make(type, values)
    assert.equal((await service.change(type, again, { [big]: '123456789012345677' })).status, 200)
    for (const unique of [false, true]) assert.equal((await service.change('field', url.slice(1), { unique })).status, 200)
    assert.equal((await service.add(type, { [url]: long.toUpperCase() })).status, 409)
    assert.deepEqual(await faults(), [])
    assert.equal((await service.remove(`table/${id}`)).status, 200)
    const trashed = (await service.get('trash?sort=-id&page[limit]=1')).json.data[0].id
    assert.equal((await service.remove(`trash/${trashed}`)).status, 200)
    assert.deepEqual([...(await kept(url)), ...(await kept(big))], [])
  })

  it('check compares values with who holds them, both ways', async () => {
    const { id, fields } = await service.table('Checked', { name: { typeName: 'text', unique: true } })
    const name = fields['name']!
    const [one, other] = [await service.make(`data${id}`, { [name]: 'one' }), await service.make(`data${id}`, { [name]: 'other' })]
    await tamper(sql`UPDATE unique_keys SET id = 999 WHERE table_id = ${id} AND key = 'one'`)
    await tamper(sql`DELETE FROM unique_keys WHERE table_id = ${id} AND key = 'other'`)
    assert.deepEqual(await faults(), [
      `Table ${id} (Checked), name: nothing keeps the value of record ${one} apart.`,
      `Table ${id} (Checked), name: nothing keeps the value of record ${other} apart.`,
      `Table ${id} (Checked), name: a value is kept for record 999, which does not hold it.`,
    ])
    assert.equal((await service.remove(`table/${id}`)).status, 200)
  })

  it('totals stay right while others write, and a page of a late offset is found', async () => {
    const { id, fields } = await service.table('Many', { n: 'integer' })
    const n = fields['n']!
    let writing = true
    const writer = async () => {
      while (writing) assert.equal((await service.add(`data${id}`, { [n]: '1' })).status, 201)
    }
    const writers = [writer(), writer(), writer()]
    for (let i = 0; i < 60; i++) {
      const before = (await service.get(`data${id}?filter=eq(${n},1)&page[limit]=1`)).json.meta.total as number
      const after = (await service.get(`data${id}?filter=eq(${n},1)&page[limit]=1`)).json.meta.total as number
      assert.ok(after >= before, `${after} after ${before}`)
    }
    writing = false
    await Promise.all(writers)
    const { total } = (await service.get(`data${id}`)).json.meta
    assert.equal((await service.get(`data${id}?filter=eq(${n},1)`)).json.meta.total, total)
    const late = (await service.get(`data${id}?page[offset]=${total - 2}`)).json
    assert.deepEqual([late.data.length, late.meta.total], [2, total])
    assert.equal((await service.get(`data${id}?page[offset]=${total + 5}`)).json.data.length, 0)
    assert.deepEqual(await faults(), [])
  })

  it('an installation comes here whole from SQLite, and goes back', async () => {
    const from = await scratchInstallation({}, { engine: 'sqlite' })
    const { url, drop } = await scratchDatabase()
    const store = await from.open()
    await store.close()
    const source = await openDatabase('sqlite', from.directory)
    const target = await openDatabase(url, from.directory, 'citus')
    const back = await scratchInstallation({}, { engine: 'sqlite' })
    const last = await openDatabase('sqlite', back.directory)
    try {
      const there = await migrateStore(source, target, async () => {})
      const again = await migrateStore(target, last, async () => {})
      assert.deepEqual(again, there)
    } finally {
      for (const db of [source, target, last]) await db.close()
      await drop()
      await from.remove()
      await back.remove()
    }
  })

  it('the database is opened as it was laid out, or not at all', async () => {
    const [one, other] = [await scratchDatabase(), await scratchDatabase()]
    const opening = ({ url }: { url: string }, distribution: '' | 'citus', replicaUrls: string[] = []) =>
      scratchInstallation({}, { url, distribution, replicaUrls })
    const refused = async (installation: Awaited<ReturnType<typeof opening>>, why: RegExp) => {
      await assert.rejects(installation.open(), { code: 'database.distribution', message: why })
      await installation.remove()
    }
    await refused(await opening(one, 'citus', [one.url]), /KARTOTEKA_REPLICA_URLS/)
    const [spread, plain] = [await opening(one, 'citus'), await opening(other, '')]
    for (const installation of [spread, plain]) await (await installation.open()).close()
    await refused(await opening(one, ''), /set KARTOTEKA_DISTRIBUTION=citus/)
    await refused(await opening(other, 'citus'), /migrate-store/)
    for (const installation of [spread, plain]) await installation.remove()
    for (const { drop } of [one, other]) await drop()
  })
})
