import type Database from 'better-sqlite3'
import { constant, name, sql, type Sql } from '../../sql/sql.ts'
import { moveEvents, moveTrigger } from '../../sql/sqlite.ts'
import { recordsOf } from '../model/catalogue.ts'
import type { Key, Move, Transaction } from '../ground/db.ts'

/*
 * Temporary triggers of the connection that writes. They report to this process how records move in the order of a column, for every
 * statement that writes, and end with the connection.
 */

/** An array to which every move is appended. */
export function movesOf(writer: Database.Database): Move[] {
  const moves: Move[] = []
  writer.function('record_moved', { safeIntegers: true, varargs: true }, (tableId, column, id, before, after) => {
    moves.push({ tableId: Number(tableId), column: String(column), id: Number(id), before: keyOf(before), after: keyOf(after) })
    return null
  })
  return moves
}

const keyOf = (value: unknown): Key | undefined => (value === null ? undefined : (value as Key))

export async function createMoveTriggers(tx: Pick<Transaction, 'alterStructure'>, tableId: number, column: string): Promise<void> {
  const [old, next] = [sql`OLD.${name(column)}`, sql`NEW.${name(column)}`]
  const tell = (id: Sql, before: Sql, after: Sql): Sql =>
    sql`BEGIN SELECT record_moved(${constant(tableId)}, ${constant(column)}, ${id}, ${before}, ${after}); END`
  const of = {
    INSERT: sql`AFTER INSERT ON main.${name(recordsOf(tableId))} ${tell(sql`NEW.id`, sql`NULL`, next)}`,
    UPDATE: sql`AFTER UPDATE OF ${name(column)} ON main.${name(recordsOf(tableId))} WHEN ${old} <> ${next} ${tell(sql`NEW.id`, old, next)}`,
    DELETE: sql`AFTER DELETE ON main.${name(recordsOf(tableId))} ${tell(sql`OLD.id`, old, sql`NULL`)}`,
  }
  for (const event of moveEvents)
    await tx.alterStructure(sql`CREATE TEMP TRIGGER IF NOT EXISTS ${moveTrigger(recordsOf(tableId), column, event)} ${of[event]}`)
}
