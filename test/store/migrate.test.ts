import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sql } from '../../src/sql/sql.ts'
import type { Db } from '../../src/store/ground/db.ts'
import { migrate } from '../../src/store/schema/migrate.ts'
import { migrations } from '../../src/store/schema/migrations/index.ts'
import { COMING } from '../../src/store/schema/standing.ts'
import { distribution } from '../support/scratch-database.ts'
import { scratchDb } from '../support/scratch-db.ts'

const numbersOf = async ({ read }: Pick<Db, 'read'>) =>
  (await read(sql`SELECT number FROM migrations ORDER BY number`))[0]!.map(([number]) => Number(number))
const all = migrations.map((_, i) => i + 1)

/** A database with the writes that are begun on it. */
function counted(db: Db) {
  const writes = { begun: 0 }
  const write: Db['write'] = (work, options) => {
    writes.begun++
    return db.write(work, options)
  }
  return { db: { ...db, write }, writes }
}

async function on(work: (db: Db) => Promise<void>): Promise<void> {
  const { db, remove } = await scratchDb()
  try {
    await work(db)
  } finally {
    await remove()
  }
}

const coming = (db: Db) => db.write((tx) => tx.run(sql`INSERT INTO migrations (number) VALUES (${COMING})`))

describe('migrations', () => {
  it('of a new database share a transaction, except over several servers, and one that is up to date is only read', () =>
    on(async (empty) => {
      const { db, writes } = counted(empty)
      await migrate(db)
      assert.deepEqual(await numbersOf(db), all)
      assert.equal(writes.begun, distribution === 'citus' ? 1 + all.length : 1)
      writes.begun = 0
      await migrate(db)
      assert.equal(writes.begun, 0)
    }))

  it('that are missing are applied, each in a transaction of its own', () =>
    on(async (empty) => {
      await migrate(empty)
      await empty.write(
        async (tx) => {
          await tx.alterStructure(sql`DROP TABLE job_pieces`)
          await tx.alterStructure(sql`DROP INDEX jobs_by_input_file`)
          await tx.alterStructure(sql`DROP INDEX jobs_by_result_file`)
          await tx.run(sql`DELETE FROM migrations WHERE number = 26`)
        },
        { alone: true },
      )
      const { db, writes } = counted(empty)
      await migrate(db)
      assert.deepEqual(await numbersOf(db), all)
      assert.equal(writes.begun, 2)
      await db.read(sql`SELECT * FROM job_pieces`)
    }))

  it('are done once by two that begin at once', () =>
    on(async (db) => {
      await Promise.all([migrate(db), migrate(db)])
      assert.deepEqual(await numbersOf(db), all)
    }))

  it('of a new database that fail half-way leave nothing, except over several servers', () =>
    on(async (db) => {
      await db.write((tx) => tx.createTable('job_pieces', sql`CREATE TABLE job_pieces (other ${db.dialect.integer})`), { alone: true })
      await assert.rejects(migrate(db))
      const [tables] = await db.read(db.dialect.tablesAmong(['migrations', 'meta', 'job_pieces']))
      assert.equal(tables!.length, distribution === 'citus' ? 3 : 1)
    }))

  it('beyond those that are known are refused, and nothing is written', () =>
    on(async (db) => {
      await migrate(db)
      await db.write((tx) => tx.run(sql`INSERT INTO migrations (number) VALUES (1000)`))
      const write: Db['write'] = () => assert.fail('it was written')
      await assert.rejects(migrate({ ...db, write }), { code: 'database.newer' })
    }))

  it('are refused where an installation is being moved, also if that began after it was asked what is there', () =>
    on(async (db) => {
      let asked = 0
      const read: Db['read'] = async (...queries) => {
        const answers = await db.read(...queries)
        if (asked++ === 0) await migrate(db, 'begun')
        return answers
      }
      await assert.rejects(migrate({ ...db, read }), { code: 'migration.unfinished' })
      await assert.rejects(migrate(db), { code: 'migration.unfinished' })
      await migrate(db, 'allowed')
      assert.deepEqual(await numbersOf(db), [COMING, ...all])
    }))

  it('of an older version are not applied where an installation is being moved', () =>
    on(async (db) => {
      await migrate(db)
      await db.write((tx) => tx.run(sql`DELETE FROM migrations WHERE number = ${all.length}`))
      await coming(db)
      await assert.rejects(migrate(db), { code: 'migration.unfinished' })
      assert.deepEqual(await numbersOf(db), [COMING, ...all.slice(0, -1)])
    }))
})
