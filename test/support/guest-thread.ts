import { randomBytes } from 'node:crypto'
import { parentPort, workerData } from 'node:worker_threads'
import { grant } from '../../src/store/model/access.ts'
import { operator } from '../../src/store/catalogue/administrator.ts'
import { openImportWriter } from '../../src/store/open-import-writer.ts'
import type { Invitation } from '../../src/store/ground/db.ts'
import { insertRecords } from '../../src/store/records/insert-records.ts'
import { Stale } from '../../src/store/model/stale.ts'
import type { StoreSettings } from '../../src/store/ground/store.ts'
import { toldLedger } from './told-ledger.ts'

/* Writes batches of records as a guest until it is told to stop (guest.test.ts); says how many after each. */

export interface Errand {
  readonly invitation: Invitation
  readonly settings: StoreSettings
  readonly tableId: number
  readonly field: string
  readonly batch: number
  /** Whether it has a ledger that tells (told-ledger.ts). */
  readonly tells?: boolean
}

const { invitation, settings, tableId, field, batch, tells } = workerData as Errand
const environment = { now: () => Date.UTC(2024, 4, 1), randomBytes: (count: number) => randomBytes(count) }
const store = await openImportWriter(invitation, environment, settings, tells ? [toldLedger('guest')] : [])
let stopped = false
parentPort!.on('message', () => (stopped = true))
let written = 0
while (!stopped) {
  const rows = Array.from({ length: batch }, (_, i) => new Map([[field, `${(written + i) * 7919} of the guest`]]))
  try {
    const granted = grant(['create', 'bulk'], tableId, operator, store.catalogue())
    const results = await insertRecords(store, granted, rows)
    written += results.filter((result) => typeof result === 'number').length
    parentPort!.postMessage(written)
  } catch (error) {
    if (!(error instanceof Stale)) throw error
  }
}
await store.close()
parentPort!.close()
