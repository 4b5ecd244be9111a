/*
 * The floor of an import: lines split at commas, one prepared statement, nothing checked.
 *
 *   node bench/floor-load.ts <file.sqlite> <file.csv>
 */
import Database from 'better-sqlite3'
import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { COLUMNS } from './seed.ts'

/** Lines that share a transaction. */
const BATCH = 10_000

const [file, csv] = [process.argv[2]!, process.argv[3]!]
const db = new Database(file)
db.pragma('journal_mode = WAL')
db.pragma('synchronous = FULL')
db.exec(`CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT NOT NULL, email TEXT NOT NULL, phone TEXT NOT NULL, balance REAL NOT NULL,
  created TEXT NOT NULL, status TEXT NOT NULL, manager INTEGER NOT NULL, notes TEXT NOT NULL)`)
const insert = db.prepare(`INSERT INTO customers (${COLUMNS.join(', ')}) VALUES (${COLUMNS.map(() => '?').join(', ')})`)
const insertAll = db.transaction((lines: readonly string[]) => {
  for (const line of lines) insert.run(line.split(','))
})

let lines: string[] = []
let header = true
for await (const line of createInterface({ input: createReadStream(csv, { highWaterMark: 1 << 20 }) })) {
  if (header) header = false
  else if (lines.push(line) === BATCH) {
    insertAll(lines)
    lines = []
  }
}
insertAll(lines)
db.pragma('wal_checkpoint(TRUNCATE)')
db.close()
