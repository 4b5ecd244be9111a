import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { constant, sql } from '../../src/sql/sql.ts'
import type { Db } from '../../src/store/ground/db.ts'
import { migrate } from '../../src/store/schema/migrate.ts'
import { perform } from '../../src/store/schema/migration-step.ts'
import { migrations } from '../../src/store/schema/migrations/index.ts'
import { scratchDb } from '../support/scratch-db.ts'

/** As a version wrote it that knew this many migrations. */
async function laidOut(db: Db, before: number): Promise<void> {
  await db.write((tx) => tx.createTable('migrations', sql`CREATE TABLE migrations (number ${db.dialect.integer} NOT NULL PRIMARY KEY)`), {
    alone: true,
  })
  for (const [i, migration] of migrations.slice(0, before).entries())
    await db.write(
      async (tx) => {
        for (const step of migration(db.dialect, [])) await perform(tx, step)
        await tx.run(sql`INSERT INTO migrations (number) VALUES (${i + 1})`)
      },
      { alone: true },
    )
}

const addJob = (db: Db, kind: string, input: unknown, state = 'done') =>
  db.write((tx) =>
    tx.run(sql`INSERT INTO jobs (user_id, token_id, kind, kindk, table_id, state, statek, input, input_file, done, total, position, result,
      result_file, error, batch_id, cancel_asked, tries, add_time, begin_time, end_time, holder, until_ms, file_name, file_namek)
      VALUES (1, 0, ${kind}, ${kind}, 7, ${state}, ${state}, ${JSON.stringify(input)}, ${constant('')}, 0, 0, ${constant('')}, ${constant('')},
      ${constant('')}, ${constant('')}, 0, 0, 0, ${constant('2026-05-01 09:30:15')}, ${constant('0001-01-01 00:00:00')},
      ${constant('0001-01-01 00:00:00')}, ${constant('')}, 0, ${constant('')}, ${constant('')})`),
  )

const HOSTILE = '"isTrial":true'

describe('a database from before the mark of trials', () => {
  it('gets it for the jobs that tried an import, and no others, whatever their names hold', async () => {
    const { db, remove } = await scratchDb()
    try {
      await laidOut(db, 33)
      const mapping = { columns: [{ field: 'Name' }, null], nothing: 'NULL' }
      const input = { tableId: 7, title: '', fileName: 'clients.csv', said: { delimiter: ';' }, mapping }
      await addJob(db, 'import', { ...input, isTrial: true })
      await addJob(db, 'import', { ...input, isTrial: false })
      await addJob(db, 'import', { ...input, isTrial: true }, 'queued')
      await addJob(db, 'import', { ...input, isTrial: false }, 'draft')
      await addJob(db, 'import', {
        ...input,
        fileName: HOSTILE,
        title: `{${HOSTILE}}`,
        mapping: { columns: [{ field: HOSTILE, create: { title: `\\${HOSTILE}` } }], nothing: `%${HOSTILE}` },
        isTrial: false,
      })
      await addJob(db, 'bulk', { action: 'update', attributes: { f1: HOSTILE }, isTrial: true })
      await addJob(db, 'export', {})
      await migrate(db)
      const [rows] = await db.read(sql`SELECT is_trial FROM jobs ORDER BY id`)
      assert.deepEqual(
        rows!.map(([isTrial]) => Number(isTrial)),
        [1, 0, 1, 0, 0, 0, 0],
      )
    } finally {
      await remove()
    }
  })
})
