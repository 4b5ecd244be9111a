import { sql, type Sql } from '../../sql/sql.ts'
import { checksumAt } from './checksums.ts'

/*
 * What every UPDATE that changes a record assigns besides its values. New records have both from `newRecord`: the version 1 and the moment of
 * the create. As the version, update_time is no value of the record: the log of changes does not keep it, since each change there has its time.
 */

/** `now`: as the store writes times (`context.now`); `by`: what is added to the checksum. */
export const nextVersion = (now: string, by: number): Sql => sql`version = version + 1, ${updated(now, by)}`

/** Where a column is written for all records at once, which keeps their versions: the version of the table is another one then. */
export const updated = (now: string, by: Sql | number): Sql => sql`update_time = ${now}, ${checksumAt(now, by)}`
