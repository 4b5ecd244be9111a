import { createHash } from 'node:crypto'
import { constant, join, name, parameters, raw, sql, type Sql } from '../../sql/sql.ts'
import type { Dialect } from '../../sql/dialect.ts'
import type { Row, Transaction } from '../ground/db.ts'
import { countTables } from '../schema/system-tables.ts'

/* Reads a table from one store for another: rows as values that do not depend on the engine. */

/** Rows that are read and written at once. */
const CHUNK = 1_000

export interface Column {
  readonly name: string
  readonly isInteger: boolean
  /** The default of the column. */
  readonly byDefault: string | bigint
}

/** The tables of a store, with their columns in the order in which they were made. */
export async function tablesOf(tx: Transaction, dialect: Dialect): Promise<Map<string, Column[]>> {
  const tables = new Map<string, Column[]>()
  for (const [table, column, type, byDefault] of await tx.all(dialect.columns)) {
    const isInteger = /^(?:integer|bigint)$/i.test(String(type))
    const value = /^\(?'?(.*?)'?\)?(?:::[\w ]+)?$/s.exec(String(byDefault ?? ''))![1]!.replaceAll("''", "'")
    const columns = tables.get(String(table)) ?? []
    tables.set(String(table), columns)
    columns.push({ name: String(column), isInteger, byDefault: isInteger ? wholeOf(value) : value })
  }
  return tables
}

const wholeOf = (text: string): bigint => (/^-?\d+$/.test(text) ? BigInt(text) : 0n)

/** The statement that adds a column as in the other store. */
export const addition = (table: string, column: Column, dialect: Dialect): Sql =>
  sql`ALTER TABLE ${name(table)} ADD COLUMN ${name(column.name)} ${column.isInteger ? dialect.integer : dialect.text} NOT NULL DEFAULT ${constant(column.byDefault)}`

/** All rows in the order of their ids, whole numbers as bigint; of a table without ids all at once. */
export async function* rowsOf(
  tx: Pick<Transaction, 'all'>,
  dialect: Dialect,
  table: string,
  columns: readonly Column[],
  after = 0n,
): AsyncGenerator<Row[]> {
  // Under a name of its own: PostgreSQL would take the column's in ORDER BY for this text.
  const selected = join(
    columns.map((column) => (column.isInteger ? sql`${dialect.integerText(name(column.name))} AS digits` : name(column.name))),
    ', ',
  )
  const read = (row: Row) => row.map((value, i) => (columns[i]!.isInteger ? BigInt(String(value)) : value))
  const place = columns.findIndex((column) => column.name === 'id')
  if (place === -1) {
    const rows = (await tx.all(sql`SELECT ${selected} FROM ${name(table)}`)).map(read)
    yield rows.sort((one, other) => (textOf(one) < textOf(other) ? -1 : 1))
    return
  }
  for (let last = after; ;) {
    const rows = (await tx.all(sql`SELECT ${selected} FROM ${name(table)} WHERE id > ${last} ORDER BY id LIMIT ${CHUNK}`)).map(read)
    if (rows.length > 0) yield rows
    if (rows.length < CHUNK) return
    last = rows.at(-1)![place] as bigint
  }
}

const textOf = (row: Row): string => JSON.stringify(row.map(String))

export async function writeRows(tx: Transaction, table: string, columns: readonly Column[], rows: readonly Row[]): Promise<void> {
  const names = columns.map((column) => column.name)
  if (rows.length === 0) return
  if (names.includes('id')) return void (await tx.insert(table, names, rows))
  for (const row of rows) {
    await tx.run(sql`INSERT INTO ${name(table)} (${join(names.map(name), ', ')}) VALUES (${parameters(row)})`)
  }
}

/** The number of rows and a SHA-256 of their values. */
export async function checksum(rows: AsyncIterable<readonly Row[]>): Promise<{ rows: number; sum: string }> {
  const hash = createHash('sha256')
  let count = 0
  for await (const some of rows) {
    count += some.length
    for (const row of some) hash.update(textOf(row)).update('\n')
  }
  return { rows: count, sum: hash.digest('hex') }
}

/** Statements that compute the counts of the records of a table again. */
export function recounted(tableId: number, records: string, perBlock: number, dialect: Dialect): readonly Sql[] {
  const [table, block] = [constant(tableId), constant(perBlock)]
  return [
    ...countTables(dialect).map((one) => sql`DELETE FROM ${name(one)} WHERE table_id = ${table}`),
    sql`INSERT INTO block_counts (table_id, block, n) SELECT ${table}, id / ${block}, count(*) FROM ${name(records)} GROUP BY id / ${block}`,
    sql`UPDATE tables SET record_count = (SELECT count(*) FROM ${name(records)}) WHERE id = ${table}`,
    ...(dialect.shared
      ? [
          sql`INSERT INTO region_counts (table_id, region, n, changes) SELECT table_id, block / ${raw('256')}, sum(n), 1 FROM block_counts
            WHERE table_id = ${table} GROUP BY table_id, block / ${raw('256')}`,
        ]
      : []),
  ]
}
