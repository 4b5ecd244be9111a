import { createRecord } from './handlers/create-record.ts'
import { deleteRecord } from './handlers/delete-record.ts'
import { followEvents } from './handlers/follow-events.ts'
import { getFile } from './handlers/get-file.ts'
import { getRecord } from './handlers/get-record.ts'
import { listFiles } from './handlers/list-files.ts'
import { listHistory } from './handlers/list-history.ts'
import { listRecords } from './handlers/list-records.ts'
import { restoreVersion } from './handlers/restore-version.ts'
import { sayHello } from './handlers/say-hello.ts'
import { searchRecords } from './handlers/search-records.ts'
import { showEntryPoint } from './handlers/show-entry-point.ts'
import { updateRecord } from './handlers/update-record.ts'
import { resourceRoutes, resources } from './resource-routes.ts'
import type { Route } from './routing/route.ts'

/** Every endpoint, one line each. */
export const routes: readonly Route[] = [
  getRecord,
  updateRecord,
  deleteRecord,
  listHistory,
  restoreVersion,
  listRecords,
  createRecord,
  searchRecords,
  getFile,
  listFiles,
  followEvents,
  ...resourceRoutes,
  showEntryPoint(resources),
  sayHello,
]
