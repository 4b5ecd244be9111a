import { fail, Failure, Failures } from '../errors.ts'
import { fold } from '../fields/fold.ts'
import { grant, type Caller } from '../store/model/access.ts'
import { Stale } from '../store/model/stale.ts'
import { insertRecords, type InsertOptions } from '../store/records/insert-records.ts'
import { upsertRecord } from '../store/records/upsert-record.ts'
import type { Transaction } from '../store/ground/db.ts'
import type { Uses } from '../store/ground/store.ts'
import type { BatchSize } from './batch-size.ts'
import type { Kept, Part } from './kept.ts'
import type { Plan } from './plan.ts'
import type { Line } from './read-csv.ts'
import { namedRecords, readLine, type Refused, type Values } from './read-line.ts'

/** What of the store is used here. */
type Used = Uses<'db' | 'files' | 'environment' | 'settings' | 'context' | 'catalogue'>

/** The result of each line of a batch, in their order. */
export type Outcome = readonly (Refusal | { readonly id: number; readonly later: Values['later']; readonly updated?: true })[]
export type Refusal = { readonly line: Line; readonly faults: readonly Refused[] }

/** Writes some lines in one transaction. */
export async function importBatch(
  store: Used,
  by: Caller,
  plan: Plan,
  lines: readonly Line[],
  size: BatchSize,
  before: Promise<unknown> | undefined,
  kept: Kept | undefined,
  bytes: number,
): Promise<Outcome> {
  const named = await namedRecords(store, by, plan, lines)
  const read = lines.map((line) => readLine(store, plan, line, named))
  if (plan.updateBy !== undefined) {
    await before
    return upsertLines(store, by, { ...plan, updateBy: plan.updateBy }, lines, read, size)
  }
  const rows = read.flatMap((one) => (Array.isArray(one) ? [] : [one]))
  const outcomes = (results: readonly (number | Failures)[]): Outcome => {
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
  await before
  if (!kept) return outcomes(rows.length === 0 ? [] : await again(() => insertRows(store, by, plan, rows, size)))
  const keep = (tx: Transaction, results: readonly (number | Failures)[]) => kept.keep(tx, partOf(lines, outcomes(results), bytes))
  let results: readonly (number | Failures)[]
  if (rows.length > 0 && !kept.isTrial) results = await again(() => insertRows(store, by, plan, rows, size, keep))
  else {
    results = rows.length === 0 ? [] : await tryRows(store, by, plan, rows, size)
    await store.db.write((tx) => keep(tx, results))
  }
  kept.kept()
  return outcomes(results)
}

function partOf(lines: readonly Line[], outcomes: Outcome, bytes: number): Part {
  const bad = outcomes.flatMap((one) => ('id' in one ? [] : [one]))
  return {
    last: lines.at(-1)!.number,
    bytes,
    read: lines.length,
    imported: lines.length - bad.length,
    bad: bad.length,
    incomplete: 0,
    refused: bad.map(({ line, faults }) => ({ line: line.number, values: line.values, faults })),
  }
}

/** The results of a transaction that was undone. */
class Tried extends Error {
  readonly results: readonly (number | Failures)[]
  constructor(results: readonly (number | Failures)[]) {
    super('The import was only tried.')
    this.results = results
  }
}

/** What writing the rows would result in. */
async function tryRows(
  store: Used,
  by: Caller,
  plan: Plan,
  rows: readonly Values[],
  size: BatchSize,
): Promise<readonly (number | Failures)[]> {
  // The table is not made yet.
  if (plan.tableId === 0) return rows.map(() => 0)
  try {
    return await again(() => insertRows(store, by, plan, rows, size, (_, results) => Promise.reject(new Tried(results))))
  } catch (error) {
    if (error instanceof Tried) return error.results
    throw error
  }
}

/** Changes the records that the lines name by a unique value, or creates them, each line in a transaction of its own. */
async function upsertLines(
  store: Used,
  by: Caller,
  plan: Plan & { readonly updateBy: string },
  lines: readonly Line[],
  read: readonly (Values | Refused[])[],
  size: BatchSize,
): Promise<Outcome> {
  const begun = store.environment.now()
  /** By value, the line that was last written with it: the next one with it waits. */
  const last = new Map<string, Promise<unknown>>()
  const upsert = async (line: Line, { sent, later }: Values, before: Promise<unknown> | undefined): Promise<Outcome[number]> => {
    await before?.catch(() => {})
    try {
      const { record, created } = await again(() => upsertBy(store, by, plan, sent))
      return { id: record.id, later, ...(!created && { updated: true as const }) }
    } catch (error) {
      const failures = error instanceof Failures ? error.failures : [error]
      // A database that is away, or full, is no fault of the line.
      if (!failures.every((one): one is Failure => one instanceof Failure && one.status < 500)) throw error
      return { line, faults: failures.map((one) => refusal(plan, one)) }
    }
  }
  // What is being written ends before a failure is told.
  const ended = await Promise.allSettled(
    lines.map((line, i): Outcome[number] | Promise<Outcome[number]> => {
      const row = read[i]!
      if (Array.isArray(row)) return { line, faults: row }
      const key = fold(row.sent.get(plan.updateBy) ?? '')
      const written = upsert(line, row, last.get(key))
      last.set(key, written)
      return written
    }),
  )
  size.took(lines.length, store.environment.now() - begun)
  return ended.map((one) => {
    if (one.status === 'rejected') throw one.reason
    return one.value
  })
}

function upsertBy(store: Used, by: Caller, { tableId, updateBy }: Plan, sent: Values['sent']) {
  const catalogue = store.catalogue()
  const create = grant(['create', 'bulk'], tableId, by, catalogue)
  const update = grant(['update', 'read', 'bulk'], tableId, by, catalogue)
  const field = create.table.fields.find(({ name, settings }) => name === updateBy && settings.unique)
  if (!field) throw fail('table.not_found', { table: tableId })
  return upsertRecord(store, { create, update }, field, sent)
}

function insertRows(
  store: Used,
  by: Caller,
  plan: Plan,
  rows: readonly Values[],
  size: BatchSize,
  also?: InsertOptions['also'],
): Promise<(number | Failures)[]> {
  const granted = grant(['create', 'bulk'], plan.tableId, by, store.catalogue())
  return insertRecords(
    store,
    granted,
    rows.map(({ sent }) => sent),
    {
      keepsOrigin: by.administrator,
      ...(plan.ids && { ids: rows.map(({ id }) => id) }),
      took: (milliseconds) => size.took(rows.length, milliseconds),
      ...(also && { also }),
    },
  )
}

function refusal({ columns, ids }: Plan, { where, message }: Failure): Refused {
  if (ids && where.attribute === 'id') return { column: ids.header, reason: 'A record has this id already.' }
  return { column: columns.find((column) => column.attribute === where.attribute)?.header ?? '', reason: message }
}

/** Runs a write again if the structure has changed since it was prepared. */
export async function again<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof Stale)) throw error
    }
  }
}
