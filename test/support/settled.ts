import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { endOfLog } from '../../src/store/changes/follow-changes.ts'
import type { Store } from '../../src/store/ground/store.ts'
import { sql } from '../../src/sql/sql.ts'

/** Waits until all that is committed can be followed: over PostgreSQL, transactions of other databases of the cluster hold the log back. */
export async function settled(store: Pick<Store, 'db'>): Promise<void> {
  assert.ok(await settledWithin(30_000, store), 'the end of the log stands still')
}

/** Whether that came true within so many milliseconds. */
export async function settledWithin(patience: number, { db }: Pick<Store, 'db'>): Promise<boolean> {
  const read = async (query: ReturnType<typeof sql>) => (await db.read(query))[0]!
  const newest = Number((await read(sql`SELECT coalesce(max(id), 0) FROM changes`))[0]![0])
  for (const end = performance.now() + patience; (await endOfLog({ db }, read)) < newest;) {
    if (performance.now() > end) return false
    await sleep(20)
  }
  return true
}
