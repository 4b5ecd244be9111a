import type { Dialect } from './dialect.ts'
import { raw, sql } from './sql.ts'

export const sqlite: Dialect = {
  engine: 'sqlite',
  placeholder: () => '?',
  identity: raw('INTEGER PRIMARY KEY AUTOINCREMENT'),
  integer: raw('INTEGER'),
  text: raw('TEXT'),
  contains: (text, part) => sql`instr(${text}, ${part}) > 0`,
  startsWith: (text, part) => sql`substr(${text}, 1, length(${part})) = ${part}`,
  endsWith: (text, part) => sql`(length(${part}) = 0 OR substr(${text}, -length(${part})) = ${part})`,
  byCodePoint: (column) => column,
  integerText: (column) => sql`CAST(${column} AS TEXT)`,
  decimalText: (column, scale) =>
    scale === 0
      ? sql`CAST(${column} AS TEXT)`
      : sql`(CASE WHEN ${column} < 0 THEN '-' ELSE '' END || (abs(${column}) / ${10 ** scale}) || '.' || substr('000000000' || (abs(${column}) % ${10 ** scale}), ${-scale}))`,
}
