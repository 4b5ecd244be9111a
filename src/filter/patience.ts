import type { Attribute } from '../fields/field-type.ts'
import type { Dialect } from '../sql/dialect.ts'
import { name, type Sql } from '../sql/sql.ts'
import { memo } from '../memory/memo.ts'

/* How often a statement that reads many records checks whether its time is over. The more work per record, the more often. */

/** Characters. Texts of types that hold no more need no check, since searching them is fast. */
const SHORT = 1_000

export const mayBeLong = ({ type: { kind, longest = Infinity } }: Attribute): boolean =>
  (kind === 'text' || kind === 'set') && longest > SHORT

const compared = ({ column, keyColumn }: Attribute): Sql => name(keyColumn ?? column)

/** A condition on an attribute, with a check of the clock before it if texts may be long. */
export const inTimeFor = (attribute: Attribute, condition: Sql, { patience }: Dialect): Sql =>
  (mayBeLong(attribute) && patience.text?.(compared(attribute), condition)) || condition

/** The columns of a table that may hold long texts. */
const longIn = memo((attributes: ReadonlyMap<string, Attribute>): readonly Sql[] =>
  [...attributes.values()].filter(mayBeLong).map(compared),
)

/** Whether a table has a column that may hold long texts. */
export const hasLongTexts = (attributes: ReadonlyMap<string, Attribute>): boolean => longIn(attributes).length > 0

/** The most records between two checks of the clock. */
const MOST_RECORDS = 1_024
/** The cost of a function on a table with long texts, in functions on other tables. */
const LONG_TEXTS_COST = 8
/** Columns of a record that cost as much to skip as one function. */
const COLUMNS_PER_FUNCTION = 16

/**
 * The check of the clock for each record of a table, before the conditions `where`. `attributes`: all columns of the table. In a
 * large table it does not ask for the lengths of texts, so that an index with all columns of a condition is enough.
 */
export function inTimeOf(
  attributes: ReadonlyMap<string, Attribute>,
  where: readonly Sql[],
  { patience }: Dialect,
  isLarge: boolean,
): Sql | undefined {
  if (!patience.record) return undefined
  const texts = longIn(attributes)
  let work = 1 + attributes.size / COLUMNS_PER_FUNCTION
  for (const { chunks } of where) for (const chunk of chunks) if ('param' in chunk) work++
  if (texts.length > 0) work *= LONG_TEXTS_COST
  return patience.record(2 ** Math.max(0, Math.floor(Math.log2(MOST_RECORDS / work))), isLarge ? [] : texts)
}
