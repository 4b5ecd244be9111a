import { Failures, type Failure } from '../../../errors.ts'
import { firstOf } from '../../../fields/value.ts'
import { grant } from '../../../store/model/access.ts'
import type { Administrator } from '../../../store/catalogue/administrator.ts'
import type { Field } from '../../../store/model/catalogue.ts'
import { findByKey } from '../../../store/records/find-by-key.ts'
import { insertRecords } from '../../../store/records/insert-records.ts'
import { updateRecord } from '../../../store/records/write-records.ts'
import { Stale } from '../../../store/model/stale.ts'
import type { Uses } from '../../../store/ground/store.ts'
import { MOST, adaptiveSize, fixedSize, type BatchSize } from './batch-size.ts'
import { looksLike } from './guess-type.ts'
import { growLists, type Grow } from './list-options.ts'
import { isWhole, valueOf, type Column, type Plan } from './plan.ts'
import type { CsvFile, Line } from './read-csv.ts'

/** What of the store is used here. */
type Used = Uses<'db' | 'files' | 'environment' | 'settings' | 'context' | 'catalogue'>

/** References to later lines that are filled in together. */
const LATER = 500
/** Batches that may wait to be written. They share a transaction, which ends after the current batch if other writes wait. */
const UNDER_WAY = 4

/** A line that was not imported, or from which a value was left out. */
export interface BadLine {
  readonly line: number
  /** Header of the column at fault; '' for the whole line. */
  readonly column: string
  readonly reason: string
}

export interface ImportCounts {
  read: number
  imported: number
  /** Lines not imported. */
  bad: number
  /** Lines imported whose reference to a line of the same file could not be filled in. */
  incomplete: number
  /** The error that ended the import before the end of the file. */
  stopped?: unknown
}

/** A reference to a record that may come later in the same file. */
interface Later {
  readonly line: number
  readonly id: number
  readonly column: Column
  readonly value: string
}

/**
 * Imports all lines. `report` is called for every bad one, `progress` after every batch. Where the import has to stop, the lines
 * imported before stay, and the result counts them.
 */
export async function importLines(
  store: Used,
  by: Administrator,
  plan: Plan,
  file: CsvFile,
  report: (bad: BadLine) => Promise<void>,
  progress: (counts: ImportCounts, bytes: number) => Promise<void>,
  grow: Grow,
): Promise<ImportCounts> {
  const counts: ImportCounts = { read: 0, imported: 0, bad: 0, incomplete: 0 }
  const later: Later[] = []
  const underWay: Promise<Outcome>[] = []
  // Over PostgreSQL, other writes go on meanwhile, except those that take a number or a unique value that the batch has taken.
  const size = store.db.dialect.shared ? fixedSize : adaptiveSize()
  const finishOldest = async () => {
    for (const outcome of await underWay.shift()!) await account(outcome, counts, later, report)
    await progress(counts, file.read())
  }
  // A line may refer to an earlier one, which must be written before it.
  const most = plan.columns.some(({ reference }) => reference?.tableId === plan.tableId) ? 1 : UNDER_WAY
  try {
    for await (const lines of file.batches()) {
      let some: readonly Line[]
      let grown = 0
      for (let i = 0; i < lines.length; i += some.length) {
        while (underWay.length >= most) await finishOldest()
        some = size.next(lines, i)
        if (i + some.length > grown) {
          // New options are a change of structure: they are made for MOST lines at once, however small the batches are.
          const whole = lines.slice(grown, (grown += MOST)).filter((line) => isWhole(line, plan.width))
          await growLists(store, plan, (column) => whole.map((line) => valueOf(plan, line, column)), grow)
        }
        // Where writes run concurrently, a batch waits for those before it, so that records are in the order of the lines.
        const begun = importBatch(store, by, plan, some, size, store.db.dialect.shared ? underWay.at(-1) : undefined)
        // An error is reported in the order of the lines, when its batch is awaited.
        begun.catch(() => {})
        underWay.push(begun)
      }
    }
    while (underWay.length > 0) await finishOldest()
  } catch (error) {
    counts.stopped = error
  }
  await windUp(underWay, (outcome) => account(outcome, counts, later, report))
  for (let i = 0; i < later.length; i += LATER) await fillIn(store, by, plan, later.slice(i, i + LATER), counts, report)
  return counts
}

/** The result of each line of a batch, in their order. */
type Outcome = readonly (Refusal | { readonly id: number; readonly later: Values['later'] })[]
type Refusal = { readonly line: Line; readonly faults: readonly Refused[] }

/** Counts the lines of batches that were being written when the import stopped, and were written. */
async function windUp(underWay: readonly Promise<Outcome>[], account: (outcome: Outcome[number]) => Promise<void>): Promise<void> {
  for (const one of await Promise.allSettled(underWay)) {
    if (one.status === 'fulfilled') for (const outcome of one.value) await account(outcome).catch(() => {})
  }
}

async function account(
  outcome: Outcome[number],
  counts: ImportCounts,
  later: Later[],
  report: (bad: BadLine) => Promise<void>,
): Promise<void> {
  counts.read++
  if ('id' in outcome) {
    counts.imported++
    for (const one of outcome.later) later.push({ ...one, id: outcome.id })
  } else {
    counts.bad++
    for (const fault of outcome.faults) await report({ line: outcome.line.number, ...fault })
  }
}

async function importBatch(
  store: Used,
  by: Administrator,
  plan: Plan,
  lines: readonly Line[],
  size: BatchSize,
  before: Promise<unknown> | undefined,
): Promise<Outcome> {
  const named = await namedRecords(store, by, plan, lines)
  const read = lines.map((line) => readLine(plan, line, named))
  const rows = read.flatMap((one) => (Array.isArray(one) ? [] : [one]))
  await before
  const results = rows.length === 0 ? [] : await again(() => insertRows(store, by, plan, rows, size))
  let next = 0
  return lines.map((line, i) => {
    const row = read[i]!
    if (Array.isArray(row)) return { line, faults: row }
    const result = results[next++]!
    return result instanceof Failures
      ? { line, faults: result.failures.map((one) => refusal(plan, one)) }
      : { id: result, later: row.later }
  })
}

function insertRows(store: Used, by: Administrator, plan: Plan, rows: readonly Values[], size: BatchSize): Promise<(number | Failures)[]> {
  const granted = grant(['create', 'bulk'], plan.tableId, by, store.catalogue())
  return insertRecords(
    store,
    granted,
    rows.map(({ sent }) => sent),
    { keepsOrigin: true, took: (milliseconds) => size.took(rows.length, milliseconds) },
  )
}

function refusal({ columns }: Plan, { where, message }: Failure): Refused {
  return { column: columns.find((column) => column.attribute === where.attribute)?.header ?? '', reason: message }
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
    else if (column.reference)
      faults.push({ column: column.header, reason: `No record has '${shown(value)}' in ${column.reference.title}.` })
    else if (column.guess !== undefined && !looksLike(column.guess, value))
      faults.push({
        column: column.header,
        reason: `'${shown(value)}' is not the ${column.guess} that the first lines suggest; --type '${column.header}=text' takes both.`,
      })
    else sent.set(column.attribute, value)
  }
  return faults.length > 0 ? faults : { sent, later }
}

/** By column of references, the ids of the records that its values refer to, as far as they are known. */
async function namedRecords(
  store: Uses<'db' | 'context' | 'catalogue'>,
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

const lookUp = (
  store: Uses<'db' | 'context' | 'catalogue'>,
  by: Administrator,
  field: Field,
  values: readonly string[],
): Promise<Map<string, number>> => findByKey(store, grant('read', field.tableId, by, store.catalogue()), field, values)

/** Sets the references to records of later lines. */
async function fillIn(
  store: Uses<'db' | 'files' | 'context' | 'catalogue'>,
  by: Administrator,
  plan: Plan,
  waiting: readonly Later[],
  counts: ImportCounts,
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
      counts.incomplete++
      await report({
        line,
        column: column.header,
        reason: `No record has '${shown(value)}' in ${column.reference!.title}; the line was imported without it.`,
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

/** The part of a value that a message shows. */
const shown = (value: string): string => (value.length > NAMED ? `${firstOf(value, NAMED)}…` : value)
const NAMED = 100

/** Runs a write again if the structure has changed since it was prepared. */
async function again<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof Stale)) throw error
    }
  }
}
