import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { name, sql } from '../../../src/sql/sql.ts'
import type { Transaction } from '../../../src/store/ground/db.ts'
import { nowText } from '../../../src/store/ground/clock.ts'
import { startService, type Service } from '../../support/service.ts'

/** SQLite takes expressions of 1,000 levels; tables, with and without a filter of reading, may be more. */
const TABLES = 1_100

const makeTrash = (tx: Transaction, id: number) =>
  tx.run(sql`CREATE TABLE ${name(`trash${id}`)} (id INTEGER, user_id INTEGER, add_time TEXT, status INTEGER)`)

describe('a group that may read more than a thousand tables', () => {
  let service: Service
  let guest: string
  let reader: string
  let first: number
  let rows: number

  before(async () => {
    service = await startService()
    const group = Number(await service.make('group', { group_name: 'Guests' }))
    const user = Number(await service.make('user', { login: 'guest', password: 'guest-password', group_id: group }))
    guest = await service.signIn('guest', 'guest-password')
    const readers = Number(await service.make('group', { group_name: 'Readers' }))
    reader = await service.tokenOf(readers)
    const { store } = service
    await store.restructure(async (tx) => {
      rows = 2 * TABLES
      first = Number((await tx.all(sql`SELECT coalesce(max(id), 0) + 1 FROM tables`))[0]![0])
      for (let id = first; id < first + rows; id++) {
        const filter = id % 2 === 0 ? '' : 'eq(status,1)'
        await tx.run(sql`INSERT INTO tables (id, title, titlek) VALUES (${id}, 'T', 't')`)
        await tx.run(sql`INSERT INTO access (group_id, table_id, may_read, read_filter, read_filterk, fields)
          VALUES (${group}, ${id}, 1, ${filter}, ${filter}, '{}')`)
        if (filter === '') await tx.run(sql`INSERT INTO access (group_id, table_id, may_read, fields) VALUES (${readers}, ${id}, 1, '{}')`)
      }
      // Of each kind the first and the last table; the records of those with a filter are hidden, but for one.
      for (const [table, status] of [
        [first, 0],
        [first + 1, 0],
        [first + rows - 2, 0],
        [first + rows - 1, 1],
      ] as const) {
        if (table % 2 === 1) {
          await makeTrash(tx, table)
          await tx.run(sql`INSERT INTO ${name(`trash${table}`)} (id, status) VALUES (7, ${status})`)
        }
        await tx.run(sql`INSERT INTO trash (kind, kindk, table_id, item_id, title, titlek, deleted, user_id)
          VALUES ('record', 'record', ${table}, 7, '', '', ${nowText(store)}, ${user})`)
      }
    })
  })
  after(() => service.close())

  // Of the other tables with a filter there is no table of trash: a statement that names one fails.
  it('sees in the trash what it may, for which only tables are asked of which it deleted something', async () => {
    const { status, json } = await service.get('trash', guest)
    assert.equal(status, 200)
    const seen = [first, first + 1, first + rows - 2, first + rows - 1].filter((id, i) => id % 2 === 0 || i === 3)
    assert.deepEqual(new Set(json.data.map((one: { attributes: { table_id: number } }) => one.attributes.table_id)), new Set(seen))
  })
  it('has all other lists', async () => {
    for (const list of ['table', 'field', 'filter', 'category', 'group', 'user', 'token'])
      assert.equal((await service.get(list, guest)).status, 200, list)
  })
  it('has the log of changes, as administrators have', async () => {
    for (const token of [reader, service.token])
      for (const query of ['', '?page[after]=']) {
        const { status, text } = await service.get(`change${query}`, token)
        assert.equal(status, 200, text)
      }
  })
})
