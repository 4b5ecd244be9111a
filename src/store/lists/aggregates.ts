import { fail } from '../../errors.ts'
import type { Attribute } from '../../fields/field-type.ts'
import { foldingOptions, labelOf } from '../../fields/forms/options.ts'
import { fromUnits } from '../../fields/forms/numbers.ts'
import type { Figures, Grouping } from '../../filter/aggregate.ts'
import type { Condition } from '../../filter/check.ts'
import { compareCodePoints } from '../../filter/code-points.ts'
import { ordering, placesOf } from '../../filter/compile.ts'
import { limits } from '../../limits.ts'
import type { Dialect } from '../../sql/dialect.ts'
import { constant, name, sql, type Sql } from '../../sql/sql.ts'
import type { Row } from '../ground/db.ts'
import type { Aggregate, AggregateQuery, Totals } from '../ground/pages.ts'
import type { Uses } from '../ground/store.ts'
import type { Granted } from '../model/access.ts'
import { readLabels } from '../records/labels.ts'
import { inTurns } from '../scheduling/others-turn.ts'
import type { ListReader } from './list-reader.ts'

/*
 * SQL returns whole numbers as text, and what is computed from them is computed here, as bigints: no value is ever a float.
 */

/** A least or a largest value as it is stored: a number, or text that sorts by time. */
type End = bigint | string

/** What is known of the values of an attribute in some records. `values`: how many there are, without empty ones where the type has such. */
interface Measured {
  readonly values: bigint
  readonly sum: bigint
  readonly least: End | undefined
  readonly most: End | undefined
}

interface Group {
  readonly records: number
  readonly measured: ReadonlyMap<Attribute, Measured>
}

interface KeyedGroup extends Group {
  readonly key: string
}

/** Adding numbers of at most 18 digits in these two parts stays below 2^63 for more than 10^9 records. */
export const PART = 1_000_000_000n

export async function aggregate(
  store: Uses<'db' | 'context' | 'catalogue'>,
  reader: Pick<ListReader, 'groups'>,
  granted: Granted<'read'>,
  condition: Condition | undefined,
  { counts, figures, grouping }: Omit<AggregateQuery, 'filter'>,
): Promise<Aggregate> {
  const attributes = [...new Set(figures.map(({ attribute }) => attribute))]
  const columns = [sql`count(*)`, ...attributes.flatMap((one) => columnsOf(one, store.db.dialect))]
  const { most } = limits.aggregateGroups
  const rows = await reader.groups({ granted, condition, grouping, measured: attributes, columns, most: most + 1 })
  if (rows.length > most) throw fail('aggregate.too_many_groups', { most }, { expression: 'groupBy' })
  const read = rows.map((row): KeyedGroup => ({ key: String(row[0] ?? ''), ...readGroup(row, attributes) }))
  const shown = (group: Group) => totals(group, { counts, figures })
  const all = shown(combined(read, attributes))
  if (!grouping) return { all, groups: undefined }
  const groups = await named(store, granted, grouping, await merged(read, grouping, attributes, granted))
  return { all, groups: groups.map(({ value, label, group }) => ({ value, label, ...shown(group) })) }
}

/** How many values, the two parts of their sum, the least and the largest. `readGroup` reads them. */
function columnsOf({ column, type }: Attribute, dialect: Dialect): Sql[] {
  const own = name(column)
  const filled = type.hasEmpty ? sql` FILTER (WHERE ${own} <> ${constant(type.empty)})` : sql``
  const part = constant(PART)
  const sums = [dialect.integerText(sql`sum(${own} / ${part})`), dialect.integerText(sql`sum(${own} % ${part})`)]
  const isNumber = type.kind === 'number'
  const end = (of: Sql) => (isNumber ? dialect.integerText(sql`${of}${filled}`) : sql`${of}${filled}`)
  const compared = isNumber ? own : dialect.byCodePoint(own)
  return [
    dialect.integerText(sql`count(*)${filled}`),
    ...(isNumber ? sums : [sql`NULL`, sql`NULL`]),
    end(sql`min(${compared})`),
    end(sql`max(${compared})`),
  ]
}

const COLUMNS = 5

function readGroup(row: Row, attributes: readonly Attribute[]): Group {
  const measured = attributes.map((attribute, i): [Attribute, Measured] => {
    const [values, high, low, least, most] = row.slice(2 + i * COLUMNS, 2 + (i + 1) * COLUMNS)
    const end = (value: typeof least): End | undefined =>
      value === null || value === undefined ? undefined : attribute.type.kind === 'number' ? BigInt(value) : String(value)
    return [
      attribute,
      { values: BigInt(values ?? 0), sum: BigInt(high ?? 0) * PART + BigInt(low ?? 0), least: end(least), most: end(most) },
    ]
  })
  return { records: Number(row[1]), measured: new Map(measured) }
}

/** The groups as one. */
function combined(groups: readonly Group[], attributes: readonly Attribute[]): Group {
  const records = groups.reduce((sum, group) => sum + group.records, 0)
  const measured = attributes.map((attribute): [Attribute, Measured] => {
    let [values, sum] = [0n, 0n]
    let [least, most]: (End | undefined)[] = []
    for (const group of groups) {
      const one = group.measured.get(attribute)!
      values += one.values
      sum += one.sum
      if (one.least !== undefined && (least === undefined || one.least < least)) least = one.least
      if (one.most !== undefined && (most === undefined || one.most > most)) most = one.most
    }
    return [attribute, { values, sum, least, most }]
  })
  return { records, measured: new Map(measured) }
}

/** Sorted as a list is by this attribute. Options with labels that filters do not tell apart are one group. */
async function merged(
  groups: readonly KeyedGroup[],
  { attribute, period }: Grouping,
  attributes: readonly Attribute[],
  { caller }: Granted<'read'>,
): Promise<KeyedGroup[]> {
  if (period !== undefined) return [...groups].sort((one, other) => compareCodePoints(one.key, other.key))
  const byNumber = [...groups].sort((one, other) => (BigInt(one.key) < BigInt(other.key) ? -1 : 1))
  if (attribute.type.kind !== 'choice') return byNumber
  await inTurns(foldingOptions(attribute.settings), caller.client)
  await inTurns(ordering(attribute), caller.client)
  const places = placesOf(attribute)
  const removed = new Set(attribute.settings.options?.filter((option) => option.removed).map(({ id }) => String(id)))
  const byPlace = Map.groupBy(byNumber, ({ key }) => places.get(Number(key)) ?? 0)
  return [...byPlace]
    .sort(([one], [other]) => one - other)
    .map(([, same]) => {
      const { key } = same.find((one) => !removed.has(one.key)) ?? same[0]!
      return { key, ...combined(same, attributes) }
    })
}

interface Named {
  readonly value: string
  readonly label: string
  readonly group: Group
}

/** With the value as a record shows it, and what people call it; where there is no such name for the caller, the value again. */
async function named(
  store: Uses<'db' | 'context' | 'catalogue'>,
  granted: Granted<'read'>,
  { attribute, period }: Grouping,
  groups: readonly KeyedGroup[],
): Promise<Named[]> {
  const { type, settings } = attribute
  const labels = type.target
    ? await readLabels(
        store,
        granted,
        attribute,
        groups.map(({ key }) => Number(key)),
      )
    : undefined
  const empty = period === undefined ? String(type.empty) : '0000'
  return groups.map(({ key, ...group }) => {
    const value = period === undefined ? (type.kind === 'choice' ? labelOf(settings, Number(key)) : type.format(key, settings)) : key
    const isEmpty = type.hasEmpty && (period === undefined ? key === empty : key.startsWith(empty))
    return { value, label: isEmpty ? '' : labels?.get(Number(key)) || value, group }
  })
}

function totals({ records, measured }: Group, { counts, figures }: Figures): Totals {
  const shown: Record<string, Record<string, string | null>> = {}
  for (const { fn, attribute } of figures) {
    const { type, settings } = attribute
    const { values, sum, least, most } = measured.get(attribute)!
    const format = (end: End | undefined): string | null => (end === undefined ? null : type.format(end, settings))
    const value =
      fn === 'sum' ? format(sum) : fn === 'avg' ? average(sum, values, type.scale?.(settings) ?? 0) : format(fn === 'min' ? least : most)
    shown[fn] = { ...shown[fn], [attribute.name]: value }
  }
  return { ...(counts && { count: records }), ...shown }
}

/** Rounded half away from zero to 9 digits after the point; zeros at the end are left out beyond `scale` digits. */
function average(sum: bigint, values: bigint, scale: number): string | null {
  if (values === 0n) return null
  const digits = limits.scale.most
  const units = (sum < 0n ? -sum : sum) * 10n ** BigInt(digits - scale)
  const rounded = (2n * units + values) / (2n * values)
  const text = fromUnits(sum < 0n ? -rounded : rounded, digits)
  const kept = text.length - digits + scale
  const shortened = text.slice(0, kept) + text.slice(kept).replace(/0+$/, '')
  return shortened.endsWith('.') ? shortened.slice(0, -1) : shortened
}
