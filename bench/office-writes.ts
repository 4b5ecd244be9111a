/** The writes of an office at work: scattered changes of one to three fields, some new records, some deleted ones. */
import Database from 'better-sqlite3'
import type { Shot } from './load.ts'
import type { Fields } from './lists.ts'
import { anyId, changeOf, create, removal } from './requests.ts'
import { COLUMNS, customer, random, type Column } from './seed.ts'
import type { Ours } from './servers.ts'

type Write =
  | { readonly does: 'create'; readonly like: number }
  | { readonly does: 'delete'; readonly id: number }
  | { readonly does: 'change'; readonly id: number; readonly values: Partial<Record<Column, string>> }

/** Of so many writes, one creates and one deletes. */
const CYCLE = 13
/** Records whose ids are divisible by this are deleted, each once; the others are changed. */
const MORTAL = 10
/** No divisor of a tenth of the records. */
const STEP = 7919

/** Write number `k` of a run, the same in each run. */
export function writeAt(k: number, rows: number): Write {
  if (k % CYCLE === 0) return { does: 'create', like: 50_000_000 + k }
  if (k % CYCLE === 6) return { does: 'delete', id: MORTAL * (1 + ((Math.floor(k / CYCLE) * STEP) % Math.floor(rows / MORTAL))) }
  const next = random(1_000_003 + k)
  const id = anyId(next, rows)
  const like = customer(60_000_000 + k)
  const first = Math.floor(next() * COLUMNS.length)
  const columns = Array.from({ length: 1 + Math.floor(next() * 3) }, (_, i) => COLUMNS[(first + 3 * i) % COLUMNS.length]!)
  return {
    does: 'change',
    id: id % MORTAL === 0 ? id - 1 : id,
    values: Object.fromEntries(columns.map((column) => [column, like[column]])),
  }
}

export function shotOf(ours: Pick<Ours, 'fields'> & { readonly fields: Fields }, write: Write): Shot {
  if (write.does === 'create') return create({ ours: ours as Ours }, write.like).ours
  return write.does === 'delete' ? removal(write.id) : changeOf(ours.fields, write.id, write.values)
}

/** Makes the first `count` writes in the database of the floor, at once. */
export function repeatWrites(file: string, count: number, rows: number): void {
  const db = new Database(file)
  try {
    const insert = db.prepare(`INSERT INTO customers (${COLUMNS.join(', ')}) VALUES (${COLUMNS.map(() => '?').join(', ')})`)
    const remove = db.prepare('DELETE FROM customers WHERE id = ?')
    const change = db.prepare(
      `UPDATE customers SET ${COLUMNS.map((column) => `${column} = coalesce(?, ${column})`).join(', ')} WHERE id = ?`,
    )
    db.transaction(() => {
      for (let k = 0; k < count; k++) {
        const write = writeAt(k, rows)
        if (write.does === 'create') insert.run(Object.values(customer(write.like)))
        else if (write.does === 'delete') remove.run(write.id)
        else change.run([...COLUMNS.map((column) => write.values[column] ?? null), write.id])
      }
    })()
  } finally {
    db.close()
  }
}
