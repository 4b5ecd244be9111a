import { loadCatalogue } from './catalogue/load-catalogue.ts'
import type { Ledger, WriterAccess } from './ground/db.ts'
import { refusingFiles } from './files/no-files.ts'
import type { Environment, StoreSettings, WritingStore } from './ground/store.ts'
import { combineLedgers, recordLedgers } from './ledgers.ts'
import { beforeCommit } from './positions/local-positions.ts'
import { openImportWriter as open } from './sqlite/import-writer.ts'

/** The store of a thread that imports into the database that another thread serves (sqlite/import-writer.ts). `ledgers`: as in `Opening`. */
export async function openImportWriter(
  access: WriterAccess,
  environment: Environment,
  settings: StoreSettings,
  ledgers: readonly Ledger[] = recordLedgers({ environment, settings }, false),
): Promise<WritingStore> {
  // The counts in memory are those of the thread that serves, which is also where ledgers are told after commits.
  const ledger = combineLedgers({ beforeCommit, afterCommit: () => {} }, ledgers, () => {})
  return { ...(await open(access, environment, settings, { load: loadCatalogue, ledger })), files: refusingFiles }
}
