import type { Attribute } from '../fields/field-type.ts'
import { fold } from '../fields/fold.ts'
import type { Dialect } from '../sql/dialect.ts'
import { join, name, sql, type Sql } from '../sql/sql.ts'
import type { Condition } from './check.ts'
import { compareCodePoints } from './code-points.ts'
import { oneOf, type Operand } from './functions.ts'
import { BETWEEN } from './operands.ts'
import type { SortKey } from './sort.ts'

/** Columns are NOT NULL throughout, so NOT is the plain complement and there is no third truth value. */
export function compile(condition: Condition, dialect: Dialect): Sql {
  switch (condition.is) {
    case 'apply': {
      const { fn, attribute, values } = condition
      return fn.sql(asked(attribute, fn.of, dialect), values, dialect)
    }
    case 'among':
      return oneOf(name(condition.attribute.column), condition.ids, dialect)
    case 'not':
      return sql`NOT (${compile(condition.term, dialect)})`
    case 'and':
      return sql`(${join(
        condition.terms.map((term) => compile(term, dialect)),
        ' AND ',
      )})`
    case 'or':
      return sql`(${join(
        condition.terms.map((term) => compile(term, dialect)),
        ' OR ',
      )})`
  }
}

/** What stands after ORDER BY; whoever wants a total order appends the id. */
export const orderBy = (keys: readonly SortKey[], dialect: Dialect): Sql =>
  join(
    keys.map(({ attribute, descending }) => sql`${ordered(attribute, dialect)}${descending ? sql` DESC` : sql``}`),
    ', ',
  )

/** What a function asks of an attribute: its column, its folded key, or the text that a response shows of it. */
function asked({ column, keyColumn, type, settings }: Attribute, of: Operand, dialect: Dialect): Sql {
  const compared = name(keyColumn ?? column)
  const isNumber = type.kind === 'number'
  switch (of) {
    case 'empty':
      return name(column)
    case 'member':
      return type.key ? sql`(${BETWEEN} || ${compared} || ${BETWEEN})` : compared
    case 'part':
      return dialect.byCodePoint(isNumber ? dialect.decimalText(compared, digitsShown(type.format(0, settings))) : compared)
    case 'value':
    case 'bound':
      return isNumber ? compared : dialect.byCodePoint(compared)
  }
}

/** Digits after the point. */
const digitsShown = (zero: string): number => zero.split('.')[1]?.length ?? 0

/** What a sort by the attribute compares. */
export function ordered(attribute: Attribute, dialect: Dialect): Sql {
  const { kind } = attribute.type
  if (kind === 'choice') return rank(attribute)
  const compared = name(attribute.keyColumn ?? attribute.column)
  return kind === 'number' ? compared : dialect.byCodePoint(compared)
}

/** The place of an option's label among all labels; options whose labels differ by case alone share one. */
function rank({ column, settings }: Attribute): Sql {
  const options = (settings.options ?? []).map(({ id, label }) => ({ id, label: fold(label) }))
  if (options.length === 0) return name(column)
  const labels = [...new Set(options.map(({ label }) => label))].sort(compareCodePoints)
  const places = new Map(labels.map((label, i) => [label, i + 1]))
  const cases = options.map(({ id, label }) => sql`WHEN ${id} THEN ${places.get(label)!}`)
  return sql`CASE ${name(column)} ${join(cases, ' ')} ELSE 0 END`
}
