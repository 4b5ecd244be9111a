import type { Dialect } from '../../sql/dialect.ts'
import { name, parameters, sql, type Sql } from '../../sql/sql.ts'
import type { Row } from '../ground/db.ts'
import { recordsOf, type Table } from '../model/catalogue.ts'
import { diverged } from './record-reads.ts'
import type { Planned } from './set-source.ts'

/** Numbers of ids for which statements are prepared. */
const PREPARED = [1, 5, 20, 50]

/**
 * What reads the rows of records, in the order of the ids. `select`: their id first. `nothing`: as many NULLs, where one statement may tell more
 * besides. `give` throws Diverged where a record is missing.
 */
export function plannedRows<T>(
  dialect: Dialect,
  table: Table,
  ids: readonly number[],
  select: Sql,
  give: (rows: readonly Row[]) => T,
  nothing?: Sql,
): Planned<T> {
  if (ids.length === 0) return { ids, give: () => give([]) }
  const query = (more: Sql) => sql`SELECT ${select}${more} FROM ${name(recordsOf(table.id))} WHERE ${among(dialect, ids)}`
  return {
    ids,
    query: query(sql``),
    ...(nothing && { queryWith: (text) => sql`(${query(sql`, '' AS told`)}) UNION ALL SELECT ${nothing}, (${text})` }),
    give(rows) {
      const byId = new Map(rows.map((row) => [Number(row[0]), row]))
      return give(ids.map((id) => byId.get(id) ?? diverged(table.id, id)))
    },
  }
}

function among(dialect: Dialect, ids: readonly number[]): Sql {
  const places = dialect.shared ? undefined : PREPARED.find((count) => count >= ids.length)
  if (places === undefined) return dialect.oneOf(sql`id`, ids)
  return sql`id IN (${parameters(Array.from({ length: places }, (_, i) => ids[i] ?? ids[0]!))})`
}
