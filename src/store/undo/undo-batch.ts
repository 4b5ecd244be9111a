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
import { rightsOn, view, type Caller, type View } from '../model/access.ts'
import { Abandoned } from '../model/asker.ts'
import type { Catalogue } from '../model/catalogue.ts'
import { Stale } from '../model/stale.ts'
import { sameCaller } from '../records/present.ts'
import { readCondition } from '../records/read-records.ts'
import { undoingsOf, versionOf, whereAre, type Place } from './batch-log.ts'
import { logsNow, lookAhead, type Ahead } from './look-ahead.ts'
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
  const found: Conflict[] = []
  /** The batch that this undo is, once a step of it has been committed. */
  let own = 0
  let last: Progress | undefined
  let progress: Progress = await db.write(async (tx) => {
    await begin(store, tx, id)
    return goOn(store, tx, id, own)
  })
  for (let size = FIRST; ;) {
    if (caller.client?.isGone) throw new Abandoned()
    const { position } = progress
    const ahead = await lookAhead(store, caller, id, progress, size)
    const done = await db.write(async (tx) => {
      await mustBeSame(store, tx, catalogue, caller)
      const now = await goOn(store, tx, id, own)
      if (now.isOver) return { over: now }
      // Where a transaction is run again, what it began before does not hold.
      by.batch!.id[0] = now.by
      // If another process has gone on meanwhile, it is looked again.
      const step = now.position === position ? await undoSome(store, tx, by, id, position, ahead) : undefined
      return { progress: step ? await now.noted(step) : now, step }
    })
    // Another process has ended it. What is in the row is told, unless that is of an undo that was begun anew since.
    if (done.over) return told(done.over.position === 0 ? done.over : (last ?? done.over), done.over.by, true, found)
    progress = done.progress
    if (done.step) {
      last = progress
      own = by.batch!.id[0]!
      size = sizeAfter(size, done.step.looked)
      found.push(...done.step.conflicts.slice(0, limits.undoConflicts.most - found.length))
      if (done.step.isEnd && (await db.write((tx) => finish(store, tx, id, progress.position, own))))
        return told(progress, own, true, found)
    }
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
    const { position } = sum
    const ahead = await lookAhead(store, caller, id, sum, size)
    const step = await rehearse(store, async (tx) => {
      await mustBeSame(store, tx, catalogue, caller)
      return undoSome(store, tx, by, id, position, ahead)
    })
    if (!step) continue
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

/** Undoes changes before a position, for as long as a step takes; undefined: what was read before does not hold any more. */
async function undoSome(
  store: Used,
  tx: Transaction,
  caller: Caller,
  batch: number,
  before: number,
  ahead: Ahead,
): Promise<Step | undefined> {
  const until = store.environment.now() + (store.db.dialect.shared ? WRITING_SHARED : WRITING)
  const undoings = await undoingsOf(store, tx, batch)
  if ([...undoings].join() !== [...ahead.undoings].join()) return undefined
  const { places, end } = ahead
  const conflicts: Conflict[] = []
  let [records, looked, left] = [0, 0, 0]
  let position = before
  const prepared = await prepare(store, tx, caller, batch, ahead)
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
  if (looked === places.length) position = Math.min(position, end)
  return { isEnd: places.length === 0 && ahead.isEnd, looked, position, records, conflicts, left }
}

/** Conflicts that another undo would find too. */
const lasting: ReadonlySet<string> = new Set(['batch.changed_since', 'batch.not_undoable'])

/** Whether the batch changed attributes that exist, but not for the caller. */
const hidesSome = ({ own, granted }: Pick<Undoing, 'own' | 'granted'>): boolean =>
  own.some(({ touched }) => [...touched].some((key) => granted.table.attributes.has(key) && !granted.attributes.has(key)))

/** Until then the log lacks the changes by which a job converted some of the records. @throws `field.being_converted` */
function mustBeSettled({ table, attributes }: View): void {
  const unsettled = table.conversions.find(({ phase, from }) => phase === 'leave' && attributes.has(from.name))
  if (unsettled) throw fail('field.being_converted', { job: unsettled.jobId })
}

/** Reads what is known of the records of some changes. The result: what there is to do at the last change of the batch to a record. */
async function prepare(
  store: Used,
  tx: Transaction,
  caller: Caller,
  batch: number,
  ahead: Ahead,
): Promise<(place: Place) => Omit<Undoing, 'conflict'> | 'hidden' | undefined> {
  const catalogue = store.catalogue()
  const known = new Map<number, Omit<Undoing, 'conflict'> | 'hidden'>()
  for (const [tableId, places] of Map.groupBy(ahead.last, (place) => place.tableId)) {
    const table = catalogue.tables.get(tableId)
    if (!table) continue
    // What the caller may not read is not told.
    if (!rightsOn(tableId, caller, catalogue).has('read')) {
      for (const { id } of places) known.set(id, 'hidden')
      continue
    }
    const granted = view(table, caller, catalogue)
    mustBeSettled(granted)
    const isFiltered = readCondition(store, granted) !== undefined
    const ids = places.map(({ recordId }) => recordId)
    const [logOf, where] = [await logsNow(store, tx, batch, ahead, tableId, ids), await whereAre(store, tx, granted, ids)]
    const columns = await columnsOf(store, granted)
    for (const { id, recordId } of places) {
      const place = where.get(recordId)
      const log = logOf(recordId)
      const own = log.filter(({ by }) => by === 'batch')
      // It is erased, or the caller may not read it.
      if (!place && isFiltered) known.set(id, 'hidden')
      // Or the batch has changed it again meanwhile.
      if (!place || own.length === 0 || own.some(({ last }) => last > id)) continue
      const began = Math.min(...own.map(({ first }) => first))
      const since = log.filter(({ by, last }) => by === 'others' && last > began)
      const version = versionOf(log, ahead.tables.get(tableId)?.before.get(recordId))
      known.set(id, { store, tx, granted, caller, recordId, own, since, version, place, columns })
    }
  }
  return ({ id }) => known.get(id)
}
