import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { citus } from '../../sql/citus.ts'
import { postgres } from '../../sql/postgres.ts'
import { render, sql, type Sql } from '../../sql/sql.ts'
import type { Connection } from './connection.ts'
import { StructureBusy, TableBusy } from './faults.ts'
import { transactionOn } from './transaction.ts'

/** A transaction on a connection that notes the beginning of each statement. `isFree`: whether the lock on the structure is; `fault`: of what alters it. */
function scene(dialect = postgres, isFree = true, fault?: object, isPatient = false) {
  const asked: string[] = []
  const query = async (statement: Sql) => {
    const { text, params } = render(statement, (n) => `$${n}`)
    if (fault && text.startsWith('ALTER')) throw fault
    asked.push([/^\s*\w+ \w+/.exec(text)![0].trim(), ...params].join(' '))
    return { rows: [[isFree ? 1 : 0]], count: 1 }
  }
  const connection: Pick<Connection, 'query' | 'once' | 'dialect'> = { query, once: query, dialect }
  return { asked, tx: transactionOn(connection as Connection, { changes: [], images: false, now: async () => {}, isPatient }) }
}

const LOCK = 'SELECT pg_try_advisory_xact_lock'

describe('a transaction over PostgreSQL', () => {
  it('locks the structure once, before the first statement that is said to alter it', async () => {
    const { tx, asked } = scene()
    await tx.run(sql`UPDATE fields SET sequence = 1`)
    await tx.alterStructure(sql`ALTER TABLE data1 ADD COLUMN f1 text`)
    await tx.alterStructure(sql`DROP INDEX gone`)
    assert.deepEqual(asked, ['UPDATE fields', LOCK, 'ALTER TABLE', 'DROP INDEX'])
  })

  it('alters nothing while another process makes an index', async () => {
    const { tx, asked } = scene(postgres, false)
    await assert.rejects(tx.alterStructure(sql`ALTER TABLE data1 ADD COLUMN f1 text`), StructureBusy)
    assert.deepEqual(asked, [LOCK])
    assert.equal(tx.hasWritten(), false)
  })

  it('waits shortly for those who read the table, and for as long as they do where it is patient', async () => {
    const { tx } = scene(postgres, true, { code: '55P03' })
    await assert.rejects(tx.alterStructure(sql`ALTER TABLE data1 ADD COLUMN f1 text`), TableBusy)
    const patient = scene(postgres, true, { code: '55P03' }, true)
    await assert.rejects(patient.tx.alterStructure(sql`ALTER TABLE data1 ADD COLUMN f1 text`), { code: '55P03' })
  })

  it('places a table that is made by the name it is given, whatever its statement looks like', async () => {
    const definition = sql`(id bigint)`
    for (const [dialect, placing] of [
      [postgres, []],
      [citus, ['SELECT create_distributed_table "data7" id']],
    ] as const) {
      const { tx, asked } = scene(dialect)
      await tx.createTable('data7', sql`create unlogged table data7 ${definition}`)
      assert.deepEqual(asked, ['create unlogged', ...placing])
    }
  })

  it('has written once something but a read was asked for, whatever the statements look like', async () => {
    const { tx } = scene()
    const row = sql`SELECT id FROM users WHERE id = 1`
    await tx.all(sql`${row} FOR UPDATE`)
    await tx.all(sql`WITH one AS (${row}) SELECT id FROM one`)
    assert.equal(tx.hasWritten(), false)
    await tx.runReturning(sql`UPDATE fields SET number_next = 2 RETURNING number_next`)
    assert.equal(tx.hasWritten(), true)
  })
})
