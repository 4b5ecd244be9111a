import { fail, Failure, Failures } from '../errors.ts'
import { grant, type Caller } from '../store/model/access.ts'
import { Stale } from '../store/model/stale.ts'
import { insertRecords } from '../store/records/insert-records.ts'
import { prepareUpsert, type Upserted } from '../store/records/upsert-record.ts'
import type { PreparedWrite } from '../store/records/write-records.ts'
import { turns } from '../store/scheduling/others-turn.ts'
import type { Transaction } from '../store/ground/db.ts'
import type { Uses } from '../store/ground/store.ts'
import type { BatchSize } from './batch-size.ts'
import type { Kept, Part } from './kept.ts'
import { namedPeople } from './named-people.ts'
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
  const people = await namedPeople(store, by, plan, lines)
  const read = lines.map((line) => readLine(store, plan, line, named, people))
  const rows = read.flatMap((one) => (Array.isArray(one) ? [] : [one]))
  const outcomes = (results: readonly Result[]): Outcome => {
    let next = 0
    return lines.map((line, i) => {
      const row = read[i]!
      if (Array.isArray(row)) return { line, faults: row }
      const result = results[next++]!
      return result instanceof Failures
        ? { line, faults: result.failures.map((one) => refusal(plan, one)) }
        : { ...result, later: row.later }
    })
  }
  await before
  if (!kept) return outcomes(rows.length === 0 ? [] : await again(() => writeRows(store, by, plan, rows, size)))
  const keep = (tx: Transaction, results: readonly Result[]) => kept.keep(tx, partOf(lines, outcomes(results), bytes))
  let results: readonly Result[]
  if (rows.length > 0 && !kept.isTrial) results = await again(() => writeRows(store, by, plan, rows, size, { also: keep }))
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
    updated: outcomes.filter((one) => 'id' in one && one.updated).length,
    bad: bad.length,
    incomplete: 0,
    refused: bad.map(({ line, faults }) => ({ line: line.number, values: line.values, faults })),
  }
}

/** The record that was written, or why it was not. */
type Result = { readonly id: number; readonly updated?: true } | Failures

interface Writing {
  /** Called at the end of the transaction; what it throws undoes the transaction. */
  readonly also?: (tx: Transaction, results: readonly Result[]) => Promise<void>
  readonly isTrial?: true
}

/** The results of a transaction that was undone. */
class Tried extends Error {
  readonly results: readonly Result[]
  constructor(results: readonly Result[]) {
    super('The import was only tried.')
    this.results = results
  }
}

/** What writing the rows would result in. */
async function tryRows(store: Used, by: Caller, plan: Plan, rows: readonly Values[], size: BatchSize): Promise<readonly Result[]> {
  // The table is not made yet.
  if (plan.tableId === 0) return rows.map(() => ({ id: 0 }))
  const also: Writing['also'] = (_, results) => Promise.reject(new Tried(results))
  try {
    return await again(() => writeRows(store, by, plan, rows, size, { also, isTrial: true }))
  } catch (error) {
    if (error instanceof Tried) return error.results
    throw error
  }
}

const writeRows = (
  store: Used,
  by: Caller,
  plan: Plan,
  rows: readonly Values[],
  size: BatchSize,
  writing: Writing = {},
): Promise<readonly Result[]> =>
  plan.updateBy === undefined ? insertRows(store, by, plan, rows, size, writing) : upsertRows(store, by, plan, rows, size, writing)

/** Changes the records that the rows name by a unique value, or creates them, each in a savepoint. */
async function upsertRows(
  store: Used,
  by: Caller,
  { tableId, updateBy }: Plan,
  rows: readonly Values[],
  size: BatchSize,
  { also }: Writing,
): Promise<readonly Result[]> {
  const catalogue = store.catalogue()
  const create = grant(['create', 'bulk'], tableId, by, catalogue)
  const update = grant(['update', 'read', 'bulk'], tableId, by, catalogue)
  const field = create.table.fields.find(({ name, settings }) => name === updateBy && settings.unique)
  if (!field) throw fail('table.not_found', { table: tableId })
  const prepared: (PreparedWrite<Upserted> | Failures)[] = []
  for (const { sent } of rows) prepared.push(await prepareUpsert(store, { create, update }, field, sent).catch(refusedBy))
  return store.db.write(async (tx) => {
    const begun = store.environment.now()
    const turn = turns()
    const results: Result[] = []
    for (const one of prepared) {
      const written = one instanceof Failures ? one : await tx.attempt(() => one.apply(tx)).catch(refusedBy)
      results.push(written instanceof Failures ? written : { id: written.record.id, ...(!written.created && { updated: true as const }) })
      await turn()
    }
    size.took(rows.length, store.environment.now() - begun)
    await also?.(tx, results)
    return results
  })
}

/** @throws what is no fault of the line, such as a database that is away */
function refusedBy(error: unknown): Failures {
  const failures = error instanceof Failures ? error.failures : [error]
  if (!failures.every((one): one is Failure => one instanceof Failure && one.status < 500)) throw error
  return new Failures(failures)
}

async function insertRows(
  store: Used,
  by: Caller,
  plan: Plan,
  rows: readonly Values[],
  size: BatchSize,
  { also, isTrial }: Writing,
): Promise<readonly Result[]> {
  const granted = grant(['create', 'bulk'], plan.tableId, by, store.catalogue())
  const resultOf = (one: number | Failures): Result => (typeof one === 'number' ? { id: one } : one)
  const written = await insertRecords(
    store,
    granted,
    rows.map(({ sent }) => sent),
    {
      keepsOrigin: by.administrator,
      ...(plan.ids && { ids: rows.map(({ id }) => id) }),
      ...(isTrial && { isTrial }),
      took: (milliseconds) => size.took(rows.length, milliseconds),
      ...(also && { also: (tx, results) => also(tx, results.map(resultOf)) }),
    },
  )
  return written.map(resultOf)
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
