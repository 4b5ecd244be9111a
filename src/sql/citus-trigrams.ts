import type { TextIndex } from './dialect.ts'
import { contains } from './postgres-contains.ts'
import { name, raw, sql, type Sql } from './sql.ts'

/** Fails if the server does not have the extension or the user may not create it. */
export const makeTrigrams = raw('CREATE EXTENSION IF NOT EXISTS pg_trgm')

export const makeTrigramIndex = ({ index, table, column }: TextIndex): readonly Sql[] => [
  sql`CREATE INDEX CONCURRENTLY ${name(index)} ON ${name(table)} USING gin (${name(column)} gin_trgm_ops)`,
  sql`ANALYZE ${name(table)}`,
]

/** Characters of a piece that LIKE compares: enough for the index. LIKE with more is even slower than strpos (postgres-contains.ts). */
const LIKE = 32

/** A query for the ids of the records whose text contains the piece. */
export function idsLike({ table, column }: TextIndex, piece: string): Sql {
  const beginning = [...piece].slice(0, LIKE).join('')
  const like = sql`${name(column)} LIKE ${`%${beginning.replace(/[\\%_]/g, '\\$&')}%`}`
  const whole = beginning === piece ? sql`` : sql` AND ${contains(name(column), sql`${piece}`)}`
  return sql`SELECT id FROM ${name(table)} WHERE ${like}${whole}`
}
