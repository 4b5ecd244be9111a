import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { sql } from '../../src/sql/sql.ts'
import { operator } from '../../src/store/catalogue/administrator.ts'
import { sweepChanges } from '../../src/store/changes/sweep-changes.ts'
import { sweepEntry, sweepErased } from '../../src/store/changes/sweep-erased.ts'
import { erase } from '../../src/store/structure/trash.ts'
import { actOf } from '../support/act.ts'
import { makeTable, type Table } from '../support/scene.ts'
import { startService, type Service } from '../support/service.ts'

/** More than one step reads. */
const RECORDS = 500

describe('the values of a field that is erased', () => {
  let service: Service
  before(async () => {
    service = await startService()
  })
  after(() => service.close())

  const count = async (query: ReturnType<typeof sql>) => Number((await service.store.db.read(query))[0]![0]![0])
  const holding = (text: string) => count(sql`SELECT count(*) FROM changes WHERE table_id > 0 AND content LIKE ${`%${text}%`}`)
  const marks = () => count(sql`SELECT count(*) FROM meta WHERE name LIKE 'erased_field_%'`)
  const trashed = async (field: string): Promise<number> => {
    assert.equal((await service.remove(`field/${field.slice(1)}`)).status, 200)
    return Number((await service.get(`trash?filter=eq(item_id,${field.slice(1)})&sort=-id`)).json.data[0].id)
  }

  async function filled(word: string): Promise<Table & { f: Record<'title' | 'hidden' | 'paper' | 'scan', string> }> {
    const table = await makeTable(service, 'Deals', { title: 'text', hidden: 'text', paper: 'file', scan: 'file' })
    const { title, hidden, paper, scan } = table.f
    const one = await service.make(table.type, { [title]: 'Kept', [hidden]: `${word} one` })
    const file = (name: string) => [{ file_name: `${name}.txt`, content: name }]
    assert.equal((await service.change(table.type, one, { [paper]: file(`${word} paper`), [scan]: file('kept scan') })).status, 200)
    const create = Array.from({ length: RECORDS }, (_, i) => ({
      does: 'create' as const,
      table: table.id,
      values: { [title]: `Title ${i}`, [hidden]: `${word} ${i}` },
    }))
    await actOf(service, service.token, create)
    // What it held under its former type is in the log as well.
    const field = { data: { type: 'field', id: hidden.slice(1), attributes: { field_type: 'longtext' } } }
    assert.equal((await service.call('PATCH', `field/${hidden.slice(1)}`, field)).status, 200)
    assert.equal((await service.change(table.type, one, { [hidden]: `${word} again` })).status, 200)
    return table
  }

  it('go from the log in steps, with the files that changes named in it; other values stay', async () => {
    const { id, f } = await filled('Whisper')
    await erase(service.store, operator, await trashed(f.hidden))
    await erase(service.store, operator, await trashed(f.paper))
    assert.ok((await holding('Whisper')) > RECORDS)
    assert.equal(await marks(), 2)
    // The housekeeping of the next process.
    await sweepChanges(service.store)
    assert.deepEqual([await holding('Whisper'), await holding(`"${f.hidden}`), await marks()], [0, 0, 0])
    const files = await service.store.db.read(sql`SELECT field_id FROM change_files WHERE table_id = ${id}`)
    assert.deepEqual(
      files[0]!.map(([field]) => Number(field)),
      [Number(f.scan.slice(1))],
    )
    assert.ok((await holding('Title ')) >= RECORDS)
    const history = (await service.get(`data${id}/1/history`)).json.data
    assert.deepEqual(history[0].attributes.changes[f.title], { from: null, to: 'Kept' })
  })

  it('go on to be erased where that was interrupted', async () => {
    const { f } = await filled('Murmur')
    const entry = await erase(service.store, operator, await trashed(f.hidden))
    const all = await holding('Murmur')
    await sweepEntry(service.store, entry, 0)
    const left = await holding('Murmur')
    assert.ok(left > 0 && left < all, `${left} of ${all}`)
    await sweepErased(service.store)
    assert.deepEqual([await holding(`"${f.hidden}`), await marks()], [0, 0])
  })

  it('go of two fields of a table at the same time', async () => {
    const table = await makeTable(service, 'Pairs', { low: 'text', high: 'text' })
    const { low, high } = table.f
    for (let i = 0; i < 60; i++) await service.make(table.type, { [low]: 'Lowly', [high]: 'Highly' })
    const [first, second] = [await trashed(low), await trashed(high)]
    const { store } = service
    await erase(store, operator, second)
    // It has read what it takes out when the other one writes.
    let waits: Promise<void> | undefined
    const slow: typeof store.db.write = async (work, options) => {
      await (waits ??= (async () => {
        await erase(store, operator, first)
        await sweepErased(store)
      })())
      return store.db.write(work, options)
    }
    await sweepErased({ ...store, db: { ...store.db, write: slow } })
    await sweepErased(store)
    assert.deepEqual([await holding('Lowly'), await holding('Highly'), await marks()], [0, 0, 0])
  })

  it('are gone with the answer where they are few', async () => {
    const { f } = await filled('Secret')
    assert.equal((await service.remove(`trash/${await trashed(f.hidden)}`)).status, 200)
    assert.equal(await holding(`"${f.hidden}`), 0)
  })
})
