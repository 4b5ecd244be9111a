import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { name, sql } from '../../src/sql/sql.ts'
import { checkIntegrity } from '../../src/store/upkeep/check-integrity.ts'
import { perform } from '../../src/store/schema/migration-step.ts'
import { updateTimes } from '../../src/store/schema/migrations/0027-update-time.ts'
import { startService, type Service } from '../support/service.ts'

describe('a database from before update_time', () => {
  let service: Service
  let table: Awaited<ReturnType<Service['table']>>
  let empty: typeof table
  let type: string
  const at = (minutes: number) => new Date(Date.UTC(2024, 4, 1, 9, 30 + minutes, 15)).toISOString().slice(0, 19).replace('T', ' ')

  before(async () => {
    service = await startService()
    table = await service.table('Deals', { title: 'text', amount: 'text', gone: 'text' })
    empty = await service.table('Empty')
    type = `data${table.id}`
  })
  after(() => service.close())

  const minuteLater = () => void (service.clock.now += 60_000)
  const times = async (twin: string) => {
    const [rows] = await service.store.db.read(sql`SELECT id, update_time FROM ${name(twin)} ORDER BY id`)
    return Object.fromEntries(rows!.map(([id, time]) => [String(id), String(time)]))
  }

  it('gets it: the time of the newest change that the log has, or that of the create', async () => {
    const { title, amount, gone } = table.fields as Record<string, string>
    const ids: string[] = []
    for (let i = 0; i < 5; i++) ids.push(await service.make(type, { [title!]: `t${i}`, [amount!]: i === 3 ? '' : String(i), [gone!]: 'g' }))
    const [unlogged, changed, trashed, plain, restored] = ids as [string, string, string, string, string]
    minuteLater()
    await service.change(type, changed, { [title!]: 'new' })
    await service.change(type, trashed, { [title!]: 'new' })
    minuteLater()
    await service.remove(`${type}/${trashed}`)
    await service.remove(`${type}/${restored}`)
    minuteLater()
    const entries = (await service.get(`trash?filter=eq(item_id,${restored})`)).json.data
    assert.equal((await service.call('POST', `trash/${entries[0].id}/restore`)).status, 200)
    minuteLater()
    const converted = await service.change('field', amount!.slice(1), { field_type: 'integer' })
    assert.equal(converted.status, 200, converted.text)
    minuteLater()
    await service.change(type, changed, { [title!]: 'newer' })
    // That a field is erased which was in the trash changes nothing that records show.
    minuteLater()
    await service.remove(`field/${gone!.slice(1)}`)
    const [field] = (await service.get(`trash?filter=eq(kind,'field')`)).json.data
    assert.equal((await service.remove(`trash/${field.id}`)).status, 200)
    const expected = {
      [`data${table.id}`]: { [unlogged]: at(4), [changed]: at(5), [plain]: at(0), [restored]: at(4) },
      [`trash${table.id}`]: { [trashed]: at(4) },
    }
    const now = async () => Object.fromEntries(await Promise.all(Object.keys(expected).map(async (twin) => [twin, await times(twin)])))
    assert.deepEqual(await now(), expected, 'as it was written')

    const { db } = service.store
    await db.write(
      async (tx) => {
        for (const one of [table.id, empty.id])
          for (const twin of [`data${one}`, `trash${one}`]) {
            await tx.run(sql`UPDATE ${name(twin)} SET checksum = checksum & 2147483647`)
            await tx.alterStructure(sql`ALTER TABLE ${name(twin)} DROP COLUMN update_time`)
          }
        // Of one record, the log is not kept any more.
        await tx.run(sql`DELETE FROM changes WHERE table_id = ${table.id} AND record_id = ${Number(unlogged)}`)
        for (const step of updateTimes(db.dialect, [table.id, empty.id])) await perform(tx, step)
      },
      { alone: true },
    )
    expected[`data${table.id}`]![unlogged] = at(0)
    assert.deepEqual(await now(), expected, 'after the migration')
    const found: string[] = []
    for await (const finding of checkIntegrity(service.store)) found.push(finding)
    assert.deepEqual(
      found.filter((one) => !one.includes('newest change')),
      [],
    )
  })
})
