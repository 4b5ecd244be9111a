import assert from 'node:assert/strict'
import { it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { sql } from '../../src/sql/sql.ts'
import { operator } from '../../src/store/catalogue/administrator.ts'
import { sweepChanges } from '../../src/store/changes/sweep-changes.ts'
import type { Store } from '../../src/store/ground/store.ts'
import { createField } from '../../src/store/structure/fields.ts'
import { createTable } from '../../src/store/structure/tables.ts'
import { distribution, scratchDatabase } from '../support/scratch-database.ts'
import { scratchInstallation } from '../support/scratch-store.ts'

const DAY = 86_400_000

const isThere = async ({ db }: Store, piece: string): Promise<boolean> => (await db.read(db.dialect.tablesAmong([piece])))[0]!.length > 0
const goneIn = async ({ db }: Store): Promise<number> =>
  Number((await db.read(sql`SELECT coalesce(max(value), '0') FROM meta WHERE name = 'changes_gone'`))[0]![0]![0])

it('what goes is noted before it goes: whoever read the log before the note still finds it, later cursors are refused', async () => {
  const { url, drop } = await scratchDatabase()
  const installation = await scratchInstallation({}, { url, distribution })
  const store = await installation.open()
  const reader = new pg.Client(url)
  try {
    const table = await createTable(store, operator, { title: 'Deals' })
    const [last] = await store.db.read(sql`SELECT max(id) FROM changes`)
    installation.clock.now += 32 * DAY
    // The next month: changes come into another piece.
    await sweepChanges(store)
    await createField(store, operator, { tableId: table, title: 'Title', typeName: 'text' })
    installation.clock.now += 366 * DAY - 10 * DAY

    await reader.connect()
    await reader.query('BEGIN ISOLATION LEVEL REPEATABLE READ')
    const { rows } = await reader.query('SELECT count(*) FROM changes')
    await sweepChanges(store)
    // The reader holds the piece, as a dump does.
    assert.ok(await isThere(store, 'changes_1'))
    assert.equal(await goneIn(store), Number(last![0]![0]))
    assert.deepEqual((await reader.query('SELECT count(*) FROM changes')).rows, rows)
    await reader.query('COMMIT')
    for (let i = 0; i < 1_000 && (await isThere(store, 'changes_1')); i++) {
      await sweepChanges(store)
      await sleep(50)
    }
    assert.ok(!(await isThere(store, 'changes_1')))
  } finally {
    await reader.end()
    await store.close()
    await installation.remove()
    await drop()
  }
})
