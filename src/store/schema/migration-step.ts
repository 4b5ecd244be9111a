import type { Sql } from '../../sql/sql.ts'
import type { Transaction } from '../ground/db.ts'

/** One statement of a migration, with the method of the transaction that runs it; or what takes several. */
export type Step =
  | { readonly by: 'createTable'; readonly table: string; readonly statement: Sql }
  | { readonly by: 'alterStructure' | 'run'; readonly statement: Sql }
  | { readonly by: 'work'; readonly work: (tx: Transaction) => Promise<void> }

export const createTable = (table: string, statement: Sql): Step => ({ by: 'createTable', table, statement })

/** Changes or drops what is there, or makes an index. */
export const alter = (statement: Sql): Step => ({ by: 'alterStructure', statement })

/** Changes rows. */
export const change = (statement: Sql): Step => ({ by: 'run', statement })

/** Changes rows by what it reads. */
export const work = (doing: (tx: Transaction) => Promise<void>): Step => ({ by: 'work', work: doing })

export async function perform(tx: Transaction, step: Step): Promise<void> {
  if (step.by === 'createTable') await tx.createTable(step.table, step.statement)
  else if (step.by === 'work') await step.work(tx)
  else await tx[step.by](step.statement)
}
