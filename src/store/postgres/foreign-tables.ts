import { fail } from '../../errors.ts'
import { sql } from '../../sql/sql.ts'
import type { Db } from '../ground/db.ts'
import { namesMade } from '../schema/system-tables.ts'

/**
 * Called before the first table is created, so that nothing is created in the database of another program.
 * @throws `database.foreign` if it has tables with the names of system tables
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
