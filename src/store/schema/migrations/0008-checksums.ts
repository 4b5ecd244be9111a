import type { Dialect } from '../../../sql/dialect.ts'
import { name, sql } from '../../../sql/sql.ts'
import { alter, type Step } from '../migration-step.ts'

/** A checksum of each record (store/records/checksums.ts); -1 for those that are there, until they are given one. */
export const checksums = (dialect: Dialect, tableIds: readonly number[]): Step[] =>
  tableIds
    .flatMap((id) => [`data${id}`, `trash${id}`])
    .map((twin) => alter(sql`ALTER TABLE ${name(twin)} ADD COLUMN checksum ${dialect.integer} NOT NULL DEFAULT -1`))
