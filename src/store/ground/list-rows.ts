import type { Condition } from '../../filter/check.ts'
import { compile, orderBy } from '../../filter/compile.ts'
import { inTimeOf } from '../../filter/patience.ts'
import type { SortKey } from '../../filter/sort.ts'
import { join, sql, type Sql } from '../../sql/sql.ts'
import type { Caller } from '../model/access.ts'
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
