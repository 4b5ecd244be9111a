import { Failure, Failures, fail } from '../errors.ts'
import type { Written } from '../fields/readers.ts'
import { administrator } from '../store/catalogue/administrator.ts'
import type { Transaction } from '../store/ground/db.ts'
import { abandon, conversionSize } from '../store/jobs/abandon.ts'
import { endConversion, endUpkeep, settleSome } from '../store/jobs/convert-end.ts'
import {
  beginConversion,
  beginningOfLog,
  conversionOf,
  fillSome,
  followSome,
  isThere,
  mustBeThere,
  sizeOf,
  swap,
  type Wanted,
} from '../store/jobs/convert-steps.ts'
import { columnWriting } from '../store/structure/column-writing.ts'
import { mustLoseNothing, together, type Losses } from '../store/jobs/losses.ts'
import type { Caller } from '../store/model/access.ts'
import { recordsOf, trashOf, type Catalogue, type Conversion } from '../store/model/catalogue.ts'
import { JobStopped, type JobKind, type Running } from './job-kind.ts'

/*
 * The conversion of a field, in short steps between which others write. Until the swap, nobody sees anything of it, and a job that ends leaves nothing;
 * after the swap the field has its new type, and what remains cannot be cancelled.
 */

export interface ConvertInput extends Wanted {
  readonly tableId: number
}

interface Position extends Losses {
  readonly stage: 'fill' | 'follow' | 'settle'
  /** The records of the table (0), or those in its trash (1); and the last one that was looked at. */
  readonly twin: 0 | 1
  readonly at: number
  /** Up to which change of the log the second column is that of the first one. */
  readonly since: number
  /** Each record counts twice: when it is converted, and when it is settled. */
  readonly done: number
  readonly total: number
  /** How the texts of the field are written. */
  readonly writing?: Written | undefined
  /** Records whose values were converted. */
  readonly records: number
}

export const convertJob: JobKind<ConvertInput, Position> = {
  name: 'convert',
  goesOn: true,
  tableOf: ({ tableId }) => tableId,
  allow,
  run,
  resultOf: (position, batchId) => ({
    batch_id: batchId === 0 ? null : batchId,
    converted: position?.stage === 'settle',
    records: position?.records ?? 0,
    lost: position?.lost ?? 0,
    examples: position?.examples ?? [],
  }),
}

function allow(caller: Caller, catalogue: Catalogue, { tableId, fieldId }: ConvertInput): void {
  administrator(caller, 'change fields')
  if (!catalogue.tables.get(tableId)?.fields.some(({ id }) => id === fieldId))
    throw fail('resource.not_found', { type: 'field', id: fieldId })
}

async function run(running: Running<Position>, input: ConvertInput): Promise<Position> {
  const { store } = running
  try {
    let conversion = await conversionOf(store, running.id)
    // It was swapped, and all of it is done, or its field was erased since.
    if (!conversion && running.position?.stage === 'settle') return await ended(running, running.position)
    conversion ??= await begin(running, input)
    if (conversion.phase === 'fill') await convert(running, input, conversion)
    return await finish(running, { ...conversion, ...(await conversionOf(store, running.id)) })
  } catch (error) {
    if (isEnd(running, error)) await abandon(store, running.id, () => running.mustStop)
    throw error
  }
}

/** Whether the job does not go on after this, here or elsewhere. */
function isEnd({ isCancelled, mustStop }: Running<Position>, error: unknown): boolean {
  if (error instanceof JobStopped) return isCancelled && !mustStop
  const failure = error instanceof Failures ? error.failures[0] : error
  return failure instanceof Failure && failure.status !== 503
}

/** The caller, who may still change the field. */
async function goOn(running: Running<Position>, input: ConvertInput) {
  const caller = await running.goOn()
  allow(caller, running.store.catalogue(), input)
  return administrator(caller, 'change fields')
}

async function begin(running: Running<Position>, input: ConvertInput): Promise<Conversion> {
  const { store } = running
  const caller = await goOn(running, input)
  // It was there, and is not any more: its field was erased.
  if (running.position) throw fail('field.changed_meanwhile')
  await beginConversion(store, caller, running.id, input)
  return (await conversionOf(store, running.id))!
}

const twinOf = ({ tableId }: Conversion, twin: 0 | 1): string => (twin === 0 ? recordsOf(tableId) : trashOf(tableId))

/** Fills the second column, and makes it that of the field. */
async function convert(running: Running<Position>, input: ConvertInput, conversion: Conversion): Promise<void> {
  const { store } = running
  const { lossy, changes } = input
  let position = running.position ?? (await firstPosition(running, conversion, () => goOn(running, input)))
  const size = conversionSize(store)
  const how = { lossy, writing: position.writing, referenceBy: changes.referenceBy }
  const step = async (work: (tx: Transaction) => Promise<Position>): Promise<void> => {
    await goOn(running, input)
    position = await store.db.write(async (tx) => {
      const began = store.environment.now()
      await mustBeThere(tx, conversion)
      const next = await work(tx)
      await running.advance(tx, { done: next.done, total: next.total, position: next })
      size.took(store.environment.now() - began)
      return next
    })
  }
  while (position.stage === 'fill')
    await step(async (tx) => {
      const place = { twin: twinOf(conversion, position.twin), after: position.at, most: size.most }
      const { last, count, ...losses } = await fillSome(store, tx, conversion, how, place)
      const filled = { ...position, ...together(position, losses), at: last, done: position.done + count }
      if (count === place.most) return filled
      return position.twin === 0 ? { ...filled, twin: 1, at: 0 } : { ...filled, stage: 'follow' }
    })
  mustLoseNothing(position, lossy)
  for (let isMore = true; isMore;) {
    await step(async (tx) => {
      const { last, isMore: more, ...losses } = await followSome(store, tx, conversion, how, position.since, { most: size.most })
      isMore = more
      mustLoseNothing(losses, lossy)
      return { ...position, ...together(position, losses), since: last }
    })
  }
  await endUpkeep(store, conversion.tableId)
  const caller = await goOn(running, input)
  const swapped: Position = { ...position, stage: 'settle', twin: 0, at: 0 }
  await swap(store, caller, conversion, { ...input, writing: position.writing }, position.since, (tx) =>
    running.advance(tx, { done: swapped.done, total: swapped.total, position: swapped }),
  )
}

async function firstPosition({ store }: Running<Position>, conversion: Conversion, step: () => Promise<unknown>): Promise<Position> {
  const writing = await columnWriting({ all: async (query) => (await store.db.read(query))[0]! }, conversion, step)
  const since = await beginningOfLog(store)
  const total = 2 * (await sizeOf(store, conversion))
  return { stage: 'fill', twin: 0, at: 0, since, done: 0, total, records: 0, lost: 0, examples: [], writing }
}

/** Settles all records. It is not cancelled: the field has its new type. */
async function finish(running: Running<Position>, conversion: Conversion): Promise<Position> {
  const { store } = running
  let position = running.position!
  const size = conversionSize(store)
  for (const twin of [0, 1] as const) {
    if (twin < position.twin) continue
    for (let isMore = true; isMore;) {
      if (running.mustStop) throw new JobStopped()
      position = await store.db.write(async (tx) => {
        const began = store.environment.now()
        // Its field or table was erased meanwhile.
        if (!(await isThere(tx, conversion))) {
          isMore = false
          return position
        }
        const most = size.most
        const after = twin === position.twin ? position.at : 0
        const { last, count, ...step } = await settleSome(store, tx, conversion, { twin: twinOf(conversion, twin), after, most })
        isMore = step.isMore
        const next = { ...position, twin, at: last, done: position.done + count, records: position.records + count }
        await running.advance(tx, { done: next.done, total: next.total, position: next })
        size.took(store.environment.now() - began)
        return next
      })
    }
  }
  await endConversion(store, conversion)
  return ended(running, position)
}

async function ended(running: Running<Position>, position: Position): Promise<Position> {
  const all = { ...position, done: position.total }
  await running.advance(undefined, { done: all.done, total: all.total, position: all })
  return all
}
