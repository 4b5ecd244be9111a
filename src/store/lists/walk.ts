import { isPartial, keyList, paramsOf, precedes, readPosition, stretches, wholeList, type Position } from '../../filter/position.ts'
import { join, sql, type Param, type Sql } from '../../sql/sql.ts'
import type { Stretching } from '../ground/around.ts'
import type { Reader } from '../ground/db.ts'
import { inTimeOfIds, source, whereOf } from '../records/in-time.ts'
import { inlineBytes } from '../records/left.ts'
import { listUpTo } from '../records/read-records.ts'
import type { Walked } from './list-reader.ts'
import { sortsLongTexts, type List } from './list-statements.ts'

/* Records that follow or precede a position in the order of a list. What it costs does not depend on where the position is. */

/** The records of a stretch after the other, until there are enough: a record that stays as it is belongs to one of them throughout. */
export async function walkFrom(
  read: Reader['read'],
  list: List,
  { from, until, backwards, limit }: Stretching,
): Promise<readonly Walked[]> {
  const { sort, dialect } = list
  const start = from && (await pinned(read, list, from))
  const end = until && [precedes(sort, await pinned(read, list, until), dialect)]
  const found = new Map<number, Walked>()
  for (const { conditions, order } of stretches(sort, start, backwards, dialect)) {
    const [rows] = await read(nextOf(list, [...conditions, ...(end ?? [])], order, limit - found.size, limit))
    for (const row of rows!) {
      const id = Number(row[0])
      const keys = sort.length > 0 ? row.slice(-sort.length) : []
      // One that was changed meanwhile may come twice.
      if (!found.has(id)) found.set(id, { row, position: readPosition(sort, keys, id) })
    }
    if (found.size >= limit) break
  }
  return [...found.values()]
}

/** The position with whole keys, as far as the caller may read its record. */
async function pinned(
  read: Reader['read'],
  list: List,
  position: Position,
): Promise<{ readonly params: readonly Param[]; readonly id: number }> {
  const { sort, dialect, rights } = list
  if (!isPartial(position)) return { params: paramsOf(sort, position), id: position.id }
  const where = join([sql`id = ${position.id}`, ...rights], ' AND ')
  const [[now] = []] = await read(sql`SELECT ${join(wholeList(sort, dialect), ', ')} FROM ${source(list)} WHERE ${where}`)
  return { params: paramsOf(sort, position, now), id: position.id }
}

/** `of`: how many records the answer may have, for the bytes of each. */
function nextOf(list: List, conditions: readonly Sql[], order: Sql, limit: number, of: number): Sql {
  const { granted, sort, dialect } = list
  const selected = join([listUpTo(granted.attributes, dialect, inlineBytes(granted.attributes, of)), ...keyList(sort, dialect)], ', ')
  const chosen = idsOf(list, conditions, order, limit)
  return chosen
    ? sql`SELECT ${selected} FROM ${source(list)} WHERE id IN (${chosen}) ORDER BY ${order}`
    : sql`SELECT ${selected} FROM ${source(list)}${whereOf(list, conditions)} ORDER BY ${order} LIMIT ${limit}`
}

/** The ids of the next records, where they are found before the records are read; the access path is that of the list. */
function idsOf(list: List, conditions: readonly Sql[], order: Sql, limit: number): Sql | undefined {
  const { matchingIds } = list
  if (matchingIds) {
    const where = conditions.length > 0 ? sql` WHERE ${join(conditions, ' AND ')}` : sql``
    return sql`WITH matching AS MATERIALIZED (SELECT id FROM (${matchingIds}) AS every${inTimeOfIds(list)})
      SELECT id FROM matching${where} ORDER BY ${order} LIMIT ${limit}`
  }
  // Long texts are not sorted with their records.
  if (!sortsLongTexts(list)) return undefined
  return sql`SELECT id FROM ${source(list)}${whereOf(list, conditions)} ORDER BY ${order} LIMIT ${limit}`
}
