import { randomBytes } from 'node:crypto'
import { parentPort, workerData } from 'node:worker_threads'
import { grant } from '../../src/store/model/access.ts'
import { operator } from '../../src/store/catalogue/administrator.ts'
import { openImportWriter } from '../../src/store/open-import-writer.ts'
import type { WriterAccess } from '../../src/store/ground/db.ts'
import { insertRecords } from '../../src/store/records/insert-records.ts'
import { Stale } from '../../src/store/model/stale.ts'
import type { StoreSettings } from '../../src/store/ground/store.ts'
import { toldLedger } from './told-ledger.ts'

/* Writes batches of records as an import writer until it is told to stop (import-writer.test.ts); says how many after each. */

export interface WriterTask {
  readonly access: WriterAccess
  readonly settings: StoreSettings
  readonly tableId: number
  readonly field: string
  readonly batch: number
  /** Whether it has a ledger that tells (told-ledger.ts). */
  readonly tells?: boolean
}

const { access, settings, tableId, field, batch, tells } = workerData as WriterTask
const environment = { now: () => Date.UTC(2024, 4, 1), randomBytes: (count: number) => randomBytes(count) }
const store = await openImportWriter(access, environment, settings, tells ? [toldLedger('import')] : [])
let stopped = false
parentPort!.on('message', () => (stopped = true))
let written = 0
while (!stopped) {
  const rows = Array.from({ length: batch }, (_, i) => new Map([[field, `${(written + i) * 7919} of the import`]]))
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
