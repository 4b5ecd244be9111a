import { fail } from '../../errors.ts'
import { limits } from '../../limits.ts'
import { memo } from '../../memory/memo.ts'
import { writer } from '../catalogue/administrator.ts'
import { sharedBatch } from '../changes/batches.ts'
import { uncountedBatches } from '../changes/list-batches.ts'
import { columnsOf } from '../changes/list-changes.ts'
import type { Db, Transaction } from '../ground/db.ts'
import { seeRow } from '../ground/relation.ts'
import type { Uses } from '../ground/store.ts'
import { rightsOn, view, type Caller } from '../model/access.ts'
import { Abandoned } from '../model/asker.ts'
import type { Catalogue } from '../model/catalogue.ts'
import { Stale } from '../model/stale.ts'
import { sameCaller } from '../records/present.ts'
import { readCondition } from '../records/read-records.ts'
import { changesSince, newestOf, undoingsOf, whereAre, type Place } from './batch-log.ts'
import { rehearse } from './rehearse.ts'
import { undoRecord, type Conflict, type Undoing } from './undo-record.ts'
import { begin, finish, goOn, type Progress } from './undo-progress.ts'

/*
 * The undo of a batch. It goes back through the log in steps, each a transaction of some milliseconds between which others write, from the
 * newest change of the batch to the oldest. How far it is, is stored in the row of the batch in the same transaction: so it goes on where it
 * ended, in whichever process. Each record is changed by an ordinary write. All steps together are one batch, which can be undone.
 */

type Used = Undoing['store']

/** Changes of a step: of the first one, and the bounds. */
const FIRST = 50
const FEWEST = 10
const MOST = 500
/** Milliseconds for which a step writes, about. Over PostgreSQL, most other writes go on meanwhile. */
const WRITING = 25
const WRITING_SHARED = 100

export interface UndoOptions {
  /** Nothing is changed. */
  readonly dryRun?: boolean
  /** Of a dry run: it goes on before this change. */
  readonly before?: number | undefined
  /** Milliseconds after which it ends, to be gone on with. */
  readonly time?: number
  readonly onStep?: (undone: Undone) => Promise<void>
}

/** What an undo has done so far, in all its requests. */
export interface Undone {
  /** The batch of what it changed; undefined: nothing was changed. */
  readonly batch: number | undefined
  /** Whether all changes of the batch have been looked at. */
  readonly done: boolean
  /** Records that were changed back. */
  readonly records: number
  readonly conflicts: number
  /** The conflicts that were found now, at most `limits.undoConflicts`. */
  readonly found: readonly Conflict[]
  /** All changes from this one on have been looked at. */
  readonly position: number
}

/**
 * Takes back what a batch changed: all that nobody has changed since, as far as the caller may write it.
 * @throws `access.denied`, `resource.not_found`, `batch.undone`, `batch.unfinished`; Stale
 */
export async function undoBatch(store: Used, caller: Caller, id: number, options: UndoOptions = {}): Promise<Undone> {
  writer(caller, 'undo')
  if (!(await seeRow(store, uncountedBatches, caller, id))) throw fail('resource.not_found', { type: 'batch', id })
  return inTurn(store.db, id, () => (options.dryRun ? tryOut : undo)(store, caller, id, options))
}

/** By database, the undos that run in this process. */
const running = memo((_: Db) => new Map<number, Promise<unknown>>())

/** Two undos of one batch must not share a transaction: the second one would not see what the first did. */
async function inTurn<T>(db: Db, id: number, work: () => Promise<T>): Promise<T> {
  const undos = running(db)
  const before = undos.get(id)
  const own = (before ?? Promise.resolve()).catch(() => undefined).then(work)
  undos.set(id, own)
  try {
    return await own
  } finally {
    if (undos.get(id) === own) undos.delete(id)
  }
}

async function undo(store: Used, caller: Caller, id: number, { time = Infinity, onStep }: UndoOptions): Promise<Undone> {
  const { environment, db } = store
  const catalogue = store.catalogue()
  const by: Caller = { ...caller, door: 'undo', batch: sharedBatch(id) }
  const until = environment.now() + time
  await db.write((tx) => begin(store, tx, id))
  const found: Conflict[] = []
  /** The batch that this undo is, once a step of it has been committed. */
  let own = 0
  let last: Progress | undefined
  for (let size = FIRST; ;) {
    if (caller.client?.isGone) throw new Abandoned()
    const { progress, step } = await db.write(async (tx) => {
      await mustBeSame(store, tx, catalogue, caller)
      const progress = await goOn(store, tx, id, own)
      if (progress.isOver) return { progress, step: undefined }
      // Where a transaction is run again, what it began before does not hold.
      by.batch!.id[0] = progress.by
      const step = await undoSome(store, tx, by, id, progress, size)
      return { progress: await progress.noted(step), step }
    })
    // Another process has ended it. What is in the row is told, unless that is of an undo that was begun anew since.
    if (!step) return told(progress.position === 0 ? progress : (last ?? progress), progress.by, true, found)
    last = progress
    own = by.batch!.id[0]!
    size = sizeAfter(size, step.looked)
    found.push(...step.conflicts.slice(0, limits.undoConflicts.most - found.length))
    if (step.isEnd && (await db.write((tx) => finish(store, tx, id, progress.position, own)))) return told(progress, own, true, found)
    const far = told(progress, own, false, found)
    await onStep?.(far)
    if (environment.now() >= until) return far
  }
}

const told = ({ position, records, conflicts }: Progress, by: number, done: boolean, found: readonly Conflict[]): Undone => ({
  batch: by === 0 ? undefined : by,
  done,
  records,
  conflicts,
  found,
  position,
})

/** As `undo`, and undoes each step. What one step would make possible for another is not told. */
async function tryOut(store: Used, caller: Caller, id: number, { before, time = Infinity, onStep }: UndoOptions): Promise<Undone> {
  const { environment } = store
  const catalogue = store.catalogue()
  const by: Caller = { ...caller, door: 'undo', batch: sharedBatch(id) }
  const until = environment.now() + time
  const begun = await rehearse(store, async (tx) => {
    await begin(store, tx, id)
    return goOn(store, tx, id, 0)
  })
  let sum: Progress = {
    position: before ?? begun.position,
    records: before === undefined ? begun.records : 0,
    conflicts: before === undefined ? begun.conflicts : 0,
    left: 0,
    floor: begun.floor,
  }
  const found: Conflict[] = []
  for (let size = FIRST; ;) {
    if (caller.client?.isGone) throw new Abandoned()
    const so = sum
    const step = await rehearse(store, async (tx) => {
      await mustBeSame(store, tx, catalogue, caller)
      return undoSome(store, tx, by, id, so, size)
    })
    size = sizeAfter(size, step.looked)
    sum = { ...sum, position: step.position, records: sum.records + step.records, conflicts: sum.conflicts + step.conflicts.length }
    found.push(...step.conflicts.slice(0, limits.undoConflicts.most - found.length))
    const far = told(sum, 0, step.isEnd, found)
    if (step.isEnd) return far
    await onStep?.(far)
    if (environment.now() >= until) return far
  }
}

/** @throws Stale where the structure or the rights of the caller are others now; then the request is run again, and goes on */
async function mustBeSame(store: Uses<'catalogue'>, tx: Transaction, before: Catalogue, caller: Caller): Promise<void> {
  if (store.catalogue() !== before && !(await sameCaller(tx, caller))) throw new Stale()
}

/** A step that had time for all its changes is followed by a larger one. */
const sizeAfter = (size: number, looked: number): number => Math.min(MOST, Math.max(FEWEST, looked < size ? looked : 2 * size))

interface Step {
  readonly isEnd: boolean
  /** Changes that it looked at. */
  readonly looked: number
  readonly position: number
  readonly records: number
  readonly conflicts: readonly Conflict[]
  /** What may be undone later, by whoever has more rights. */
  readonly left: number
}

/** Undoes changes before a position, for as long as a step takes. */
async function undoSome(
  store: Used,
  tx: Transaction,
  caller: Caller,
  batch: number,
  { position: before, floor }: Progress,
  size: number,
): Promise<Step> {
  const until = store.environment.now() + (store.db.dialect.shared ? WRITING_SHARED : WRITING)
  const places = (await newestOf(tx, batch, before, size)).filter(({ id }) => id >= floor)
  const conflicts: Conflict[] = []
  let [records, looked, left] = [0, 0, 0]
  let position = before
  const prepared = await prepare(store, tx, caller, batch, places)
  for (const place of places) {
    const undoing = prepared(place)
    if (undoing === 'hidden') left++
    else if (undoing) {
      const conflict: Undoing['conflict'] = (failure, attribute) => {
        conflicts.push({ ...place, failure, attribute })
        if (!lasting.has(failure.code)) left++
      }
      if (hidesSome(undoing)) left++
      if (await undoRecord({ ...undoing, conflict })) records++
    }
    position = place.id
    looked++
    if (store.environment.now() >= until) break
  }
  return { isEnd: places.length === 0, looked, position, records, conflicts, left }
}

/** Conflicts that another undo would find too. */
const lasting: ReadonlySet<string> = new Set(['batch.changed_since', 'batch.not_undoable'])

/** Whether the batch changed attributes that exist, but not for the caller. */
const hidesSome = ({ own, granted }: Pick<Undoing, 'own' | 'granted'>): boolean =>
  own.some(({ touched }) => [...touched].some((key) => granted.table.attributes.has(key) && !granted.attributes.has(key)))

/** Reads what is known of the records of some changes. The result: what there is to do at the last change of the batch to a record. */
async function prepare(
  store: Used,
  tx: Transaction,
  caller: Caller,
  batch: number,
  places: readonly Place[],
): Promise<(place: Place) => Omit<Undoing, 'conflict'> | 'hidden' | undefined> {
  const catalogue = store.catalogue()
  const undoings = await undoingsOf(store, tx, batch)
  const known = new Map<number, Map<number, Omit<Undoing, 'conflict'> | 'hidden'>>()
  for (const [tableId, some] of Map.groupBy(places, (place) => place.tableId)) {
    const table = catalogue.tables.get(tableId)
    if (!table) continue
    const ids = [...new Set(some.map(({ recordId }) => recordId))]
    // What the caller may not read is not told.
    if (!rightsOn(tableId, caller, catalogue).has('read')) {
      known.set(tableId, new Map(ids.map((id) => [id, 'hidden'])))
      continue
    }
    const granted = view(table, caller, catalogue)
    const isFiltered = readCondition(store, granted) !== undefined
    const [log, where] = [await changesSince(store, tx, tableId, ids, batch), await whereAre(store, tx, granted, ids)]
    const columns = await columnsOf(store, granted)
    const ofTable = new Map<number, Omit<Undoing, 'conflict'> | 'hidden'>()
    known.set(tableId, ofTable)
    for (const recordId of ids) {
      const [all, place] = [log.get(recordId) ?? [], where.get(recordId)]
      const own = all.filter(({ batchId }) => batchId === batch)
      // It is erased, or the caller may not read it.
      if (!place && isFiltered) ofTable.set(recordId, 'hidden')
      if (!place || own.length === 0) continue
      const since = all.filter(({ id, batchId }) => id > own[0]!.id && batchId !== batch && !undoings.has(batchId))
      ofTable.set(recordId, { store, tx, granted, caller, recordId, own, since, all, place, columns })
    }
  }
  return ({ id, tableId, recordId }) => {
    const undoing = known.get(tableId)?.get(recordId)
    return undoing === 'hidden' || undoing?.own.at(-1)!.id === id ? undoing : undefined
  }
}
