import { loadCatalogue } from './catalogue/load-catalogue.ts'
import type { Invitation, Ledger } from './ground/db.ts'
import { noFiles } from './files/no-files.ts'
import type { Environment, StoreSettings, WritingStore } from './ground/store.ts'
import { ledgers } from './ledgers.ts'
import { beforeCommit } from './lists/positions.ts'
import { openImportWriter as open } from './sqlite/import-writer.ts'

/** The store of a thread that imports, by turns with the thread that serves (sqlite/import-writer.ts). `others`: as in `Opening`. */
export async function openImportWriter(
  invitation: Invitation,
  environment: Environment,
  settings: StoreSettings,
  others: readonly Ledger[] = [],
): Promise<WritingStore> {
  // What the counts are in memory is the host's business.
  const ledger = ledgers({ beforeCommit, afterCommit: () => {} }, others)
  return { ...(await open(invitation, environment, settings, { load: loadCatalogue, ledger })), files: noFiles }
}
