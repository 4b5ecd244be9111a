import { loadCatalogue } from './catalogue/load-catalogue.ts'
import type { Invitation } from './ground/db.ts'
import { noFiles } from './files/no-files.ts'
import type { Environment, StoreSettings, WritingStore } from './ground/store.ts'
import { beforeCommit } from './lists/positions.ts'
import { openImportWriter as open } from './sqlite/import-writer.ts'

/** The store of a thread that imports, by turns with the thread that serves (sqlite/import-writer.ts). */
export const openImportWriter = async (
  invitation: Invitation,
  environment: Environment,
  settings: StoreSettings,
): Promise<WritingStore> => ({ ...(await open(invitation, environment, settings, { load: loadCatalogue, beforeCommit })), files: noFiles })
