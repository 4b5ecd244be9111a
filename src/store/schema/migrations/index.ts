import type { Dialect } from '../../../sql/dialect.ts'
import type { Step } from '../migration-step.ts'
import { systemTables } from './0001-system-tables.ts'
import { blockCounts } from './0002-block-counts.ts'
import { indexTables } from './0003-indexes.ts'
import { sharedDatabase } from './0004-shared-database.ts'
import { writers } from './0005-writers.ts'
import { blockChanges } from './0006-block-changes.ts'
import { uniqueKeys } from './0007-unique-keys.ts'
import { checksums } from './0008-checksums.ts'
import { knownNetworks } from './0009-known-networks.ts'
import { savedFilterFields } from './0010-saved-filter-fields.ts'
import { titleFields } from './0011-title-fields.ts'
import { auditIndex } from './0013-audit-index.ts'
import { catalogueParts } from './0014-catalogue-parts.ts'
import { indexFailures } from './0015-index-failures.ts'
import { changeLog } from './0016-change-log.ts'
import { webhooks } from './0017-webhooks.ts'
import { batches } from './0018-batches.ts'
import { rightsOnAttributes } from './0020-rights-on-attributes.ts'
import { undos } from './0019-undos.ts'
import { sessions } from './0021-sessions.ts'
import { userSettings } from './0022-user-settings.ts'
import { savedViews } from './0023-saved-views.ts'
import { jobs } from './0024-jobs.ts'
import { uniqueFieldNames } from './0025-unique-field-names.ts'
import { jobPieces } from './0026-job-pieces.ts'
import { updateTimes } from './0027-update-time.ts'
import { conversions } from './0028-conversions.ts'
import { viewedSessions } from './0029-viewed-sessions.ts'
import { figuresOfViews } from './0030-figures-of-views.ts'
import { ownersOfAnswers } from './0012-owners-of-answers.ts'
import { recordChanges } from './0031-record-changes.ts'
import { filesOfJobs } from './0033-files-of-jobs.ts'
import { trials } from './0034-trials.ts'
import { changesByUser } from './0035-changes-by-user.ts'
import { changedAttributes } from './0036-changed-attributes.ts'
import { sections } from './0032-sections.ts'

/** The steps of one migration. `tableIds`: of all tables of records there are, those in the trash among them. */
type Migration = (dialect: Dialect, tableIds: readonly number[]) => readonly Step[]

/** Every migration in order. Append only: a released one is never edited. */
export const migrations: readonly Migration[] = [
  systemTables,
  blockCounts,
  indexTables,
  sharedDatabase,
  writers,
  blockChanges,
  uniqueKeys,
  checksums,
  knownNetworks,
  savedFilterFields,
  titleFields,
  ownersOfAnswers,
  auditIndex,
  catalogueParts,
  indexFailures,
  changeLog,
  webhooks,
  batches,
  undos,
  rightsOnAttributes,
  sessions,
  userSettings,
  savedViews,
  jobs,
  uniqueFieldNames,
  jobPieces,
  updateTimes,
  conversions,
  viewedSessions,
  figuresOfViews,
  recordChanges,
  sections,
  filesOfJobs,
  trials,
  changesByUser,
  changedAttributes,
]
