import { Failure } from '../errors.ts'
import { plain } from '../fields/field-type.ts'
import { fieldType } from '../fields/index.ts'
import { readWritten } from '../fields/readers.ts'
import { firstOf, parseValue } from '../fields/value.ts'
import { limits } from '../limits.ts'
import { grant, type Caller } from '../store/model/access.ts'
import type { Field } from '../store/model/catalogue.ts'
import { findByKey } from '../store/records/find-by-key.ts'
import type { Uses } from '../store/ground/store.ts'
import { looksLike } from './guess-type.ts'
import type { NamedPeople } from './named-people.ts'
import { namedByValue, partsOf, wordsOf } from './named-values.ts'
import { valueOf, type Column, type Plan, type Trial } from './plan.ts'
import type { Line } from './read-csv.ts'

/* What the lines of a file hold, by the plan of the import. */

/** A reference to a record that may come later in the same file. */
export interface Later {
  readonly line: number
  readonly id: number
  readonly column: Column
  readonly value: string
}

/** What a line sets (`id` 0: the record gets a new one), and the references in it that are filled in at the end. */
export type Values = { readonly id: number; readonly sent: Map<string, string>; readonly later: Omit<Later, 'id'>[] }
export type Refused = { readonly column: string; readonly reason: string }

/** The values of a line, or why it is refused. */
export function readLine(
  store: Uses<'context'>,
  plan: Plan,
  line: Line,
  named: ReadonlyMap<Column, ReadonlyMap<string, number>>,
  people: NamedPeople = new Map(),
): Values | Refused[] {
  if (line.fault !== undefined) return [{ column: '', reason: line.fault }]
  if (line.values.length !== plan.width)
    return [{ column: '', reason: `The line has ${line.values.length} values; the header has ${plan.width}.` }]
  const sent = new Map<string, string>()
  const later: Omit<Later, 'id'>[] = []
  const faults: Refused[] = []
  // A field that is not made yet holds nothing.
  const set = ({ attribute }: Column, value: string) => attribute !== '' && sent.set(attribute, value)
  const id = plan.ids ? idIn(plan, line, plan.ids) : 0
  if (typeof id !== 'number') faults.push(id)
  for (const trial of plan.trials ?? []) faults.push(...tried(store, plan, line, trial, people))
  for (const column of plan.columns) {
    if (line.absent?.has(column.index)) continue
    const raw = valueOf(plan, line, column)
    const value = column.written && raw !== '' ? readWritten(column.written, raw) : raw
    const person = value === '' ? undefined : people.get(column.index)?.(value)
    if (value === '') set(column, '')
    else if (person) {
      if ('sent' in person) set(column, person.sent)
      else faults.push({ column: column.header, reason: person.reason })
    } else if (column.reference) {
      const isOwn = column.reference.tableId === plan.tableId
      const other = namedByValue(column, named.get(column) ?? new Map(), value)
      const isLater = isOwn && (partsOf(column, value).length > 0 || (other && 'missing' in other))
      if (isLater) later.push({ line: line.number, column, value })
      else if (other && 'sent' in other) set(column, other.sent)
      else faults.push({ column: column.header, reason: unnamed(column.reference, value, other?.missing) })
    } else if (column.guess !== undefined && !looksLike(column.guess, value)) faults.push(unlike(column.header, column.guess, value))
    else set(column, value)
  }
  return faults.length > 0 || typeof id !== 'number' ? faults : { id, sent, later }
}

/** Why a value names no records. `missing`: the part of it that none has; undefined: it can be read in two ways. */
function unnamed({ title }: Field, value: string, missing: string | undefined): string {
  if (missing !== undefined) return missingIn(title, missing)
  const reason = `'${shown(value)}' is one record by ${title}, and several where its commas part them.`
  return reason
}

function missingIn(title: string, missing: string): string {
  const reason = `No record has '${shown(missing)}' in ${title}.`
  return reason
}

/** The id of the record of a line. */
function idIn(plan: Plan, line: Line, { header, index }: NonNullable<Plan['ids']>): number | Refused {
  const text = valueOf(plan, line, { index })
  const id = /^[1-9]\d{0,9}$/.test(text) ? Number(text) : Infinity
  const { most } = limits.keptId
  return id <= most ? id : { column: header, reason: `'${shown(text)}' is no id: a whole number from 1 to ${most}.` }
}

const unlike = (header: string, guess: string, value: string): Refused => ({
  column: header,
  reason: `'${shown(value)}' is not the ${guess} that the first lines suggest; the type text takes both.`,
})

/** What a field that is not made yet would refuse by its type. */
function tried(
  store: Uses<'context'>,
  plan: Plan,
  line: Line,
  { header, type, scale, guess, written, ...trial }: Trial,
  people: NamedPeople,
): Refused[] {
  const raw = valueOf(plan, line, trial)
  const value = written && raw !== '' ? readWritten(written, raw) : raw
  if (value === '') return []
  const person = people.get(trial.index)?.(value)
  if (person && 'reason' in person) return [{ column: header, reason: person.reason }]
  if (guess !== undefined && !looksLike(guess, value)) return [unlike(header, guess, value)]
  try {
    parseValue(fieldType(type)!, person ? person.sent : value, { ...plain, ...(scale !== undefined && { scale }) }, store.context)
    return []
  } catch (error) {
    if (error instanceof Failure) return [{ column: header, reason: error.message }]
    throw error
  }
}

/** By column of references, the ids of the records that its values refer to, as far as they are known. */
export async function namedRecords(
  store: Uses<'db' | 'context' | 'catalogue'>,
  by: Caller,
  plan: Plan,
  lines: readonly Line[],
): Promise<Map<Column, Map<string, number>>> {
  const named = new Map<Column, Map<string, number>>()
  for (const column of plan.columns) {
    if (!column.reference) continue
    const values = lines
      .map((line) => valueOf(plan, line, column))
      .filter((value) => value !== '')
      .flatMap((value) => wordsOf(column, value))
    named.set(column, await lookUp(store, by, column.reference, values))
  }
  return named
}

export const lookUp = (
  store: Uses<'db' | 'context' | 'catalogue'>,
  by: Caller,
  field: Field,
  values: readonly string[],
): Promise<Map<string, number>> => findByKey(store, grant('read', field.tableId, by, store.catalogue()), field, values)

/** The part of a value that a message shows. */
export const shown = (value: string): string => (value.length > NAMED ? `${firstOf(value, NAMED)}…` : value)
const NAMED = 100
