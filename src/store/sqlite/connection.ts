import Database from 'better-sqlite3'
import { join, name, render, sql, type Param, type Sql } from '../../sql/sql.ts'
import { sqlite } from '../../sql/sqlite.ts'
import type { Row } from '../ground/db.ts'
import { addFunctions } from './functions.ts'
import { keepTime } from './time-limit.ts'
import { Stale } from '../model/stale.ts'
import { setLast } from '../../memory/lru.ts'

/** The most prepared statements of each connection. */
const PREPARED = 400

/** A statement's text and its values, as the driver takes them. */
export interface Rendered {
  readonly text: string
  readonly params: readonly Param[]
}

export type Prepare = (text: string) => Database.Statement<unknown[]>

export function connect(file: string): Database.Database {
  const connection = new Database(file)
  connection.pragma('journal_mode = WAL')
  // The default of this driver loses commits when the power fails.
  connection.pragma('synchronous = FULL')
  connection.pragma('busy_timeout = 5000')
  connection.pragma('cache_size = -8000')
  connection.pragma('temp_store = MEMORY')
  keepTime(connection)
  addFunctions(connection)
  return connection
}

/** Prepared statements of one connection by their text; the least recently used is dropped first. */
export function statements(connection: Database.Database): Prepare {
  const prepared = new Map<string, Database.Statement<unknown[]>>()
  return (text) => {
    let statement = prepared.get(text)
    if (statement) {
      if (prepared.size > PREPARED / 2) setLast(prepared, text, statement, PREPARED)
      return statement
    }
    statement = connection.prepare(text)
    if (statement.reader) statement.raw()
    setLast(prepared, text, statement, PREPARED)
    return statement
  }
}

export const rendered = (query: Sql): Rendered => {
  const { text, params } = render(query, sqlite.placeholder)
  return { text, params: params.map(bound) }
}

export const all = (prepare: Prepare, { text, params }: Rendered): Row[] => guarded(() => prepare(text).all(...params) as Row[])

export const run = (prepare: Prepare, { text, params }: Rendered): number => guarded(() => prepare(text).run(...params).changes)

/** Statements by their list of columns, which callers keep for as long as the table is the same. */
const insertions = new WeakMap<readonly string[], { readonly table: string; readonly text: string }>()

function insertion(table: string, columns: readonly string[]): string {
  const known = insertions.get(columns)
  if (known?.table === table) return known.text
  const values = columns.map(() => sql`${null}`)
  const statement = sql`INSERT INTO ${name(table)} (${join(columns.map(name), ', ')}) VALUES (${join(values, ', ')})`
  const { text } = render(statement, sqlite.placeholder)
  insertions.set(columns, { table, text })
  return text
}

/** Inserts rows; returns their ids. The driver binds numbers as floats; an integer column stores 5.0 as 5. */
export const insert = (prepare: Prepare, table: string, columns: readonly string[], rows: readonly Row[]): number[] =>
  guarded(() => {
    const statement = prepare(insertion(table, columns))
    return rows.map((row) => Number(statement.run(row).lastInsertRowid))
  })

/** The answers of all queries from one snapshot. */
export function readAll(connection: Database.Database, prepare: Prepare, queries: readonly Rendered[]): Row[][] {
  const answers = () => queries.map((query) => all(prepare, query))
  return queries.length === 1 || connection.inTransaction ? answers() : inSnapshot(connection, answers)
}

/** Reads in a transaction of its own. */
export function inSnapshot<T>(connection: Database.Database, read: () => T): T {
  connection.exec('BEGIN')
  try {
    return read()
  } finally {
    connection.exec('COMMIT')
  }
}

/** Values for the driver, with whole numbers as bigint: it binds every number as a float, and 7 / 2.0 is not 7 / 2. */
const bound = (param: Param): Param => (typeof param === 'number' && Number.isSafeInteger(param) ? BigInt(param) : param)

/**
 * An error for a missing column or table means that the catalogue of the caller is outdated. So does an absolute value that does not exist: of the
 * mark that settled records have in the former column of a field (SETTLED). Values have at most 18 digits. So does a text index that cannot be opened:
 * it was dropped since the connection read the structure of the database.
 */
function guarded<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (
      error instanceof Database.SqliteError &&
      /^no such (column|table)|has no column named|^integer overflow$|^vtable constructor failed/.test(error.message)
    )
      throw new Stale(error)
    throw error
  }
}
