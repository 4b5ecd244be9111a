import assert from 'node:assert/strict'
import { it } from 'node:test'
import pg from 'pg'
import { operator } from '../../src/store/catalogue/administrator.ts'
import { MOST_IN_TRANSACTION } from '../../src/store/changes/change-log.ts'
import { followChanges, horizonOf } from '../../src/store/changes/follow-changes.ts'
import { sql } from '../../src/sql/sql.ts'
import { createTable } from '../../src/store/structure/tables.ts'
import { scratchDatabase } from '../support/scratch-database.ts'
import { scratchInstallation } from '../support/scratch-store.ts'
import { until } from '../support/until.ts'

/* A snapshot of PostgreSQL has the transactions of all databases of the server. */

it('a transaction in another database of the server holds back no changes, and one in this database does', async () => {
  const [mine, others] = [await scratchDatabase({ isLaidOut: true }), await scratchDatabase()]
  const installation = await scratchInstallation({}, { url: mine.url })
  const store = await installation.open()
  const [here, there] = [new pg.Client(mine.url), new pg.Client(others.url)]
  const names = async (after: number) => {
    const { changes } = await followChanges(store, operator, { after, limit: 50, filter: undefined })
    return changes.flatMap(({ action, changes: shown }) => (action === 'create' ? [shown?.['title']?.to] : []))
  }
  try {
    await Promise.all([here.connect(), there.connect()])
    await there.query('BEGIN; SELECT pg_current_xact_id()')
    await createTable(store, operator, { title: 'First' })
    // Tests in databases whose sessions end meanwhile count until then.
    await until('the change', async () => (await names(0)).join() === 'First')
    await here.query('BEGIN; SELECT pg_current_xact_id()')
    await createTable(store, operator, { title: 'Second' })
    for (let i = 0; i < 20; i++) assert.deepEqual(await names(0), ['First'])
    await here.query('COMMIT')
    await until('both changes', async () => (await names(0)).join() === 'First,Second')
    await there.query('COMMIT')
  } finally {
    await Promise.all([here.end(), there.end()])
    await store.close()
    await installation.remove()
    await mine.drop()
    await others.drop()
  }
})

it('the transaction that asks counts itself, also after others that began later have ended', async () => {
  const database = await scratchDatabase({ isLaidOut: true })
  const installation = await scratchInstallation({}, { url: database.url })
  const store = await installation.open()
  const other = new pg.Client(database.url)
  try {
    await other.connect()
    await store.db.write(async (tx) => {
      const [own] = await tx.all(sql`SELECT ((SELECT base FROM change_log) + pg_current_xact_id()::text::bigint) * ${MOST_IN_TRANSACTION}`)
      await other.query('BEGIN; SELECT pg_current_xact_id(); COMMIT')
      const [horizon] = await tx.all(sql`SELECT ${horizonOf(store)}`)
      assert.equal(Number(horizon![0]), Number(own![0]))
    })
  } finally {
    await other.end()
    await store.close()
    await installation.remove()
    await database.drop()
  }
})
