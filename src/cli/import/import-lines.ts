import { Failures, type Failure } from '../../errors.ts'
import { grant } from '../../store/access.ts'
import type { Administrator } from '../../store/administrator.ts'
import type { Field } from '../../store/catalogue.ts'
import { findByKey } from '../../store/find-by-key.ts'
import { insertRecords, updateRecord } from '../../store/records.ts'
import { Stale } from '../../store/stale.ts'
import type { Store } from '../../store/store.ts'
import { looksLike } from './guess-type.ts'
import type { CsvFile, Line } from './read-csv.ts'

/** Lines that share a transaction: others who write wait no longer than for these. */
const BATCH = 500

/** What one column of the file becomes. */
export interface Column {
  readonly header: string
  readonly index: number
  /** Wire name of the attribute. */
  readonly attribute: string
  /** The unique field of another table (or the same) by whose value the column names records. */
  readonly reference?: Field
  /** The type that the first lines suggested. */
  readonly guess?: string
  /** The type the field becomes when everything is imported. */
  readonly listType?: string
}

export interface Plan {
  readonly tableId: number
  readonly columns: readonly Column[]
  /** Number of values a line has. */
  readonly width: number
  /** Text that stands for no value. */
  readonly nothing: string
}

/** A line that was not imported, or of which something was left out. */
export interface BadLine {
  readonly line: number
  /** Header of the column at fault; '' for the whole line. */
  readonly column: string
  readonly reason: string
}

export interface Tally {
  read: number
  imported: number
  /** Lines not imported. */
  bad: number
  /** Lines imported whose reference to a line of the same file could not be filled in. */
  incomplete: number
  /** What ended the import before the end of the file. */
  stopped?: unknown
}

/** A reference to a record that may stand further down the same file. */
interface Later {
  readonly line: number
  readonly id: number
  readonly column: Column
  readonly value: string
}

/**
 * Imports all lines; each counts as imported or bad. `report` is told of every bad one, `progress` after every batch.
 * Where it must stop, what was imported before stays and is told.
 */
export async function importLines(
  store: Store,
  by: Administrator,
  plan: Plan,
  file: CsvFile,
  report: (bad: BadLine) => Promise<void>,
  progress: (tally: Tally) => Promise<void>,
): Promise<Tally> {
  const tally: Tally = { read: 0, imported: 0, bad: 0, incomplete: 0 }
  const later: Later[] = []
  try {
    for await (const lines of file.batches()) {
      for (let i = 0; i < lines.length; i += BATCH) {
        await importBatch(store, by, plan, lines.slice(i, i + BATCH), tally, later, report)
        await progress(tally)
      }
    }
  } catch (error) {
    tally.stopped = error
  }
  for (let i = 0; i < later.length; i += BATCH) await fillIn(store, by, plan, later.slice(i, i + BATCH), tally, report)
  return tally
}

async function importBatch(
  store: Store,
  by: Administrator,
  plan: Plan,
  lines: readonly Line[],
  tally: Tally,
  later: Later[],
  report: (bad: BadLine) => Promise<void>,
): Promise<void> {
  const named = await namedRecords(store, by, plan, lines)
  const rows: { line: Line; sent: Map<string, string>; later: Omit<Later, 'id'>[] }[] = []
  const refuse = async (line: Line, ...faults: readonly Refused[]) => {
    tally.read++
    tally.bad++
    for (const fault of faults) await report({ line: line.number, ...fault })
  }
  for (const line of lines) {
    const row = readLine(plan, line, named)
    if (Array.isArray(row)) await refuse(line, ...row)
    else rows.push({ line, ...row })
  }
  if (rows.length === 0) return
  const results = await again(() => {
    const granted = grant('create', plan.tableId, by, store.catalogue())
    return insertRecords(
      store,
      granted as typeof granted & ReturnType<typeof grant<'bulk'>>,
      rows.map(({ sent }) => sent),
      { keepsOrigin: true },
    )
  })
  for (const [i, result] of results.entries()) {
    const { line, later: waiting } = rows[i]!
    if (result instanceof Failures) await refuse(line, ...result.failures.map((failure) => refusal(plan, failure)))
    else {
      tally.read++
      tally.imported++
      later.push(...waiting.map((one) => ({ ...one, id: result })))
    }
  }
}

function refusal({ columns }: Plan, { where, message }: Failure): Refused {
  const attribute = where.source?.pointer?.split('/').at(-1)
  return { column: columns.find((column) => column.attribute === attribute)?.header ?? '', reason: message }
}

type Values = { readonly sent: Map<string, string>; readonly later: Omit<Later, 'id'>[] }
type Refused = { readonly column: string; readonly reason: string }

function readLine(plan: Plan, line: Line, named: ReadonlyMap<Column, ReadonlyMap<string, number>>): Values | Refused[] {
  if (line.fault !== undefined) return [{ column: '', reason: line.fault }]
  if (line.values.length !== plan.width)
    return [{ column: '', reason: `The line has ${line.values.length} values; the header has ${plan.width}.` }]
  const sent = new Map<string, string>()
  const later: Omit<Later, 'id'>[] = []
  const faults: Refused[] = []
  for (const column of plan.columns) {
    const value = valueOf(plan, line, column)
    const id = named.get(column)?.get(value)
    if (value === '') sent.set(column.attribute, '')
    else if (id !== undefined) sent.set(column.attribute, String(id))
    else if (column.reference?.tableId === plan.tableId) later.push({ line: line.number, column, value })
    else if (column.reference) faults.push({ column: column.header, reason: `No record has '${value}' in ${column.reference.title}.` })
    else if (column.guess !== undefined && !looksLike(column.guess, value))
      faults.push({
        column: column.header,
        reason: `'${value}' is not the ${column.guess} that the first lines suggest; --type '${column.header}=text' takes both.`,
      })
    else sent.set(column.attribute, value)
  }
  return faults.length > 0 ? faults : { sent, later }
}

const valueOf = ({ nothing }: Plan, { values }: Line, { index }: Column): string => {
  const value = values[index] ?? ''
  return value === nothing ? '' : value
}

/** By reference column, the ids of the records its values name so far. */
async function namedRecords(
  store: Store,
  by: Administrator,
  plan: Plan,
  lines: readonly Line[],
): Promise<Map<Column, Map<string, number>>> {
  const named = new Map<Column, Map<string, number>>()
  for (const column of plan.columns) {
    if (!column.reference) continue
    const values = lines.map((line) => valueOf(plan, line, column)).filter((value) => value !== '')
    named.set(column, await lookUp(store, by, column.reference, values))
  }
  return named
}

const lookUp = (store: Store, by: Administrator, field: Field, values: readonly string[]): Promise<Map<string, number>> =>
  findByKey(store, grant('read', field.tableId, by, store.catalogue()), field, values)

/** Fills in references to lines that stood further down. */
async function fillIn(
  store: Store,
  by: Administrator,
  plan: Plan,
  waiting: readonly Later[],
  tally: Tally,
  report: (bad: BadLine) => Promise<void>,
): Promise<void> {
  for (const column of new Set(waiting.map((one) => one.column))) {
    const mine = waiting.filter((one) => one.column === column)
    const named = await lookUp(
      store,
      by,
      column.reference!,
      mine.map((one) => one.value),
    )
    for (const { line, value } of mine.filter((one) => !named.has(one.value))) {
      tally.incomplete++
      await report({
        line,
        column: column.header,
        reason: `No record has '${value}' in ${column.reference!.title}; the line was imported without it.`,
      })
    }
    await Promise.all(
      mine
        .filter((one) => named.has(one.value))
        .map(({ id, value }) => {
          const change = new Map([[column.attribute, String(named.get(value))]])
          return again(() => updateRecord(store, grant('update', plan.tableId, by, store.catalogue()), id, change))
        }),
    )
  }
}

/** Runs a write again when the structure changed under it. */
async function again<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof Stale)) throw error
    }
  }
}
