import { othersTurn } from '../scheduling/others-turn.ts'
import { fail } from '../../errors.ts'
import { plain, type Attribute, type FieldType, type Stored } from '../../fields/field-type.ts'
import type { Dialect } from '../../sql/dialect.ts'
import { constant, name, raw, sql, type Sql } from '../../sql/sql.ts'
import { isEmpty } from '../../fields/value.ts'
import type { Caller } from '../model/access.ts'
import { recordsOf, trashOf, type Field } from '../model/catalogue.ts'
import { changeChecksums, difference } from '../records/checksums.ts'
import { updated } from '../records/next-version.ts'
import type { Transaction } from '../ground/db.ts'
import type { Uses } from '../ground/store.ts'
import { dropIndexesOf } from '../indexes/index-drop.ts'
import { dropKeys, fillKeys, filled } from '../records/unique-keys.ts'
import { tellOfColumn, type ColumnChange } from './tell-ledgers.ts'

/*
 * Columns and indexes in the database. Every change is made to the table of records and to its twin in the trash. Unique indexes are over
 * the table of records only.
 */

type Columned = Pick<Attribute, 'column' | 'keyColumn' | 'type' | 'settings' | 'name'>

const twins = (tableId: number): readonly string[] => [recordsOf(tableId), trashOf(tableId)]

export async function createTwins(tx: Transaction, dialect: Dialect, tableId: number): Promise<void> {
  const own = { [recordsOf(tableId)]: dialect.identity, [trashOf(tableId)]: sql`${dialect.integer} NOT NULL PRIMARY KEY` }
  for (const twin of twins(tableId)) {
    const columns = sql`id ${own[twin]!}, version ${dialect.integer} NOT NULL DEFAULT 1, user_id ${dialect.integer} NOT NULL DEFAULT 0,
      add_time ${dialect.text} NOT NULL DEFAULT '0000-00-00 00:00:00', status ${dialect.integer} NOT NULL DEFAULT 0,
      update_time ${dialect.text} NOT NULL DEFAULT '0000-00-00 00:00:00', checksum ${dialect.integer} NOT NULL DEFAULT -1`
    await tx.createTable(twin, sql`CREATE TABLE ${name(twin)} (${columns})`)
  }
}

export async function dropTwins(tx: Transaction, tableId: number): Promise<void> {
  for (const twin of twins(tableId)) await tx.alterStructure(sql`DROP TABLE ${name(twin)}`)
}

/** Adds a column. Existing records have the empty value in it. */
export async function addColumns(tx: Transaction, dialect: Dialect, tableId: number, column: string, type: FieldType): Promise<void> {
  for (const twin of twins(tableId)) {
    await tx.alterStructure(
      sql`ALTER TABLE ${name(twin)} ADD COLUMN ${name(column)} ${raw(type.column[dialect.engine])} NOT NULL DEFAULT ${constant(type.empty)}`,
    )
    if (!type.key) continue
    const key = constant(type.key(type.empty, plain))
    await tx.alterStructure(sql`ALTER TABLE ${name(twin)} ADD COLUMN ${name(`${column}k`)} ${dialect.text} NOT NULL DEFAULT ${key}`)
  }
}

export async function dropColumns(tx: Transaction, dialect: Dialect, tableId: number, column: string, type: FieldType): Promise<void> {
  await dropUnique(tx, dialect, tableId, column)
  await dropIndexesOf(tx, dialect, tableId, column)
  for (const twin of twins(tableId)) {
    await tx.alterStructure(sql`ALTER TABLE ${name(twin)} DROP COLUMN ${name(column)}`)
    if (type.key) await tx.alterStructure(sql`ALTER TABLE ${name(twin)} DROP COLUMN ${name(`${column}k`)}`)
  }
}

/** Removes the values of a column from the checksums before it is dropped. `each`: called with the records that have a value. */
export async function forgetColumn(
  tx: Transaction,
  dialect: Dialect,
  tableId: number,
  { column, type }: Pick<Columned, 'column' | 'type'>,
  each: (rows: readonly { readonly id: number; readonly stored: Stored }[]) => Promise<void>,
): Promise<void> {
  for await (const { twin, rows } of chunksOf(tx, dialect, tableId, { column, type })) {
    await each(rows.filter(({ stored }) => !isEmpty(type, stored)))
    const changes = rows.map(({ id, stored }) => [id, difference([[column, stored, type.empty]])] as const)
    await changeChecksums(tx, dialect, twin, changes)
  }
}

const EXAMPLES = 5
/** Characters from which on a key is long. */
const LONG = 500

/** Makes a column unique; any number of records may have the empty value. @throws `field.has_duplicates` with the count and some of the values. */
export async function createUnique(tx: Transaction, dialect: Dialect, tableId: number, attribute: Columned): Promise<void> {
  const { column, keyColumn, type, settings, name: field } = attribute
  const records = name(recordsOf(tableId))
  const compared = name(keyColumn ?? column)
  const holds = filled(attribute)
  const twice = sql`SELECT min(id) FROM ${records} WHERE ${holds} GROUP BY ${compared} HAVING count(*) > 1`
  const [counted] = await tx.all(sql`SELECT count(*) FROM (${twice}) AS twice`)
  if (Number(counted![0]) > 0) {
    const value = type.exact ? dialect.integerText(name(column)) : name(column)
    const rows = await tx.all(sql`SELECT ${value} FROM ${records} WHERE id IN (${twice}) ORDER BY id LIMIT ${EXAMPLES}`)
    const examples = rows.map(([stored]) => type.format(stored as Stored, settings))
    throw fail('field.has_duplicates', { name: field, count: Number(counted![0]) }, { meta: { count: Number(counted![0]), examples } })
  }
  const long = (type.longest ?? 0) > LONG
  for (const index of dialect.uniqueIndex(indexName(tableId, column), recordsOf(tableId), keyColumn ?? column, holds, long))
    await tx.alterStructure(index)
  await fillKeys(tx, dialect, tableId, attribute)
}

export async function dropUnique(tx: Transaction, dialect: Dialect, tableId: number, column: string): Promise<void> {
  const index = indexName(tableId, column)
  for (const one of [index, `${index}_find`]) await tx.alterStructure(sql`DROP INDEX IF EXISTS ${name(one)}`)
  await dropKeys(tx, dialect, tableId, column)
}

const CHUNK = 500

/** Gives numbers to the records that have none, in the order of their ids, live ones first. Returns the last number given. */
export async function numberRecords(
  { db: { dialect }, context }: Uses<'db' | 'context'>,
  tx: Transaction,
  attribute: Field,
  from: number,
  by: Caller,
): Promise<number> {
  let last = from
  const { tableId, column } = attribute
  const field = name(column)
  const told: ColumnChange = { tableId, act: 'convert', by, from: attribute, to: attribute }
  for (const twin of twins(tableId).map(name)) {
    for (;;) {
      const rows = await tx.all(sql`SELECT id FROM ${twin} WHERE ${field} = 0 ORDER BY id LIMIT ${CHUNK}`)
      const numbers = rows.map(([id], i) => [Number(id), last + i + 1, difference([[column, 0, last + i + 1]])])
      if (rows.length > 0)
        await tx.run(sql`UPDATE ${twin} SET ${field} = given.number, ${updated(context.now(), sql`given.n`)}
          FROM ${dialect.given(['id', 'number', 'n'], numbers)} AS given WHERE given.id = ${twin}.id`)
      await tellOfColumn(
        tx,
        dialect,
        told,
        rows.map(([id], i) => ({ id: Number(id), before: 0, after: last + i + 1 })),
      )
      last += rows.length
      if (rows.length < CHUNK) break
      await othersTurn()
    }
  }
  return last
}

/** The values of a column in both twins, by id, a batch of records at a time. */
export async function* chunksOf(
  tx: Transaction,
  dialect: Dialect,
  tableId: number,
  { column, type }: Pick<Columned, 'column' | 'type'>,
): AsyncGenerator<{ twin: Sql; rows: { id: number; stored: Stored }[] }> {
  const value = type.exact ? dialect.integerText(name(column)) : name(column)
  for (const twin of twins(tableId).map(name)) {
    let last = 0
    for (;;) {
      const rows = await tx.all(sql`SELECT id, ${value} FROM ${twin} WHERE id > ${last} ORDER BY id LIMIT ${CHUNK}`)
      if (rows.length > 0) yield { twin, rows: rows.map(([id, stored]) => ({ id: Number(id), stored: stored as Stored })) }
      if (rows.length < CHUNK) break
      last = Number(rows.at(-1)![0])
      await othersTurn()
    }
  }
}

const indexName = (tableId: number, column: string): string => `${recordsOf(tableId)}_${column}_unique`
