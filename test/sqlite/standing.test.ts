import assert from 'node:assert/strict'
import { it } from 'node:test'
import { markMoved, reopen } from '../../src/store/schema/standing.ts'
import { scratchInstallation } from '../support/scratch-store.ts'

it('what an installation was moved from is opened by nobody, until it is reopened', async () => {
  const { open, remove } = await scratchInstallation()
  const { db, close } = await open()
  await db.write((tx) => markMoved(tx, db, { to: 'postgres://db/crm', when: '2026-11-22 00:40:00' }), { alone: true })
  await assert.rejects(open(), {
    code: 'installation.moved',
    message: /moved to postgres:\/\/db\/crm on 2026-11-22 00:40:00, .* KARTOTEKA_DATABASE_URL/,
  })
  assert.equal(await reopen(db), true)
  assert.equal(await reopen(db), false)
  await close()
  await (await open()).close()
  await remove()
})
