import assert from 'node:assert/strict'
import { it } from 'node:test'
import { scratchInstallation } from '../support/scratch-store.ts'

it('a distribution is refused where there is no Citus, with the reason', async () => {
  for (const [engine, why] of [
    ['postgres', /it has no extension citus/],
    ['sqlite', /SQLite is one file/],
  ] as const) {
    const { open, remove } = await scratchInstallation({}, { engine, distribution: 'citus' })
    await assert.rejects(open(), { code: 'database.distribution', message: why })
    await remove()
  }
})
