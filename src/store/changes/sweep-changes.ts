import { constant, name, sql, type Sql } from '../../sql/sql.ts'
import { localTime } from '../ground/clock.ts'
import type { Transaction } from '../ground/db.ts'
import type { Uses } from '../ground/store.ts'
import { GONE } from './follow-changes.ts'

/** Changes that are erased in one transaction, at most. */
const STEP = 2_000
const DAY = 86_400_000

/**
 * Erases changes older than `changeDays`, the oldest first, and keeps up to where they have gone. On a database of one process in short
 * steps, between which others write; of several processes whole pieces are dropped, of which there is one for each month. The newest
 * change stays, so that positions go on.
 */
export async function sweepChanges(store: Uses<'db' | 'environment' | 'settings'>): Promise<void> {
  const { environment, settings } = store
  const before = localTime(environment.now() - settings.changeDays * DAY, settings.timeZone)
  if (store.db.dialect.shared) await dropPieces(store, before)
  else await eraseInSteps(store, before)
}

async function eraseInSteps(store: Uses<'db'>, before: string): Promise<void> {
  for (;;) {
    const [rows] = await store.db.read(sql`SELECT max(id), count(*) FROM (SELECT id, made_at FROM changes
      WHERE id < (SELECT max(id) FROM changes) ORDER BY id LIMIT ${STEP}) AS oldest WHERE made_at < ${before}`)
    const [last, count] = rows![0]!.map(Number) as [number, number]
    if (count === 0) return
    await store.db.write(async (tx) => {
      await tx.run(sql`DELETE FROM changes WHERE id <= ${last} AND made_at < ${before}`)
      await noteGone(tx, last)
    })
  }
}

const noteGone = (tx: Transaction, last: number) =>
  tx.run(sql`INSERT INTO meta (name, value) VALUES (${GONE}, ${String(last)}) ON CONFLICT (name) DO UPDATE SET value = excluded.value`)

/** Of several processes that do this at once, one drops a piece, and the others find that it is gone. */
async function dropPieces(store: Uses<'db' | 'environment' | 'settings'>, before: string): Promise<void> {
  const month = localTime(store.environment.now(), store.settings.timeZone).slice(0, 'YYYY-MM'.length)
  await store.db.write(
    async (tx) => {
      const pieces = (await tx.all(piecesOfLog)).map(([number]) => Number(number))
      const newest = Math.max(...pieces)
      for (const piece of pieces) {
        const rows = (way: Sql) => tx.all(sql`SELECT id, made_at FROM ${name(`changes_${piece}`)} ORDER BY id ${way} LIMIT 1`)
        if (piece === newest) {
          const [first] = await rows(sql`ASC`)
          if (first && String(first[1]).slice(0, month.length) < month) await beginPiece(tx, piece + 1)
          continue
        }
        const [last] = await rows(sql`DESC`)
        if (last && String(last[1]) >= before) continue
        await tx.alterStructure(sql`DROP TABLE ${name(`changes_${piece}`)}`)
        if (last) await noteGone(tx, Number(last[0]))
      }
    },
    { alone: true },
  )
}

const piecesOfLog = sql`SELECT substring(relname FROM '[0-9]+$') FROM pg_class, pg_inherits
  WHERE pg_class.oid = inhrelid AND inhparent = 'changes'::regclass`

async function beginPiece(tx: Transaction, piece: number): Promise<void> {
  const table = `changes_${piece}`
  await tx.createTable(table, sql`CREATE TABLE ${name(table)} PARTITION OF changes FOR VALUES IN (${constant(piece)})`)
  await tx.alterStructure(sql`ALTER TABLE changes ALTER COLUMN piece SET DEFAULT ${constant(piece)}`)
}
