import { lockKey } from '../../sql/advisory-locks.ts'
import { arrayOf } from '../../sql/postgres.ts'
import type { Dialect } from '../../sql/dialect.ts'
import { constant, join, name, parameters, raw, sql, type Sql } from '../../sql/sql.ts'
import type { RecordChange } from '../ground/changes.ts'
import type { Row, Transaction } from '../ground/db.ts'
import type { Connection } from './connection.ts'
import { placementOf } from '../schema/system-tables.ts'
import { isLocked, StructureBusy, TableBusy } from './faults.ts'

/** The transaction of one write. It knows whether the write has done anything yet. */
export interface TrackedTransaction extends Transaction {
  hasWritten(): boolean
  hasFailed(): boolean
}

/** Where a transaction says what it changed. */
export interface Telling {
  readonly changes: RecordChange[]
  readonly images: boolean
  now(tx: Transaction, changes: readonly RecordChange[]): Promise<void>
  /** Whether a change of structure waits for those who read the table, however long they do. */
  readonly isPatient?: boolean
}

/** Milliseconds for which a change of structure waits for those who read the table: all who come after it wait as long. */
const GLIMPSE = 200
const glimpse = sql`, set_config('lock_timeout', ${constant(String(GLIMPSE))}, true)`

type Insert = (table: string, columns: readonly string[], rows: readonly Row[]) => Promise<number[]>

export function transactionOn(connection: Connection, telling: Telling, insert: Insert = directInserts(connection)): TrackedTransaction {
  let written = false
  let failed = false
  async function tracked<T>(answer: Promise<T>): Promise<T> {
    try {
      return await answer
    } catch (error) {
      failed = true
      throw error
    }
  }
  function changing<T>(answer: Promise<T>): Promise<T> {
    written = true
    return tracked(answer)
  }
  const alter = alterations(connection, telling.isPatient === true)
  const tx: TrackedTransaction = {
    all: async (query) => (await tracked(connection.query(query))).rows,
    run: async (statement) => (await changing(connection.query(statement))).count,
    runReturning: async (statement) => (await changing(connection.query(statement))).rows,
    async createTable(table, statement) {
      await changing(connection.once(statement))
      for (const placing of connection.dialect.placement(table, placementOf(table))) await changing(connection.once(placing))
    },
    alterStructure: (statement) => alter(statement, changing),
    insert: (...given) => changing(insert(...given)),
    async attempt(part) {
      const before = telling.changes.length
      void connection.script('SAVEPOINT part').catch(() => undefined)
      try {
        const value = await part()
        void connection.script('RELEASE part').catch(() => undefined)
        return value
      } catch (error) {
        telling.changes.length = before
        await connection.script('ROLLBACK TO part; RELEASE part')
        throw error
      }
    },
    changed: (change) => void telling.changes.push(change),
    changedNow: (changes) => telling.now(tx, changes),
    images: telling.images,
    hasWritten: () => written,
    hasFailed: () => failed,
  }
  return tx
}

/** Statements that alter the structure. Of several processes, one at a time changes it or makes an index (reading-aside.ts). */
function alterations(connection: Connection, isPatient: boolean) {
  let hasStructure = false
  return async (statement: Sql, changing: <T>(answer: Promise<T>) => Promise<T>): Promise<void> => {
    if (!hasStructure) {
      const lock = sql`SELECT pg_try_advisory_xact_lock(${lockKey('structure')})::integer${isPatient ? sql`` : glimpse}`
      const { rows } = await connection.query(lock)
      if (rows[0]![0] !== 1) throw new StructureBusy()
      hasStructure = true
    }
    try {
      await changing(connection.once(statement))
    } catch (error) {
      throw isLocked(error) && !isPatient ? new TableBusy() : error
    }
  }
}

/** The most rows of one statement. */
const MOST = 2_000

/** The most values of one statement if each is a parameter. */
const MOST_VALUES = 20_000

function directInserts(connection: Connection): Insert {
  const { newIds } = connection.dialect
  return newIds ? knownIds(connection, newIds) : givenIds(connection)
}

/** For engines that do not return ids in the order of the rows: the ids are taken before. */
const knownIds =
  (connection: Connection, newIds: NonNullable<Dialect['newIds']>): Insert =>
  async (table, columns, rows) => {
    const place = columns.indexOf('id')
    const ids = place === -1 ? (await connection.query(newIds(table, rows.length))).rows.map(([id]) => id!) : rows.map((row) => row[place]!)
    const [all, whole] = place === -1 ? [['id', ...columns], rows.map((row, i) => [ids[i]!, ...row])] : [columns, rows]
    const most = Math.min(MOST, Math.floor(MOST_VALUES / all.length))
    for (let i = 0; i < whole.length; i += most) {
      const some = join(whole.slice(i, i + most).map(tuple), ', ')
      await connection.query(sql`INSERT INTO ${name(table)} (${join(all.map(name), ', ')}) VALUES ${some}`)
    }
    return ids.map(Number)
  }

const givenIds =
  (connection: Connection): Insert =>
  async (table, columns, rows) => {
    const ids: number[] = []
    for (let i = 0; i < rows.length; i += MOST) {
      const answer = await connection.query(insertion(table, columns, rows.slice(i, i + MOST)))
      for (const [id] of answer.rows) ids.push(Number(id))
    }
    return ids
  }

/**
 * Inserts of several writes in the same turn of the event loop become one statement for each table. If this is called before anything else is
 * sent in the turn, they are sent together with it.
 */
export function gatheredInserts(connection: Connection): Insert {
  const direct = directInserts(connection)
  let turn: Promise<void> | undefined
  const endOfTurn = () =>
    (turn ??= new Promise((next) =>
      setImmediate(() => {
        turn = undefined
        next()
      }),
    ))
  void endOfTurn()
  interface Gathered {
    readonly rows: Row[]
    readonly ids: Promise<number[]>
  }
  const open = new Map<string, Gathered>()
  return async (table, columns, rows) => {
    const key = [table, ...columns].join(' ')
    let gathered = open.get(key)
    if (!gathered) {
      const all: Row[] = []
      gathered = {
        rows: all,
        ids: endOfTurn().then(() => {
          open.delete(key)
          return direct(table, columns, all)
        }),
      }
      open.set(key, gathered)
    }
    const first = gathered.rows.length
    gathered.rows.push(...rows)
    return (await gathered.ids).slice(first, first + rows.length)
  }
}

/** The INSERT of some rows. PostgreSQL generates and returns ids in the order of the rows. */
function insertion(table: string, columns: readonly string[], rows: readonly Row[]): Sql {
  const into = sql`INSERT INTO ${name(table)} (${join(columns.map(name), ', ')})`
  if (rows.some((row) => row.includes(null))) return sql`${into} VALUES ${join(rows.map(tuple), ', ')} RETURNING id`
  // One parameter for each column, so that the statement does not depend on the number of rows.
  const arrays = columns.map((_, i) => {
    const values = rows.map((row) => row[i]!)
    return sql`${arrayOf(values)}::${typeof values[0] === 'string' ? raw('text[]') : raw('bigint[]')}`
  })
  return sql`${into} SELECT * FROM unnest(${join(arrays, ', ')}) RETURNING id`
}

const tuple = (row: Row): Sql => sql`(${parameters(row)})`
