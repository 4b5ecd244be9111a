import type { Dialect } from '../../sql/dialect.ts'
import { name, parameters, sql, type Sql } from '../../sql/sql.ts'
import type { Row } from '../ground/db.ts'
import { recordsOf, type Table } from '../model/catalogue.ts'
import { diverged } from './record-reads.ts'
import type { Planned } from './set-source.ts'

/** Numbers of ids for which statements are prepared. */
const PREPARED = [1, 5, 20, 50]

export interface HowRows {
  /** As many NULLs as the select list has columns, which is then the same object each time. */
  readonly nothing?: Sql
  /** As in `Planned`. */
  readonly areKept?: boolean
  readonly around?: Planned<unknown>['around']
}

/** What reads the rows of records, in the order of the ids. `select`: their id first. `give` throws Diverged where a record is missing. */
export function plannedRows<T>(
  dialect: Dialect,
  table: Table,
  ids: readonly number[],
  select: Sql,
  give: (rows: readonly Row[]) => T,
  { nothing, areKept = false, around }: HowRows = {},
): Planned<T> {
  if (ids.length === 0) return { ids, give: () => give([]) }
  const query = (some: readonly number[], more = sql``) =>
    sql`SELECT ${select}${more} FROM ${name(recordsOf(table.id))} WHERE ${among(dialect, some)}`
  return {
    ids,
    // Not made where all rows are kept.
    get query() {
      return query(ids)
    },
    ...(nothing && { shown: { columns: select, nothing, query }, areKept }),
    ...(around && { around }),
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
