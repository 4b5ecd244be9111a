import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { sql } from '../../../src/sql/sql.ts'
import { sweepChanges } from '../../../src/store/changes/sweep-changes.ts'
import { makeTable, refused, type Table } from '../../support/scene.ts'
import { startService, type Service } from '../../support/service.ts'

const DAY = 86_400_000

describe('the age of changes', () => {
  let service: Service
  let deals: Table
  let title: string
  before(async () => {
    service = await startService()
    deals = await makeTable(service, 'Deals', { title: 'text' })
    title = deals.f['title']!
  })
  after(() => service.close())

  interface Change {
    readonly id: string
    readonly attributes: { readonly changes: Readonly<Record<string, { readonly to: string } | undefined>> }
  }
  const create = async (...titles: string[]) => {
    for (const one of titles) await service.make(deals.type, { [title]: one })
  }
  const titlesIn = (data: readonly Change[]) => data.map(({ attributes }) => attributes.changes[title]?.to)
  /**
   * Everything after a cursor, and the cursor to go on with. Over PostgreSQL the transactions of other tests in the cluster may hold changes
   * back for a moment.
   */
  async function follow(cursor: string): Promise<{ data: Change[]; cursor: string }> {
    const all: Change[] = []
    const newest = Number((await service.get('change?sort=-id&page[limit]=1')).json.data[0]?.id ?? 0)
    for (let at = cursor; ;) {
      const answer = await service.get(`change?page[after]=${at}&page[limit]=3`)
      assert.equal(answer.status, 200, answer.text)
      all.push(...answer.json.data)
      const next = answer.json.meta.cursor
      if (answer.json.data.length === 0 && next === at && Number(at) >= newest) return { data: all, cursor: next }
      at = next
    }
  }

  it('ends their time in the log: a cursor before the last that went is 410, at it and after it all come', async () => {
    const days = 365 * DAY
    await create('old 1', 'old 2', 'old 3')
    const old = (await follow('')).data.filter(({ attributes }) => attributes.changes[title])
    const [first, second, third] = old.map(({ id }) => id) as [string, string, string]
    // The next month: changes come into another piece, where the log is in pieces.
    service.clock.now += 32 * DAY
    await sweepChanges(service.store)
    await create('new 1', 'new 2')
    await follow(third)
    const reading = await service.get(`change?page[after]=${third}&page[limit]=1`)
    assert.deepEqual(titlesIn(reading.json.data), ['new 1'])
    service.clock.now += days - 10 * DAY
    await sweepChanges(service.store)
    for (const gone of [first, second]) refused(await service.get(`change?page[after]=${gone}`), '410 change.expired')
    refused(await service.get(`change/${first}`), '404 resource.not_found')
    assert.deepEqual(titlesIn((await follow(third)).data), ['new 1', 'new 2'])
    assert.deepEqual(titlesIn((await follow('')).data), ['new 1', 'new 2'])
    // Who was reading while they went misses nothing.
    assert.deepEqual(titlesIn((await follow(reading.json.meta.cursor)).data), ['new 2'])
    await create('newer')
    assert.deepEqual(titlesIn((await follow((await follow('')).cursor)).data), [])
  })

  it('tells nobody of what is left of that time, where it could not be erased yet', async () => {
    await create('left 1', 'left 2', 'kept')
    const all = (await follow('')).data
    const [, second, kept] = all.slice(-3).map(({ id }) => id) as [string, string, string]
    const [[before]] = (await service.store.db.read(sql`SELECT coalesce((SELECT value FROM meta WHERE name = 'changes_gone'), '')`)) as [
      string[][],
    ]
    const note = (value: string) =>
      service.store.db.write((tx) =>
        tx.run(
          sql`INSERT INTO meta (name, value) VALUES ('changes_gone', ${value}) ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
        ),
      )
    await note(second)
    const first = await service.get('change?page[after]=&page[limit]=1')
    assert.equal(first.json.data[0].id, kept)
    assert.equal((await service.get(`change?page[after]=${first.json.meta.cursor}`)).status, 200)
    await note(before![0]! || '0')
  })

  it('does nothing twice, and goes on after a pause of years', async () => {
    await create('before the pause')
    const { cursor } = await follow('')
    service.clock.now += 3 * 365 * DAY
    for (let i = 0; i < 3; i++) await sweepChanges(service.store)
    assert.deepEqual(titlesIn((await follow(cursor)).data), [])
    await create('after the pause')
    assert.deepEqual(titlesIn((await follow(cursor)).data), ['after the pause'])
    service.clock.now += 32 * DAY
    for (let i = 0; i < 3; i++) await sweepChanges(service.store)
    assert.deepEqual(titlesIn((await follow('')).data).at(-1), 'after the pause')
  })

  it('does not end for changes before one that was written while the clock was wrong', async () => {
    const own = await startService()
    try {
      const table = await makeTable(own, 'Deals', { title: 'text' })
      const make = (text: string) => own.make(table.type, { [table.f['title']!]: text })
      const kept = await make('kept')
      const { now } = own.clock
      own.clock.now = now - 3 * 365 * DAY
      await make('of a wrong clock')
      own.clock.now = now
      await make('later')
      await sweepChanges(own.store)
      const { data } = (await own.get(`change?filter=and(eq(table_id,${table.id}),eq(record_id,${kept}))`)).json
      assert.equal(data.length, 1)
    } finally {
      await own.close()
    }
  })

  it('positions go on where the newest changes were erased with their table', async () => {
    const other = await makeTable(service, 'Other', { title: 'text' })
    for (let i = 0; i < 5; i++) await service.make(other.type, { [other.f['title']!]: 'x' })
    const { cursor } = await follow('')
    await service.remove(`table/${other.id}`)
    const [trash] = (await service.get(`trash?filter=eq(item_id,${other.id})`)).json.data
    assert.equal((await service.remove(`trash/${trash.id}`)).status, 200)
    await create('after the erasure')
    assert.deepEqual(titlesIn((await follow(cursor)).data).filter(Boolean), ['after the erasure'])
  })
})
