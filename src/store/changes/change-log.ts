import { join, name, sql, type Param, type Sql } from '../../sql/sql.ts'
import type { Dialect } from '../../sql/dialect.ts'
import { arrayOf, postgres } from '../../sql/postgres.ts'
import { sqlite } from '../../sql/sqlite.ts'
import { ofRecords, type RecordChange } from '../ground/changes.ts'
import { localTime } from '../ground/clock.ts'
import type { Ledger, Transaction } from '../ground/db.ts'
import type { Environment } from '../ground/store.ts'
import type { Actor } from '../model/access.ts'
import { begunBatches, partsOf, writeParts, type Part } from './batches.ts'
import { forgetFiles, noteFiles, noteFilesAt } from './change-files.ts'
import { codeOf, viaOf } from './codes.ts'
import { contentOf } from './content.ts'
import { toLog, type LogEntry } from './resource-changes.ts'

/*
 * The ledger that writes the log of changes: a row for each change of a record, in the transaction of the change. The id of a row is its
 * position in the order in which transactions commit. SQLite has one writer, so positions are counted up. PostgreSQL has many: a position is
 * made of the id of the transaction (xid8), and readers go no further than the oldest transaction that still runs
 * (`horizon`), so a change that is committed late is never skipped. A transaction with more changes than fit beside its id raises the base
 * of all later positions. It is `alone`: no other process has read the base and not yet committed.
 *
 * A transaction gets its id when it first writes. If another one with a later id changed a record and committed, and this one changes the
 * same record then, its change would stand before the other one's. So the INSERT fails (`isOvertaken`), and the transaction is run again
 * with a new id.
 */

/** Bits of a position that count the changes within one transaction of a shared database; the rest is its id. Together they fit in 2^53. */
const WITHIN = 15
export const MOST_IN_TRANSACTION = 2 ** WITHIN

const columns = ['id', 'table_id', 'record_id', 'action', 'user_id', 'token_id', 'via', 'batch_id', 'made_at', 'touched', 'content']

export interface Clock {
  readonly environment: Pick<Environment, 'now'>
  readonly settings: { readonly timeZone: string }
}

/** For a database to which one connection writes at a time. */
export function localChangeLog(clock: Clock): Ledger {
  const begun = begunBatches()
  /** Whose batches began in this transaction. If it is undone, its positions are given again, perhaps by another thread. */
  let beginning: Actor[] = []
  return {
    images: true,
    async beforeCommit(tx, told, before) {
      if (before === 0) beginning = []
      const changes = toLog(told)
      if (changes.length === 0) return
      // Not only the largest that is there: changes are erased with their record or table.
      const [row] = await tx.all(sql`SELECT (SELECT seq FROM sqlite_sequence WHERE name = 'changes'), (SELECT max(id) FROM changes)`)
      const first = Math.max(...row!.map(Number)) + 1
      await tx.run(sql`UPDATE sqlite_sequence SET seq = ${first + changes.length - 1} WHERE name = 'changes'`)
      const madeAt = timeOf(clock)
      await forget(tx, sqlite, changes)
      await noteFiles(tx, changes, first)
      const parts = partsOf(changes, begun)
      const batchOf = (by: Actor) => parts.get(by)!.known ?? first + parts.get(by)!.first
      await tx.insert(
        'changes',
        columns,
        changes.map((change, i) => [first + i, ...described(change), batchOf(change.by), madeAt, ...held(change)]),
      )
      await writeParts(tx, parts.values(), madeAt, (place) => sql`${first + place}`)
      for (const [by, { known }] of parts) {
        if (known !== undefined) continue
        begun.begin(by, batchOf(by))
        beginning.push(by)
      }
    },
    undone() {
      for (const by of beginning) begun.forget(by)
      beginning = []
    },
    afterCommit: () => {},
  }
}

/** For a database of several processes. */
export function sharedChangeLog(clock: Clock): Ledger {
  const begun = begunBatches()
  return {
    images: true,
    sendsAtOnce: true,
    mostTogether: MOST_IN_TRANSACTION,
    async beforeCommit(tx, told, before) {
      const changes = toLog(told)
      if (changes.length === 0) return
      const madeAt = timeOf(clock)
      const forgotten = forget(tx, postgres, changes)
      const parts = partsOf(changes, begun)
      // The position of a batch that begins here is known when the statement has been answered: until then its number, below 0.
      const batchOf = ({ known, first }: Part) => known ?? -1 - before - first
      const rows = changes.map((change, i) => [before + i, ...described(change), batchOf(parts.get(change.by)!), ...held(change)])
      const raised = blocksOf(before + told.length)
      const raising = raised > blocksOf(before) ? tx.run(sql`UPDATE change_log SET base = base + ${raised - blocksOf(before)}`) : undefined
      const position = (number: Sql) =>
        sql`((SELECT (base - ${raised}::bigint + pg_current_xact_id()::text::bigint) * ${MOST_IN_TRANSACTION}::bigint FROM change_log) + ${number})`
      const noted = noteFilesAt(tx, changes, (place) => position(sql`${before}::bigint + ${place}`))
      const own = position(sql`n`)
      // Records that others changed at later positions, although earlier: for their changes there is no position here.
      const isNew = changes.every(({ act }) => act === 'create')
      const later = sql`WITH later AS MATERIALIZED (SELECT table_id, record_id FROM changes
        WHERE id > ${position(sql`${before + changes.length}::bigint`)} ORDER BY id LIMIT ${MOST_LATER})`
      const inOrder = sql`CASE WHEN (table_id, record_id) IN (SELECT later.table_id, later.record_id FROM later) THEN NULL ELSE ${own} END`
      const inserted = tx.runReturning(sql`INSERT INTO changes (${join(columns.map(name), ', ')})
        ${isNew ? sql`` : later} SELECT ${isNew ? own : inOrder}, table_id, record_id, action, user_id, token_id, via,
          CASE WHEN batch_id < 0 THEN ${position(sql`(-1 - batch_id)`)} ELSE batch_id END, ${madeAt}::text, touched, content
        FROM unnest(${join(
          given.map((column, i) =>
            arrayColumn(
              column,
              rows.map((row) => row[i]!),
            ),
          ),
          ', ',
        )})
          AS given (${join(given.map(name), ', ')})
        RETURNING id`)
      const gathered = writeParts(tx, parts.values(), madeAt, (place) => position(sql`${before + place}::bigint`))
      const [, , ids] = await Promise.all([forgotten, raising, inserted, noted, gathered])
      for (const { by, known, first } of parts.values()) if (known === undefined) begun.begin(by, Number(ids[first]![0]))
    },
    afterCommit: () => {},
  }
}

/** Changes of others that are looked through for records of a transaction, at most: those committed while it ran. */
const MOST_LATER = 100_000

/** By how much the base is raised in a transaction of so many changes. */
const blocksOf = (changes: number): number => Math.floor(Math.max(0, changes - 1) / MOST_IN_TRANSACTION)

/** The columns of what is given to the statement of a shared database, in the order of its rows. */
const given = ['n', 'table_id', 'record_id', 'action', 'user_id', 'token_id', 'via', 'batch_id', 'touched', 'content']

function arrayColumn(column: string, values: readonly Param[]): Sql {
  // JSON has no such character, and is never empty: the elements of an array would need an escape for each of its quotes.
  if (column === 'content') return sql`string_to_array(${values.join('\u001f')}, ${'\u001f'})`
  return column === 'touched' ? sql`${arrayOf(values)}::text[]` : sql`${arrayOf(values)}::bigint[]`
}

const timeOf = ({ environment, settings }: Clock): string => localTime(environment.now(), settings.timeZone)

const described = ({ tableId, recordId, act, image, by }: RecordChange): readonly Param[] => [
  tableId,
  recordId,
  // That a field is erased converts its records; `erase` is the end of one.
  codeOf(act === 'erase' && image?.after ? 'convert' : act),
  by.userId,
  by.tokenId,
  viaOf(act, by.door),
]

function held(change: LogEntry): readonly Param[] {
  if (change.row) return [change.row.touched, change.row.content]
  const { touched, content } = contentOf(change)
  // What is erased is kept nowhere.
  if (change.act === 'erase') return [change.image?.after ? touched : '', '{}']
  return [change.act === 'update' || change.act === 'convert' ? touched : '', content]
}

/** Of records that are erased, all changes go. All statements are sent at once. */
async function forget(tx: Transaction, { oneOf }: Pick<Dialect, 'oneOf'>, changes: readonly RecordChange[]): Promise<void> {
  const erased = ofRecords(changes).filter(({ act, image }) => act === 'erase' && image?.after === undefined)
  const byTable = Map.groupBy(erased, ({ tableId }) => tableId)
  await Promise.all(
    [...byTable].map(([tableId, ofTable]) => {
      const ids = ofTable.map(({ recordId }) => recordId)
      const gone = sql`table_id = ${tableId} AND ${oneOf(sql`record_id`, ids)}`
      return Promise.all([forgetFiles(tx, gone), tx.run(sql`DELETE FROM changes WHERE ${gone}`)])
    }),
  )
}
