import { fail } from '../../errors.ts'
import { sql } from '../../sql/sql.ts'
import type { Db } from '../ground/db.ts'
import { namesMade } from '../schema/system-tables.ts'

/**
 * Asked before the first table is made: who names a database of something else has nothing made there.
 * @throws `database.foreign` where there are tables with names of ours, but not ours
 */
export async function mustBeOurs({ read, dialect }: Db): Promise<void> {
  const [[found]] = (await read(
    sql`SELECT relname::text FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND ${dialect.oneOf(sql`relname::text`, namesMade(dialect))}
    AND NOT EXISTS (SELECT FROM information_schema.columns
      WHERE table_schema = current_schema() AND table_name = 'migrations' AND column_name = 'number')
    ORDER BY 1 LIMIT 1`,
  )) as [string[][]]
  if (found) throw fail('database.foreign', { table: found[0]! })
}
