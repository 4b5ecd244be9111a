import { Failure } from '../../errors.ts'
import { sql } from '../../sql/sql.ts'
import { horizonNow } from '../changes/follow-changes.ts'
import type { Transaction } from '../ground/db.ts'
import type { Uses } from '../ground/store.ts'
import type { Asker } from '../model/asker.ts'
import {
  changedAgain,
  inTime,
  logsOf,
  newestOf,
  readLogs,
  readVersions,
  undoingsOf,
  versionsBefore,
  type Place,
  type Places,
  type RecordLog,
  type LogQuestion,
  type Versions,
} from './batch-log.ts'
import { familiesOf, undosSince, type Members } from './cancelled.ts'
import type { Progress } from './undo-progress.ts'

/*
 * What a step of an undo needs of the log, read before its transaction: others write meanwhile, however often its records were changed
 * since. What is committed after that is read in the transaction.
 */

/** What is known of the records of one table. */
interface OfTable {
  readonly logs: ReadonlyMap<number, RecordLog>
  /** Batches of others that were undone, and their undos. */
  readonly members: Members
  readonly before: ReadonlyMap<number, Versions>
}

export interface Ahead extends Places {
  /** Those at which there is something to do: the last change of the batch to each record. */
  readonly last: readonly Place[]
  /** The log was read up to here, without it. */
  readonly horizon: number
  readonly undoings: ReadonlySet<number>
  readonly tables: ReadonlyMap<number, OfTable>
}

/** Reads what a step of at most `size` changes needs; of fewer where that takes too long. */
export async function lookAhead(store: Uses<'db'>, by: Asker, batch: number, progress: Progress, size: number): Promise<Ahead> {
  for (let some = size; ; some = Math.ceil(some / 8)) {
    try {
      return await look(store, by, batch, progress, some)
    } catch (error) {
      if (!(error instanceof Failure) || error.code !== 'server.query_timeout' || some === 1) throw error
    }
  }
}

async function look(store: Uses<'db'>, by: Asker, batch: number, { position, floor }: Progress, size: number): Promise<Ahead> {
  const { db } = store
  const reading = { all: async (query: Parameters<Transaction['all']>[0]) => (await db.readLittle(by, query))[0]! }
  const newest = await newestOf(reading, batch, position, size)
  const places = newest.places.filter(({ id }) => id >= floor)
  const undoings = await undoingsOf(store, reading, batch)
  const last = await lastOf(store, by, batch, places)
  const byTable = [...Map.groupBy(last, ({ tableId }) => tableId)]
  const horizon = await horizonNow(store, reading.all)
  const question = { batch, undoings, members: noMembers, span: sql`id >= ${batch} AND id < ${horizon}` }
  const answers = await db.readLittle(by, ...byTable.map(([tableId, some]) => logsOf(db.dialect, tableId, idsOf(some), question)))
  const tables = new Map<number, OfTable>()
  for (const [i, [tableId]] of byTable.entries()) {
    const { logs, members } = await apart(store, reading, tableId, readLogs(answers[i]!, noMembers), question)
    const restored = [...logs].filter(([, log]) => log.some((one) => one.by === 'batch' && one.action === 'restore')).map(([id]) => id)
    const before = restored.length === 0 ? [] : await reading.all(versionsBefore(db.dialect, tableId, restored, batch))
    tables.set(tableId, { logs, members, before: readVersions(before) })
  }
  return { ...newest, places, isEnd: newest.isEnd || newest.end <= floor, last, horizon, undoings, tables }
}

const noMembers: Members = new Map()

/** Where others have undone something of a record, its log is read again: batches that were undone, and their undos, each by itself. */
async function apart(
  store: Uses<'db'>,
  reading: Pick<Transaction, 'all'>,
  tableId: number,
  logs: ReadonlyMap<number, RecordLog>,
  question: LogQuestion,
): Promise<Pick<OfTable, 'logs' | 'members'>> {
  const { dialect } = store.db
  const records = [...logs].filter(([, log]) => log.some(({ isUndo }) => isUndo)).map(([record]) => record)
  if (records.length === 0) return { logs, members: noMembers }
  const but = [question.batch, ...question.undoings]
  const undos = await reading.all(undosSince(dialect, inTime(dialect), tableId, records, question.span, but))
  const ids = undos.map(([id]) => Number(id))
  const members = await familiesOf(store, reading, ids)
  const again = readLogs(await reading.all(logsOf(dialect, tableId, records, { ...question, members })), members)
  return { logs: new Map([...logs, ...again]), members }
}

const idsOf = (places: readonly Place[]): number[] => places.map(({ recordId }) => recordId)

/** Those after which the batch did not change the record again. `places`: the newest first. */
async function lastOf({ db }: Uses<'db'>, by: Asker, batch: number, places: readonly Place[]): Promise<Place[]> {
  const seen = new Set<string>()
  const newest = places.filter(({ tableId, recordId }) => {
    const key = `${tableId} ${recordId}`
    return !seen.has(key) && seen.add(key)
  })
  if (newest.length === 0) return []
  const byTable = [...Map.groupBy(newest, ({ tableId }) => tableId)]
  const answers = await db.readLittle(by, ...byTable.map(([tableId, some]) => changedAgain(db.dialect, batch, tableId, some)))
  return byTable.flatMap(([, some], i) => {
    const again = new Set(answers[i]!.map(([record]) => Number(record)))
    return some.filter(({ recordId }) => !again.has(recordId))
  })
}

/** The logs of the records of a table, with what was committed since `lookAhead`. */
export async function logsNow(
  store: Uses<'db'>,
  tx: Pick<Transaction, 'all'>,
  batch: number,
  { horizon, undoings, tables }: Ahead,
  tableId: number,
  records: readonly number[],
): Promise<(record: number) => RecordLog> {
  const { logs = new Map<number, RecordLog>(), members = noMembers } = tables.get(tableId) ?? {}
  const question = { batch, undoings, members, span: sql`id >= ${horizon}` }
  const later = readLogs(await tx.all(logsOf(store.db.dialect, tableId, records, question)), members)
  const { logs: again } = await apart(store, tx, tableId, later, { ...question, span: sql`id >= ${batch}` })
  return (record) => {
    const now = later.get(record) ?? []
    // It was read again, from the beginning.
    return again.get(record) === later.get(record) ? [...(logs.get(record) ?? []), ...now] : again.get(record)!
  }
}
