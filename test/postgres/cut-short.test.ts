import assert from 'node:assert/strict'
import { it } from 'node:test'
import { sql } from '../../src/sql/sql.ts'
import { postgresAddress } from '../../src/store/postgres/address.ts'
import { postgresReads } from '../../src/store/postgres/reads.ts'
import { scratchDatabase } from '../support/scratch-database.ts'

it('a read whose time is over while it ends spoils none that comes after it on the same connection', async () => {
  const { url, drop } = await scratchDatabase()
  const address = postgresAddress(url)
  let failed = 0
  const reads = postgresReads(
    {
      address: {
        async connect() {
          const connection = await address.connect()
          // As a COMMIT that is cancelled: the transaction fails, and goes on.
          const first = (text: string) => (text === 'COMMIT' && failed++ === 0 ? 'SELECT 1 / 0' : text)
          return { ...connection, script: (text) => connection.script(first(text)) }
        },
      },
    },
    20_000,
    false,
  )
  const one = sql`SELECT 1`
  const answers = await Promise.allSettled([reads.read(one, one), reads.read(one, one), reads.read(one, one)])
  assert.deepEqual(
    answers.map(({ status }) => status),
    ['rejected', 'fulfilled', 'fulfilled'],
  )
  assert.ok(failed > 1)
  await reads.close()
  await drop()
})
