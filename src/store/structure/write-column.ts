import type { Attribute, Stored } from '../../fields/field-type.ts'
import { join, name, raw, sql, type Sql } from '../../sql/sql.ts'
import type { Transaction } from '../ground/db.ts'
import type { Uses } from '../ground/store.ts'
import { changeChecksum } from '../records/checksums.ts'
import { updated } from '../records/next-version.ts'
import { columnsOf } from '../records/present.ts'

/** A value for a record, and what it adds to its checksum. */
export interface Written {
  readonly id: number
  readonly after: Stored
  readonly delta: number
}

/** Characters of the values that one statement writes, about. */
const STATEMENT = 1_000_000

/** Writes values of one attribute into many records, by as few statements as their length allows. `at`: the new update_time. */
export async function writeColumn(
  { db: { dialect } }: Uses<'db'>,
  tx: Transaction,
  twin: Sql,
  attribute: Attribute,
  values: readonly Written[],
  at?: string,
): Promise<void> {
  let rows: (string | number)[][] = []
  let length = 0
  const columns = columnsOf(attribute, attribute.type.empty).map(([column]) => column)
  const write = async () => {
    if (rows.length === 0) return
    const set = columns.map((column, i) => {
      const content = sql`given.${name(`c${i}`)}`
      return sql`${name(column)} = ${i === 0 ? sql`CAST(${content} AS ${raw(attribute.type.column[dialect.engine])})` : content}`
    })
    const given = dialect.given(['id', 'n', ...columns.map((_, i) => `c${i}`)], rows)
    await tx.run(sql`UPDATE ${twin} SET ${join(set, ', ')}, ${at === undefined ? changeChecksum(sql`given.n`) : updated(at, sql`given.n`)}
      FROM ${given} AS given WHERE given.id = ${twin}.id`)
    ;[rows, length] = [[], 0]
  }
  for (const { id, after, delta } of values) {
    const contents = columnsOf(attribute, after).map(([, content]) => String(content))
    rows.push([id, delta, ...contents])
    length += contents.reduce((sum, content) => sum + content.length, 0)
    if (length >= STATEMENT) await write()
  }
  await write()
}
