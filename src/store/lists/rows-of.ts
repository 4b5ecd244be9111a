import { join, name, sql, type Sql } from '../../sql/sql.ts'
import type { LocalDb, Row } from '../ground/db.ts'
import type { Granted } from '../model/access.ts'
import { recordsOf } from '../model/catalogue.ts'
import { diverged } from './present-records.ts'

/** Numbers of ids for which statements are prepared. */
const PREPARED = [1, 5, 20, 50]

/** The rows of records in the order of the ids. `select`: their id first. @throws Diverged where one is missing */
export function rowsOf(
  { readNow, dialect }: Pick<LocalDb, 'readNow' | 'dialect'>,
  { table }: Pick<Granted<'read'>, 'table'>,
  ids: readonly number[],
  select: Sql,
): Row[] {
  if (ids.length === 0) return []
  const places = PREPARED.find((count) => count >= ids.length)
  const asked = places === undefined ? ids : Array.from({ length: places }, (_, i) => ids[i] ?? ids[0]!)
  const among =
    places === undefined
      ? dialect.oneOf(sql`id`, asked)
      : sql`id IN (${join(
          asked.map((id) => sql`${id}`),
          ', ',
        )})`
  const [rows] = readNow(sql`SELECT ${select} FROM ${name(recordsOf(table.id))} WHERE ${among}`)
  const byId = new Map(rows!.map((row) => [Number(row[0]), row]))
  return ids.map((id) => byId.get(id) ?? diverged(table.id, id))
}
