import { name, parameters, sql, type Param, type Sql } from '../../sql/sql.ts'
import type { Actor } from '../model/access.ts'
import type { Act } from './changes.ts'
import type { Transaction } from './db.ts'
import { insertUnlogged, readRow, selectList, updateUnlogged, type Identified, type Logged, type Unlogged } from './relation.ts'

/*
 * Rows of system tables that are resources of the service: structure, rights, users. They are written here alone, which a test in
 * test/architecture checks. So each change of them is told to the ledgers, in its transaction, by the states of the rows before and after
 * it. Where no ledger asks for images, nothing is read for that.
 */

type Values<T extends Identified> = Partial<Omit<T, 'id'>>
type Extra = Readonly<Record<string, Param>>

/** Writes a row; its id. `extra`: columns that the relation does not show. */
export const insertRow = <T extends Identified>(
  tx: Transaction,
  by: Actor,
  relation: Logged<T>,
  values: Values<T>,
  extra: Extra = {},
): Promise<number> => creating(tx, by, relation, () => insertUnlogged(tx, plainly(relation), values, extra))

/** The same with another statement, which gives the id. */
export async function creating<T extends Identified>(
  tx: Transaction,
  by: Actor,
  relation: Logged<T>,
  insert: () => Promise<number>,
): Promise<number> {
  const id = await insert()
  if (tx.images) {
    tell(tx, by, relation, id, undefined)
    await tellStates(tx, by, relation, [id])
  }
  return id
}

export async function updateRow<T extends Identified>(
  tx: Transaction,
  by: Actor,
  relation: Logged<T>,
  id: number,
  values: Values<T>,
  extra: Extra = {},
): Promise<void> {
  if (Object.keys(values).length + Object.keys(extra).length === 0) return
  const write = () => updateUnlogged(tx, plainly(relation), id, values, extra)
  const isSecret = Object.keys(extra).some((column) => relation.logging.secret.includes(column))
  await changing(tx, by, relation, sql`id = ${id}`, write, { isSecret })
}

/** What the service notes by itself (`silent`): not logged. `extra`: columns that are noted with it. */
export async function updateSilently<T extends Identified>(
  tx: Transaction,
  relation: Logged<T>,
  id: number,
  values: Values<T>,
  extra: Extra = {},
): Promise<void> {
  const other = Object.keys(values).find((property) => !relation.logging.silent.includes(property as keyof T))
  if (other !== undefined) throw new Error(`A change of ${other} must be logged.`)
  await updateUnlogged(tx, plainly(relation), id, values, extra)
}

/** Returns how many rows there were. */
export async function deleteRows<T extends Identified>(tx: Transaction, by: Actor, relation: Logged<T>, which: Sql): Promise<number> {
  if (!tx.images) return tx.run(sql`DELETE FROM ${name(relation.table)} WHERE ${which}`)
  const ids = await held(tx, relation, which)
  await tellStates(tx, by, relation, ids)
  for (const some of inPieces(ids)) await tx.run(sql`DELETE FROM ${name(relation.table)} WHERE ${among(some)}`)
  for (const id of ids) tell(tx, by, relation, id, undefined)
  return ids.length
}

/** Runs work that changes these rows, or what belongs to them in other tables. `restore`: it brings them back from the trash. */
export async function changing<T extends Identified, R>(
  tx: Transaction,
  by: Actor,
  relation: Logged<T>,
  which: Sql,
  work: () => Promise<R>,
  { act, isSecret }: { readonly act?: 'restore'; readonly isSecret?: boolean } = {},
): Promise<R> {
  if (!tx.images) return work()
  const ids = await held(tx, relation, which)
  await tellStates(tx, by, relation, ids)
  const result = await work()
  await tellStates(tx, by, relation, ids, act, isSecret)
  return result
}

/** Deletes rows for good that were in the trash. Logged is only that they were erased. Returns how many there were. */
export async function eraseRows<T extends Identified>(tx: Transaction, by: Actor, relation: Logged<T>, which: Sql): Promise<number> {
  const erased = await tx.runReturning(sql`DELETE FROM ${name(relation.table)} WHERE ${which} RETURNING id`)
  if (tx.images) for (const [id] of erased) tell(tx, by, relation, Number(id), undefined, 'erase')
  return erased.length
}

/** The ids of rows; no other transaction changes them until the end of this one. */
async function held<T extends Identified>(tx: Transaction, { table }: Logged<T>, which: Sql): Promise<number[]> {
  const rows = await tx.runReturning(sql`UPDATE ${name(table)} SET id = id WHERE ${which} RETURNING id`)
  return rows.map(([id]) => Number(id)).sort((one, other) => one - other)
}

async function tellStates<T extends Identified>(
  tx: Transaction,
  by: Actor,
  relation: Logged<T>,
  ids: readonly number[],
  act?: Act,
  isSecret = false,
): Promise<void> {
  const { columns, logging } = relation
  const shown = Object.entries<readonly [column: string, type: string]>(columns).filter(
    ([property]) => property !== 'id' && !logging.silent.includes(property as keyof T),
  )
  for (const some of inPieces(ids)) {
    const rows = await tx.all(sql`SELECT ${selectList(relation)} FROM ${relation.from} WHERE ${among(some)}`)
    const found = new Map(rows.map((row) => readRow(relation, row)).map((row) => [row.id, row]))
    for (const id of some) {
      const row = found.get(id)
      const besides = row && (await logging.besides?.((query) => tx.all(query), id))
      const state = row && { ...Object.fromEntries(shown.map(([property, [column]]) => [column, row[property as keyof T]])), ...besides }
      tell(tx, by, relation, id, state, act, isSecret)
    }
  }
}

function tell<T extends Identified>(
  tx: Transaction,
  by: Actor,
  { logging: { type, partly } }: Logged<T>,
  recordId: number,
  columns: Readonly<Record<string, unknown>> | undefined,
  act: Act = 'update',
  isSecret = false,
): void {
  const resource = { type, columns, partly, ...(isSecret && { isSecret }) } as const
  tx.changed({ tableId: 0, recordId, change: 0, act, by, image: undefined, resource })
}

const plainly = <T extends Identified>(relation: Logged<T>): Unlogged<T> => relation as unknown as Unlogged<T>

/** Rows of one statement, at most. */
const TOGETHER = 500

function* inPieces(ids: readonly number[]): Generator<readonly number[]> {
  for (let i = 0; i < ids.length; i += TOGETHER) yield ids.slice(i, i + TOGETHER)
}

const among = (ids: readonly number[]): Sql => sql`id IN (${parameters(ids)})`
