import type { Dialect } from '../../sql/dialect.ts'
import { constant, join, name, sql, type Sql } from '../../sql/sql.ts'
import type { Transaction } from './db.ts'

/** The most bytes of texts that a step reads, unless one row has more. */
const BYTES = 8_388_608

export interface Step {
  readonly table: string
  /** The last id of the step before. */
  readonly after: number
  /** The most rows of a step. */
  readonly rows: number
  /** The text columns that will be read. */
  readonly texts: readonly string[]
  /** The rows that will be read; absent: all. */
  readonly where?: Sql
}

/** The last id of the next step; undefined where there are no more rows. Reads the lengths of texts only. */
export async function endOfStep(
  all: Transaction['all'],
  dialect: Dialect,
  { table, after, rows, texts, where = sql`1 = 1` }: Step,
): Promise<number | undefined> {
  const sizes = texts.map((column) => dialect.bytesOf(name(column)))
  const found = await all(
    sql`SELECT id, ${sizes.length > 0 ? join(sizes, ' + ') : constant(0)} FROM ${name(table)} WHERE id > ${after} AND ${where} ORDER BY id LIMIT ${rows}`,
  )
  let bytes = 0
  let end: number | undefined
  for (const [id, size] of found) {
    bytes += Number(size)
    if (end !== undefined && bytes > BYTES) break
    end = Number(id)
  }
  return end
}
