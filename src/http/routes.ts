import { aggregateRecords } from './handlers/aggregate-records.ts'
import { createRecord } from './handlers/create-record.ts'
import { deleteRecord } from './handlers/delete-record.ts'
import { exportRecords } from './handlers/export-records.ts'
import { deleteRecords } from './handlers/delete-records.ts'
import { followEvents } from './handlers/follow-events.ts'
import { getFile } from './handlers/get-file.ts'
import { linkFile } from './handlers/link-file.ts'
import { putFile } from './handlers/put-file.ts'
import { getRecord } from './handlers/get-record.ts'
import { getReferred, getReferring } from './handlers/get-related.ts'
import { getReferences, getReferrers } from './handlers/get-relationship.ts'
import { listFiles } from './handlers/list-files.ts'
import { listHistory } from './handlers/list-history.ts'
import { listRecords } from './handlers/list-records.ts'
import { restoreVersion } from './handlers/restore-version.ts'
import { runOperations } from './handlers/run-operations.ts'
import { sayHello } from './handlers/say-hello.ts'
import { searchRecords } from './handlers/search-records.ts'
import { searchAllTables } from './handlers/search-tables.ts'
import { showOpenapi } from './handlers/show-openapi.ts'
import { showTableSchema } from './handlers/show-table-schema.ts'
import { showEntryPoint } from './handlers/show-entry-point.ts'
import { updateRecord } from './handlers/update-record.ts'
import { updateRecords } from './handlers/update-records.ts'
import { addToRelationship, removeFromRelationship, updateRelationship } from './handlers/update-relationship.ts'
import { resourceRoutes, resources } from './resource-routes.ts'
import type { Route } from './routing/route.ts'

/** Every endpoint, one line each. */
export const routes: readonly Route[] = [
  getRecord,
  updateRecord,
  updateRecords,
  deleteRecords,
  deleteRecord,
  listHistory,
  restoreVersion,
  listRecords,
  createRecord,
  searchRecords,
  getReferred,
  getReferring,
  getReferences,
  getReferrers,
  updateRelationship,
  addToRelationship,
  removeFromRelationship,
  aggregateRecords,
  exportRecords,
  runOperations,
  searchAllTables,
  getFile,
  putFile,
  linkFile,
  listFiles,
  followEvents,
  ...resourceRoutes,
  showTableSchema,
  showOpenapi(() => routes, resources),
  showEntryPoint(resources),
  sayHello,
]
