import { Failure } from '../../errors.ts'
import { sql } from '../../sql/sql.ts'
import { horizonOf } from '../changes/follow-changes.ts'
import type { Transaction } from '../ground/db.ts'
import type { Uses } from '../ground/store.ts'
import type { Asker } from '../model/asker.ts'
import {
  changedAgain,
  logsOf,
  newestOf,
  readLogs,
  readVersions,
  undoingsOf,
  versionsBefore,
  type Place,
  type Places,
  type RecordLog,
  type Versions,
} from './batch-log.ts'
import type { Progress } from './undo-progress.ts'

/*
 * What a step of an undo needs of the log, read before its transaction: others write meanwhile, however often its records were changed
 * since. What is committed after that is read in the transaction.
 */

/** What is known of the records of one table. */
interface OfTable {
  readonly logs: ReadonlyMap<number, RecordLog>
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
  const span = sql`id >= ${batch} AND id < ${horizonOf(store)}`
  const [horizon, ...answers] = await db.readLittle(
    by,
    sql`SELECT ${horizonOf(store)}`,
    ...byTable.map(([tableId, some]) => logsOf(db.dialect, tableId, idsOf(some), { batch, undoings, span })),
  )
  const tables = new Map<number, OfTable>()
  for (const [i, [tableId]] of byTable.entries()) {
    const logs = readLogs(answers[i]!)
    const restored = [...logs].filter(([, log]) => log.some((one) => one.by === 'batch' && one.action === 'restore')).map(([id]) => id)
    const before = restored.length === 0 ? [] : await reading.all(versionsBefore(db.dialect, tableId, restored, batch))
    tables.set(tableId, { logs, before: readVersions(before) })
  }
  return { ...newest, places, isEnd: newest.isEnd || newest.end <= floor, last, horizon: Number(horizon![0]![0]), undoings, tables }
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
  { db }: Uses<'db'>,
  tx: Pick<Transaction, 'all'>,
  batch: number,
  { horizon, undoings, tables }: Ahead,
  tableId: number,
  records: readonly number[],
): Promise<(record: number) => RecordLog> {
  const later = readLogs(await tx.all(logsOf(db.dialect, tableId, records, { batch, undoings, span: sql`id >= ${horizon}` })))
  const known = tables.get(tableId)?.logs
  return (record) => [...(known?.get(record) ?? []), ...(later.get(record) ?? [])]
}
