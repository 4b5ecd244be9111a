import { sql, type Sql } from '../../sql/sql.ts'

/*
 * What every UPDATE that changes a record assigns besides its values. New records have both from `newRecord`: the version 1 and the moment of
 * the create. As the version, update_time is no value of the record: it is not part of the checksum, and the log of changes does not keep it,
 * since each change there has its time.
 */

/** `now`: as the store writes times (`context.now`). */
export const nextVersion = (now: string): Sql => sql`version = version + 1, ${updated(now)}`

/** Where a column is written for all records at once, which keeps their versions: the version of the table is another one then. */
export const updated = (now: string): Sql => sql`update_time = ${now}`
