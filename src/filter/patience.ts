import type { Attribute } from '../fields/field-type.ts'
import type { Dialect } from '../sql/dialect.ts'
import { name, type Sql } from '../sql/sql.ts'
import { memo } from '../memory/memo.ts'

/* How often a statement that reads many records checks whether its time is over: in proportion to its work. */

/** Characters; texts of a type with no more are searched so fast that no check is needed. */
const SHORT = 1_000

const mayBeLong = ({ type: { kind, longest = Infinity } }: Attribute): boolean => (kind === 'text' || kind === 'set') && longest > SHORT

const compared = ({ column, keyColumn }: Attribute): Sql => name(keyColumn ?? column)

/** A condition on an attribute, with a check of the clock before it where it may take long. */
export const inTimeFor = (attribute: Attribute, condition: Sql, { patience }: Dialect): Sql =>
  (mayBeLong(attribute) && patience.text?.(compared(attribute), condition)) || condition

/** The columns of a table that may hold long texts, found once. */
const longIn = memo((attributes: ReadonlyMap<string, Attribute>): readonly Sql[] =>
  [...attributes.values()].filter(mayBeLong).map(compared),
)

/** Whether a table has a column that may hold long texts. */
export const hasLongTexts = (attributes: ReadonlyMap<string, Attribute>): boolean => longIn(attributes).length > 0

/** Records between two checks of the clock, at most, for a simple filter. */
const OFTEN = 1_024
/** A function looks through long texts, or columns are passed over, at the cost of so many, or so few, others. */
const DEARER = 8
const CHEAPER = 16

/**
 * What is asked of each record of a table before these conditions. `attributes`: all columns of the table. In a large table
 * the lengths of texts are not asked for: an index that has all that a condition needs is to be enough.
 */
export function inTimeOf(
  attributes: ReadonlyMap<string, Attribute>,
  where: readonly Sql[],
  { patience }: Dialect,
  isLarge: boolean,
): Sql | undefined {
  if (!patience.record) return undefined
  const texts = longIn(attributes)
  let work = 1 + attributes.size / CHEAPER
  for (const { chunks } of where) for (const chunk of chunks) if ('param' in chunk) work++
  if (texts.length > 0) work *= DEARER
  return patience.record(2 ** Math.max(0, Math.floor(Math.log2(OFTEN / work))), isLarge ? [] : texts)
}
