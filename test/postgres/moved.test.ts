import assert from 'node:assert/strict'
import { it } from 'node:test'
import { sql } from '../../src/sql/sql.ts'
import { MOVED } from '../../src/store/schema/standing.ts'
import { errorsOf, startService } from '../support/service.ts'

it('a process whose installation was moved to another database meanwhile answers 503 with Retry-After', async () => {
  const service = await startService()
  try {
    await service.store.db.write((tx) => tx.run(sql`INSERT INTO meta (name, value) VALUES (${MOVED}, '{}')`))
    const answer = await service.add('table', { table_name: 'Companies' })
    assert.deepEqual([errorsOf(answer)[0], answer.headers.get('Retry-After')], ['503 server.unavailable', '2'])
  } finally {
    await service.close()
  }
})
