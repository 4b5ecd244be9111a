import { sql } from '../../sql/sql.ts'
import type { Transaction } from '../ground/db.ts'
import type { Uses } from '../ground/store.ts'

/* Text that a job writes while it runs, in pieces, each in the transaction of its step: the lines that an import refused. */

/** `number`: from 1. */
export async function addPiece(tx: Transaction, job: number, number: number, text: string): Promise<void> {
  const storable = text.replaceAll('\0', '\ufffd').toWellFormed()
  await tx.run(sql`INSERT INTO job_pieces (job_id, number, text) VALUES (${job}, ${number}, ${storable})`)
}

/** The pieces of a job in their order, each read when it is asked for. */
export async function* piecesOf({ db }: Uses<'db'>, job: number): AsyncGenerator<string> {
  for (let number = 0; ;) {
    const [rows] = await db.read(
      sql`SELECT number, text FROM job_pieces WHERE job_id = ${job} AND number > ${number} ORDER BY number LIMIT 1`,
    )
    const [row] = rows!
    if (!row) return
    number = Number(row[0])
    yield String(row[1])
  }
}

/** Erases pieces of jobs that are not there any more. */
export async function sweepPieces({ db }: Uses<'db'>): Promise<void> {
  for (;;) {
    const [rows] = await db.read(
      sql`SELECT job_id FROM job_pieces WHERE NOT EXISTS (SELECT 1 FROM jobs WHERE jobs.id = job_pieces.job_id) LIMIT 1`,
    )
    const [row] = rows!
    if (!row) return
    await db.write((tx) => tx.run(sql`DELETE FROM job_pieces WHERE job_id = ${row[0]!}`))
  }
}
