import Database from 'better-sqlite3'

/* What stands in a database file, seen by a connection of its own. */

export interface Dump {
  /** By table, its rows as text; the schema under the name ''. */
  readonly tables: ReadonlyMap<string, string>
}

/** The time a token was last used is written beside any request, refused ones too. */
const BESIDE: Readonly<Record<string, string>> = { tokens: 'last_used' }

export function witness(file: string) {
  const db = new Database(file, { readonly: true })
  return {
    /** Goes up when anybody else commits a change. */
    version: (): number => db.pragma('data_version', { simple: true }) as number,
    dump(): Dump {
      return db.transaction(() => {
        const schema = db.prepare('SELECT name, sql FROM sqlite_master ORDER BY type, name').raw().all() as [string, string | null][]
        const names = db.prepare("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name").pluck().all() as string[]
        return { tables: new Map([['', JSON.stringify(schema)], ...names.map((name): [string, string] => [name, rowsOf(db, name)])]) }
      })()
    },
    close: () => db.close(),
  }
}

function rowsOf(db: Database.Database, table: string): string {
  const columns = (db.prepare('SELECT name FROM pragma_table_info(?)').pluck().all(table) as string[]).filter(
    (column) => BESIDE[table] !== column,
  )
  const quoted = columns.map((column) => `quote("${column}")`).join(` || ',' || `)
  return (db.prepare(`SELECT ${quoted} FROM "${table}" ORDER BY 1`).pluck().all() as string[]).join('\n')
}

/** The tables that differ. */
export const differing = (before: Dump, after: Dump): string[] =>
  [...new Set([...before.tables.keys(), ...after.tables.keys()])].filter((name) => before.tables.get(name) !== after.tables.get(name))
