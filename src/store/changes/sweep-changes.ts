import { Failure } from '../../errors.ts'
import { constant, name, sql, type Sql } from '../../sql/sql.ts'
import { localTime } from '../ground/clock.ts'
import type { Row, Transaction } from '../ground/db.ts'
import type { Uses } from '../ground/store.ts'
import { forgetBatches } from './batches.ts'
import { forgetFilesUpTo } from './change-files.ts'
import { GONE } from './follow-changes.ts'
import { inSteps } from './steps.ts'
import { sweepErased } from './sweep-erased.ts'

/** Bytes of the contents that a step erases, about. */
const BYTES = 2_097_152
const DAY = 86_400_000

/**
 * Erases changes older than `changeDays`, the oldest first, and keeps up to where they have gone. On a database of one process in short
 * steps of another thread, between which others write; of several processes whole pieces are dropped, of which there is one for each
 * month. The newest change of the former stays. Before that, those of erased tables go, and the values of erased fields.
 */
export async function sweepChanges(store: Uses<'db' | 'writeAside' | 'environment' | 'settings'>): Promise<void> {
  const { environment, settings } = store
  await sweepErased(store)
  const before = localTime(environment.now() - settings.changeDays * DAY, settings.timeZone)
  if (store.db.dialect.shared) await dropPieces(store, before)
  else await eraseInSteps(store, before)
  const [rows] = await store.db.read(sql`SELECT value FROM meta WHERE name = ${GONE}`)
  if (!rows![0]) return
  const gone = Number(rows![0][0])
  await forgetFilesUpTo(store, gone)
  await forgetBatches(store, gone)
}

async function eraseInSteps(store: Uses<'db' | 'writeAside'>, before: string): Promise<void> {
  const { bytesOf } = store.db.dialect
  await inSteps(async (size) => {
    const [rows] = await store.db.read(sql`SELECT id, made_at, ${bytesOf(sql`content`)} FROM changes
      WHERE id < (SELECT max(id) FROM changes) ORDER BY id LIMIT ${size}`)
    let [last, erased, bytes] = [0, 0, 0]
    for (const [i, [id, madeAt, length]] of rows!.entries()) {
      // A row that is not old ends the step: what comes after one with an older time was written while a clock was wrong.
      if (String(madeAt) >= before || ((bytes += Number(length)) > BYTES && i > 0)) break
      ;[last, erased] = [Number(id), i + 1]
    }
    if (erased === 0) return { erased, milliseconds: 0, isEnd: true }
    const milliseconds = await store.writeAside(async () => [sql`DELETE FROM changes WHERE id <= ${last}`, goneUpTo(last)])
    return { erased, milliseconds, isEnd: false }
  })
}

const goneUpTo = (last: number): Sql =>
  sql`INSERT INTO meta (name, value) VALUES (${GONE}, ${String(last)}) ON CONFLICT (name) DO UPDATE SET value = excluded.value`

/**
 * Of several processes that do this at once, one drops a piece, and the others find that it is gone. Where somebody reads the log for
 * long, such as a dump, the piece stays until the next time: writes do not wait for them. Up to where changes go is committed before they
 * go: whoever waits for a piece that is being dropped has read that already, and does not take what is missing for nothing.
 */
async function dropPieces(store: Uses<'db' | 'environment' | 'settings'>, before: string): Promise<void> {
  const month = monthOf(localTime(store.environment.now(), store.settings.timeZone))
  try {
    await store.db.write(
      async (tx) => {
        const ends = (await oldPieces(tx, before)).flatMap(({ last }) => last ?? [])
        if (ends.length > 0) await tx.run(goneUpTo(Math.max(...ends)))
      },
      { alone: true },
    )
    await store.db.write(
      async (tx) => {
        for (const { piece } of await oldPieces(tx, before)) await tx.alterStructure(sql`DROP TABLE ${name(`changes_${piece}`)}`)
        const newest = Math.max(...(await piecesIn(tx)))
        const [first] = await endOf(tx, newest, sql`ASC`)
        if (first && monthOf(String(first[1])) < month) await beginPiece(tx, newest + 1)
      },
      { alone: true, yields: true },
    )
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'server.unavailable') throw error
  }
}

const piecesIn = async (tx: Transaction): Promise<number[]> => (await tx.all(piecesOfLog)).map(([number]) => Number(number))

const endOf = (tx: Transaction, piece: number, way: Sql): Promise<Row[]> =>
  tx.all(sql`SELECT id, made_at FROM ${name(`changes_${piece}`)} ORDER BY id ${way} LIMIT 1`)

/** The pieces whose last change is too old, with its id; undefined: there is none. Never the newest piece. */
async function oldPieces(tx: Transaction, before: string): Promise<{ piece: number; last: number | undefined }[]> {
  const pieces = await piecesIn(tx)
  const old: { piece: number; last: number | undefined }[] = []
  for (const piece of pieces.filter((one) => one !== Math.max(...pieces))) {
    const [last] = await endOf(tx, piece, sql`DESC`)
    if (!last || String(last[1]) < before) old.push({ piece, last: last && Number(last[0]) })
  }
  return old
}

/** YYYY-MM */
export const monthOf = (madeAt: string): string => madeAt.slice(0, 7)

/** The numbers of the pieces, the oldest first. */
const piecesOfLog = sql`SELECT substring(relname FROM '[0-9]+$')::bigint AS piece FROM pg_class, pg_inherits
  WHERE pg_class.oid = inhrelid AND inhparent = 'changes'::regclass ORDER BY piece`

/** From now on changes are written into a new piece of the log. */
export async function beginNextPiece(tx: Transaction): Promise<void> {
  const pieces = await tx.all(piecesOfLog)
  await beginPiece(tx, Number(pieces.at(-1)![0]) + 1)
}

async function beginPiece(tx: Transaction, piece: number): Promise<void> {
  const table = `changes_${piece}`
  await tx.createTable(table, sql`CREATE TABLE ${name(table)} PARTITION OF changes FOR VALUES IN (${constant(piece)})`)
  await tx.alterStructure(sql`ALTER TABLE changes ALTER COLUMN piece SET DEFAULT ${constant(piece)}`)
}
