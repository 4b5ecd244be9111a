import { fail, Failure } from '../../errors.ts'
import { limits } from '../../limits.ts'
import type { Attribute, Stored } from '../../fields/field-type.ts'
import { referencesIn, type Expression } from '../../filter/ast.ts'
import { check, checking, savedFilterIn, type Condition, type Target } from '../../filter/check.ts'
import { compile } from '../../filter/compile.ts'
import { parse } from '../../filter/parse.ts'
import type { Dialect } from '../../sql/dialect.ts'
import { join, name, sql, type Sql } from '../../sql/sql.ts'
import type { Granted, View } from '../model/access.ts'
import { recordsOf } from '../model/catalogue.ts'
import { targetOf, viewAcross } from '../catalogue/across.ts'
import { wordsFor } from '../ground/clock.ts'
import type { Row } from '../ground/db.ts'
import { left, type ShownRecord } from '../model/record.ts'
import { inTurns } from '../scheduling/others-turn.ts'
import { labelsAhead } from './long-keys.ts'
import { canBeLeft, inlineBytes, shownBytes, unlessLong } from './left.ts'
import { usableExpression } from '../people/saved-filters.ts'
import type { Uses } from '../ground/store.ts'
import { memo } from '../../memory/memo.ts'

type Attributes = ReadonlyMap<string, Attribute>
const never = sql`1 = 0`

/** @throws `record.not_found`, also for a record that the caller's read filter hides. */
export async function getRecord(store: Uses<'db' | 'context'>, granted: Granted<'read'>, id: number): Promise<ShownRecord> {
  const { table, attributes, caller } = granted
  const { dialect, read, readLittle } = store.db
  if (granted.readFilter !== '') await labelsAhead(granted)
  const record = sql`SELECT ${shownList(attributes, dialect)} FROM ${name(recordsOf(table.id))} WHERE id = ${id}`
  const filter = readCondition(store, granted)
  const [rows] = await (filter ? readLittle(caller, sql`${record}${and(filter)}`) : read(record))
  const row = rows![0]
  if (!row) throw fail('record.not_found', { table: table.id, record: id })
  return readShown(row, attributes)
}

/**
 * A select list: id, version and every attribute but the id. Values so long that a page of them would fill the memory stay in
 * the database (left.ts). Made once for each view of a table.
 */
export const shownList = memo((attributes: Attributes, dialect: Dialect): Sql => listUpTo(attributes, dialect, inlineBytes(attributes)))

/** As `shownList`; values of more than `most` bytes are left in the database. */
export function listUpTo(attributes: Attributes, dialect: Dialect, most: number): Sql {
  const columns = [...attributes.values()]
    .filter((one) => one.name !== 'id')
    .map((one) => (canBeLeft(one, most) ? unlessLong(name(one.column), most, dialect, shownBytes(one, dialect)) : columnText(one, dialect)))
  return join([sql`id`, sql`version`, ...columns], ', ')
}

/** A select list of NULLs, as many as `shownList` has columns. */
export const nothingOf = memo((attributes: Attributes): Sql => {
  const shown = [...attributes.keys()].filter((key) => key !== 'id').length
  return join(
    Array.from({ length: shown + 2 }, () => sql`NULL`),
    ', ',
  )
})

// With an alias: otherwise ORDER BY in PostgreSQL would take the column's name for this text.
const columnText = ({ column, type }: Attribute, dialect: Dialect): Sql =>
  type.exact ? sql`${dialect.integerText(name(column))} AS digits` : name(column)

/** The values of a row of `shownList` as they are stored, without those that stayed in the database. */
export function readStored(row: Row, attributes: Attributes): Map<string, Stored> {
  const values = new Map<string, Stored>()
  let i = 2
  for (const key of attributes.keys()) {
    if (key === 'id') continue
    const stored = row[i++]
    if (stored !== null) values.set(key, stored as Stored)
  }
  return values
}

/**
 * The attributes of a record, without values. V8 makes a dictionary of an object that gets some twenty keys one by one, which is slower to
 * make, to go through and to write as JSON. Copies of this object are none.
 */
const blankOf = memo((attributes: Attributes): Record<string, string | typeof left> => {
  const keys = [...attributes.keys()].filter((key) => key !== 'id')
  // JSON.parse makes no dictionary of so few keys.
  return JSON.parse(`{${keys.map((key) => `${JSON.stringify(key)}:""`).join(',')}}`)
})

/** The record of a row of `shownList`. */
export function readShown(row: Row, attributes: Attributes): ShownRecord {
  const shown = { ...blankOf(attributes) }
  let i = 2
  for (const [key, { type, settings }] of attributes) {
    if (key === 'id') continue
    const stored = row[i++]
    shown[key] = stored === null ? left : type.format(stored as Stored, settings)
  }
  return { id: Number(row[0]), version: Number(row[1]), attributes: shown }
}

/** The read filter of the caller's group, as SQL; undefined: every record. `onCondition`: called with the condition behind it. */
export const readCondition = (
  store: Uses<'db' | 'context'>,
  granted: View,
  onCondition?: (condition: Condition) => void,
): Sql | undefined => rule(store, granted, granted.readFilter, onCondition)

/** The write filter of the caller's group: which records they may create, change and delete; as `readCondition`. */
export const writeCondition = (store: Uses<'db' | 'context'>, granted: View): Sql | undefined => rule(store, granted, granted.writeFilter)

/** The filter of a group as SQL. A filter that no longer fits the table, since its field is gone, selects no record. */
function rule(store: Uses<'db' | 'context'>, granted: View, text: string, onCondition?: (condition: Condition) => void): Sql | undefined {
  if (text === '') return undefined
  const condition = ruleOf(store, granted, text)
  if (!condition) return never
  onCondition?.(condition)
  return compile(condition, store.db.dialect)
}

/** The filter of a group; undefined: it no longer fits the table, and selects no record. */
export function ruleOf(store: Uses<'context'>, { table, caller }: View, text: string): Condition | undefined {
  try {
    const scope = { attributes: table.attributes, context: store.context, words: wordsFor(caller, store) }
    return check(parse(text, limits.postedFilter.most), scope)
  } catch (error) {
    if (error instanceof Failure) return undefined
    throw error
  }
}

/**
 * The condition of a filter that the caller sent; it may use shared saved filters of the table and their own. `forMemory`: it is tested in
 * memory: it goes no further than the record, and names nothing that the log of changes does not keep. @throws Failures `filter.…`
 */
export async function conditionOf(
  store: Uses<'db' | 'context' | 'catalogue'>,
  granted: Granted<'read'>,
  filter: Expression,
  forMemory = false,
): Promise<Condition> {
  const { table, caller } = granted
  const id = savedFilterIn(filter)
  const saved = id !== undefined && Number.isSafeInteger(id) ? await usableExpression(store, caller, table.id, id) : undefined
  const taken = id === undefined ? referencesIn(filter) : referencesInText(saved ?? '')
  const step = forMemory ? undefined : await stepsFrom(store, granted, taken)
  const scope = {
    attributes: forMemory ? granted.attributes : granted.allAttributes,
    context: store.context,
    words: wordsFor(caller, store),
    savedFilter: () => saved,
    ...(step && { across: step }),
  }
  return inTurns(checking(filter, scope), caller.client)
}

/** Where references lead. The labels of lists that the rules there name are folded before, if the filter takes such a step. */
async function stepsFrom(
  store: Uses<'context' | 'catalogue'>,
  granted: View,
  taken: ReadonlySet<string>,
): Promise<(reference: Attribute) => Target | undefined> {
  for (const name of taken) {
    const reference = granted.attributes.get(name)
    const there = reference && viewAcross(reference, granted.caller, store.catalogue())
    if (there && there.readFilter !== '') await labelsAhead(there)
  }
  return (reference) => {
    const there = viewAcross(reference, granted.caller, store.catalogue())
    if (!there) return undefined
    const rule = there.readFilter === '' ? undefined : (ruleOf(store, there, there.readFilter) ?? nobody(there))
    return targetOf(there, rule)
  }
}

/** Of the text of a saved filter: perhaps more than it has. */
const referencesInText = (text: string): ReadonlySet<string> => new Set(Array.from(text.matchAll(/\b(f[0-9]+)\./g), ([, name]) => name!))

/** Holds for no record. */
const nobody = ({ table }: View): Condition => ({ is: 'among', attribute: table.attributes.get('id')!, ids: [] })

export const and = (condition: Sql | undefined): Sql => (condition ? sql` AND (${condition})` : sql``)
