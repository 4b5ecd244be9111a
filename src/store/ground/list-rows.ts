import type { Condition } from '../../filter/check.ts'
import { compile, orderBy } from '../../filter/compile.ts'
import { inTimeOf } from '../../filter/patience.ts'
import { isPartial, keyList, paramsOf, precedes, readPosition, stretches, wholeList, type Position } from '../../filter/position.ts'
import type { SortKey } from '../../filter/sort.ts'
import { join, sql, type Sql } from '../../sql/sql.ts'
import type { Caller } from '../model/access.ts'
import { pageAround, type Around } from './around.ts'
import type { Row } from './db.ts'
import { readRow, selectList, type Identified, type Relation } from './relation.ts'
import type { Uses } from './store.ts'

export interface RowQuery {
  readonly filter?: Condition | undefined
  readonly sort: readonly SortKey[]
  readonly offset: number
  readonly limit: number
}

/** A page of the rows that match and exist for the caller, and how many there are in all, from one snapshot. */
export async function listRows<T extends Identified>(
  store: Uses<'db' | 'catalogue'>,
  relation: Relation<T>,
  caller: Caller,
  { filter, sort, offset, limit }: RowQuery,
): Promise<{ rows: T[]; total: number }> {
  const matching = await selection(store, relation, caller, filter)
  const order = sort.length > 0 ? sql`${orderBy(sort, store.db.dialect)}, id` : sql`id`
  const [rows, counted] = await store.db.readLittle(
    caller,
    sql`SELECT ${selectList(relation)} FROM ${matching} ORDER BY ${order} LIMIT ${limit} OFFSET ${offset}`,
    sql`SELECT count(*) FROM ${matching}`,
  )
  return { rows: await complete(store, relation, caller, rows!), total: Number(counted![0]![0]) }
}

export interface RowsAround<T> {
  readonly rows: readonly T[]
  readonly positions: readonly Position[]
  /** Whether there are more in the direction in which the page was read. */
  readonly more: boolean
}

/** A page of the same rows that begins or ends at a position. */
export async function rowsAround<T extends Identified>(
  store: Uses<'db' | 'catalogue'>,
  relation: Relation<T>,
  caller: Caller,
  { filter, sort }: Pick<RowQuery, 'filter' | 'sort'>,
  around: Around,
): Promise<RowsAround<T>> {
  const { dialect } = store.db
  const read = async (query: Sql): Promise<Row[]> => (await store.db.readLittle(caller, query))[0]!
  const pinned = async (position: Position) => {
    const known = isPartial(position) && (await selection(store, relation, caller, undefined, sql`id = ${position.id}`))
    const [now] = known ? await read(sql`SELECT ${join(wholeList(sort, dialect), ', ')} FROM ${known}`) : []
    return { params: paramsOf(sort, position, now), id: position.id }
  }
  const select = join([selectList(relation), ...keyList(sort, dialect)], ', ')
  const width = Object.keys(relation.columns).length
  const idOf = (row: Row): number => readRow(relation, row).id
  const { rows, more } = await pageAround(around, async ({ from, until, backwards, limit }) => {
    const end = until && precedes(sort, await pinned(until), dialect)
    const found = new Map<number, Row>()
    for (const { conditions, order } of stretches(sort, from && (await pinned(from)), backwards, dialect)) {
      const all = [...conditions, ...(end ? [end] : [])]
      const matching = await selection(store, relation, caller, filter, all.length > 0 ? join(all, ' AND ') : undefined)
      const rows = await read(sql`SELECT ${select} FROM ${matching} ORDER BY ${order} LIMIT ${limit - found.size}`)
      // One that was changed meanwhile may come twice.
      for (const row of rows) if (!found.has(idOf(row))) found.set(idOf(row), row)
      if (found.size >= limit) break
    }
    return [...found.values()]
  })
  const shown = await complete(
    store,
    relation,
    caller,
    rows.map((row) => row.slice(0, width)),
  )
  return { rows: shown, positions: rows.map((row, i) => readPosition(sort, row.slice(width), shown[i]!.id)), more }
}

/** The rows that match and exist for the caller, by id, without their number. A page is read when the one before it has been used. */
export async function* walkRows<T extends Identified>(
  store: Uses<'db' | 'catalogue'>,
  relation: Relation<T>,
  caller: Caller,
  filter: Condition | undefined,
  limit: number,
): AsyncGenerator<T[]> {
  for (let after = 0; ;) {
    const matching = await selection(store, relation, caller, filter, sql`id > ${after}`)
    const [rows] = await store.db.readLittle(caller, sql`SELECT ${selectList(relation)} FROM ${matching} ORDER BY id LIMIT ${limit}`)
    const page = await complete(store, relation, caller, rows!)
    if (page.length > 0) yield page
    if (page.length < limit) return
    after = page.at(-1)!.id
  }
}

/** What follows FROM for the rows that match, meet the condition, and exist for the caller. */
async function selection<T extends Identified>(
  store: Uses<'db' | 'catalogue'>,
  relation: Relation<T>,
  caller: Caller,
  filter: Condition | undefined,
  condition?: Sql,
): Promise<Sql> {
  const { dialect } = store.db
  const given = [await relation.visible(store, caller), filter && compile(filter, dialect), condition]
  const wanted = given.filter((one) => one !== undefined)
  const inTime = inTimeOf(relation.attributes, wanted, dialect, false)
  const conditions = [...(inTime ? [inTime] : []), ...wanted.map((one) => sql`(${one})`)]
  const where = conditions.length > 0 ? sql` WHERE ${join(conditions, ' AND ')}` : sql``
  return sql`${relation.shownTo?.(store, caller) ?? relation.from}${where}`
}

async function complete<T extends Identified>(
  store: Uses<'db' | 'catalogue'>,
  relation: Relation<T>,
  caller: Caller,
  rows: readonly Row[],
): Promise<T[]> {
  const read = rows.map((row) => readRow(relation, row))
  return (await relation.complete?.(store, caller, read)) ?? read
}
