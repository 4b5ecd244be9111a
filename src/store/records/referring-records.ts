import { check } from '../../filter/check.ts'
import { parse } from '../../filter/parse.ts'
import { inTimeOf } from '../../filter/patience.ts'
import { join, name, sql, type Sql } from '../../sql/sql.ts'
import type { Uses } from '../ground/store.ts'
import type { Granted } from '../model/access.ts'
import { recordsOf, type Field } from '../model/catalogue.ts'
import { readCondition } from './read-records.ts'

/** Where a relationship leads from one record: the first ids, in order, and whether there are more. */
export interface Linked {
  readonly ids: readonly number[]
  readonly more: boolean
}

/** Records of a table from which on it is read by other threads at once. */
const MANY = 1_000

/**
 * By id of a record that is referred to, the first `most` records of a table, by id, that refer to it by a field and that the caller
 * may read. One statement; a record to which none refers is left out.
 */
export async function idsOfReferring(
  store: Uses<'db' | 'context' | 'indexes' | 'positions'>,
  granted: Granted<'read'>,
  field: Field,
  to: readonly number[],
  most: number,
): Promise<Map<number, Linked>> {
  const { db, indexes, positions } = store
  const { table, caller } = granted
  const isSet = field.type.kind === 'set'
  const wanted = check(parse(`${isSet ? 'has' : 'eq'}(${field.name},${to[0]!})`), { attributes: table.attributes, context: store.context })
  indexes.wanted(table, wanted, [])
  const rights = readCondition(store, granted, (rule) => indexes.wanted(table, rule, []))
  await positions.ready(table.id)
  const isLarge = positions.locate(table.id, MANY) !== undefined
  const inTime = inTimeOf(table.attributes, rights ? [rights] : [], db.dialect, isLarge)
  const conditions = [...(inTime ? [inTime] : []), ...(rights ? [sql`(${rights})`] : [])]
  // Servers of a cluster cannot run a query for each of the ids.
  const byIndex = !isSet && !db.dialect.keysApart && indexes.has(table.id, field.name, 'order') !== undefined
  const statement = (isSet ? amongSeveral : byIndex ? oneByOne : inOneScan)({ field, to, most: most + 1, conditions, dialect: db.dialect })
  const { readAside, readLittle } = db.forLists
  const [rows] = await (isLarge ? readAside(caller, statement) : readLittle(caller, statement))
  const found = new Map<number, number[]>()
  for (const [key, ids] of rows!) {
    if (ids === null) continue
    const some = String(ids).split(',').map(Number)
    found.set(Number(key), [...(found.get(Number(key)) ?? []), ...some])
  }
  return new Map(
    [...found].map(([id, ids]) => {
      ids.sort((a, b) => a - b)
      return [id, { ids: ids.slice(0, most), more: ids.length > most }]
    }),
  )
}

interface Asked {
  readonly field: Field
  readonly to: readonly number[]
  readonly most: number
  readonly conditions: readonly Sql[]
  readonly dialect: Uses<'db'>['db']['dialect']
}

const from = ({ field }: Asked): Sql => name(recordsOf(field.tableId))
const rows = (to: readonly number[]): number[][] => to.map((id) => [id])

/** With an index on the field: reads no more records than it finds, however many there are. */
function oneByOne(asked: Asked): Sql {
  const { field, to, most, conditions, dialect } = asked
  const where = join([sql`${name(field.column)} = referred_to`, ...conditions], ' AND ')
  return sql`SELECT referred_to, (SELECT string_agg(CAST(id AS text), ',')
    FROM (SELECT id FROM ${from(asked)} WHERE ${where} ORDER BY id LIMIT ${most}) AS referring)
    FROM ${dialect.given(['referred_to'], rows(to))} AS every`
}

/** Goes through the records once. */
function inOneScan(asked: Asked): Sql {
  const { field, to, most, conditions, dialect } = asked
  const column = name(field.column)
  const where = join([...conditions, dialect.oneOf(column, to)], ' AND ')
  return sql`SELECT referred_to, id FROM (SELECT ${column} AS referred_to, id, row_number() OVER (PARTITION BY ${column} ORDER BY id) AS place
    FROM ${from(asked)} WHERE ${where}) AS numbered WHERE place <= ${most}`
}

/** Goes through the records once, and through the ids for each that refers to anything. */
function amongSeveral(asked: Asked): Sql {
  const { field, to, most, conditions, dialect } = asked
  const column = name(field.column)
  const isMember = dialect.contains(column, sql`('-' || CAST(referred_to AS text) || '-')`)
  const where = join([...conditions, sql`${column} <> ''`, isMember], ' AND ')
  return sql`SELECT referred_to, id FROM (SELECT referred_to, id, row_number() OVER (PARTITION BY referred_to ORDER BY id) AS place
    FROM ${from(asked)} CROSS JOIN ${dialect.given(['referred_to'], rows(to))} AS every WHERE ${where}) AS numbered WHERE place <= ${most}`
}
