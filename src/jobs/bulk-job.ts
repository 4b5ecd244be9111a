import { fail, Failure } from '../errors.ts'
import type { Condition } from '../filter/check.ts'
import { parse } from '../filter/parse.ts'
import { limits } from '../limits.ts'
import { grant, type Caller, type Granted } from '../store/model/access.ts'
import type { Catalogue } from '../store/model/catalogue.ts'
import {
  bulkDelete,
  bulkStep,
  bulkUpdate,
  FIRST,
  highestId,
  matching,
  mustSuitParts,
  sizeAfter,
  type BulkAct,
  type BulkStep,
} from '../store/records/bulk.ts'
import { conditionOf } from '../store/records/read-records.ts'
import { mustBeCurrent } from '../store/records/present.ts'
import { Stale } from '../store/model/stale.ts'
import type { Store } from '../store/ground/store.ts'
import { countMatching } from './count-matching.ts'
import type { JobKind, Running } from './job-kind.ts'
import { readSent, type SentJson } from './sent-values.ts'

/*
 * Changes and deletes of all records that match a filter, where there are more than one request writes. It walks through the table by id, up to
 * the highest id when it began: so each record is looked at once, whatever the changes do to the filter.
 */

export interface BulkInput {
  readonly tableId: number
  readonly action: 'update' | 'delete'
  readonly filter: string
  /** The values that a change sets. */
  readonly values: SentJson
}

interface Refused {
  readonly id: string
  readonly code: string
  readonly detail: string
}

interface Position {
  /** The id of the last record that was looked at, and of the last one there is to be. */
  readonly at: number
  readonly last: number
  readonly total: number | null
  readonly records: number
  readonly refused: number
  readonly leftOut: number
  readonly listed: readonly Refused[]
}

/** Ids whose records are read by one statement. */
const WINDOW = 50_000
/** Records that one statement gives. */
const READ = 5_000

type Right = 'read' | 'bulk' | 'update' | 'delete'

export const bulkJob: JobKind<BulkInput, Position> = {
  name: 'bulk',
  goesOn: true,
  read: readInput,
  tableOf: ({ tableId }) => tableId,
  allow: grantFor,
  run,
  resultOf: (position, batchId) => ({
    batch_id: batchId === 0 ? null : batchId,
    records: position?.records ?? 0,
    refused: position?.refused ?? 0,
    left_out: position?.leftOut ?? 0,
    listed: position?.listed ?? [],
  }),
}

function grantFor(caller: Caller, catalogue: Catalogue, { tableId, action }: BulkInput): Granted<Right> {
  return grant<Right>([action, 'read', 'bulk'], tableId, caller, catalogue)
}

/** @throws `field.invalid_value`, `field.required` */
function readInput(sent: Readonly<Record<string, unknown>>, tableId: number): BulkInput {
  const { action, filter, attributes = {}, ...others } = sent
  const refuse = (path: string, why: string): Failure => fail('field.invalid_value', { why }, { attribute: 'input', path: [path] })
  const [other] = Object.keys(others)
  if (other !== undefined) throw refuse(other, 'The input of a bulk job has action, filter and attributes.')
  if (action !== 'update' && action !== 'delete') throw refuse('action', 'An action is update or delete.')
  if (typeof filter !== 'string' || filter === '') throw refuse('filter', 'A filter is needed.')
  if (action === 'delete' && Object.keys(attributes as object).length > 0) throw refuse('attributes', 'A deletion has no attributes.')
  return { tableId, action, filter, values: readSent(attributes, refuse) }
}

interface Prepared {
  readonly catalogue: Catalogue
  readonly granted: Granted<Right>
  readonly condition: Condition
  readonly act: BulkAct
}

async function prepare(store: Store, caller: Caller, input: BulkInput, total: number): Promise<Prepared> {
  const catalogue = store.catalogue()
  const granted = grantFor(caller, catalogue, input)
  const condition = await conditionOf(store, granted, parse(input.filter, limits.postedFilter.most))
  mustSuitParts(condition, granted)
  const act = input.action === 'delete' ? bulkDelete(store, granted) : await bulkUpdate(store, granted, sentOf(input.values), total)
  return { catalogue, granted, condition, act }
}

const sentOf = (values: SentJson) => new Map(Object.entries(values))

async function run(running: Running<Position>, input: BulkInput): Promise<Position> {
  const { store } = running
  let prepared: Prepared | undefined
  let position = running.position
  let ids: readonly number[] = []
  let windowEnd = 0
  for (let size = FIRST; ;) {
    const caller = await running.goOn()
    // Rights, and what a filter means, are those of now.
    if (prepared?.catalogue !== store.catalogue()) prepared = await prepare(store, caller, input, position?.total ?? 2)
    position ??= await begin(running, prepared, input)
    if (ids.length === 0) {
      const from = Math.max(position.at, windowEnd)
      if (from >= position.last) return finished(running, position)
      const end = Math.min(position.last, from + WINDOW)
      ids = await matching(store, prepared.granted, prepared.condition, READ, [from, end])
      windowEnd = ids.length < READ ? end : ids.at(-1)!
      continue
    }
    const step = await oneStep(running, prepared, position, ids.slice(0, size))
    if (step === 'stale') {
      prepared = undefined
      continue
    }
    position = step.position
    size = sizeAfter(size, step.looked, Math.min(size, ids.length))
    ids = ids.slice(step.looked)
  }
}

/** Where it begins: with the number of records, if that is known in time. */
async function begin({ store }: Running<Position>, { granted }: Prepared, { filter }: BulkInput): Promise<Position> {
  const last = await highestId(store, granted)
  const total = await countMatching(store, granted, parse(filter, limits.postedFilter.most))
  return { at: 0, last, total, records: 0, refused: 0, leftOut: 0, listed: [] }
}

async function finished(running: Running<Position>, before: Position): Promise<Position> {
  const position = { ...before, at: before.last }
  const done = position.records + position.refused
  await running.advance(undefined, { done, total: done, position })
  return position
}

/** Writes some records and how far it is, in one transaction. */
async function oneStep(
  running: Running<Position>,
  { granted, condition, act }: Prepared,
  before: Position,
  some: readonly number[],
): Promise<{ readonly position: Position; readonly looked: number } | 'stale'> {
  const { store } = running
  const batch = granted.caller.batch!.id
  const begun = batch[0]!
  try {
    return await store.db.write(async (tx) => {
      // Where the transaction is run again, what it began before does not hold.
      batch[0] = begun
      await mustBeCurrent(store, tx, granted)
      const step = await bulkStep(store, tx, granted, condition, act, some)
      const position = after(before, step, some[step.looked - 1]!)
      const done = position.records + position.refused
      const total = position.total === null ? null : Math.max(position.total, done)
      await running.advance(tx, { done, total, position })
      return { position, looked: step.looked }
    })
  } catch (error) {
    batch[0] = begun
    if (error instanceof Stale) return 'stale'
    throw error
  }
}

function after(before: Position, { records, leftOut, refusals }: BulkStep, at: number): Position {
  const shown = refusals.map(({ id, failure: { code, message } }) => ({ id: String(id), code, detail: message }))
  return {
    ...before,
    at,
    records: before.records + records,
    refused: before.refused + refusals.length,
    leftOut: before.leftOut + leftOut,
    listed: [...before.listed, ...shown.slice(0, limits.undoConflicts.most - before.listed.length)],
  }
}
