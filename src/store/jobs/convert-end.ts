import { name, sql, type Sql } from '../../sql/sql.ts'
import type { Stored } from '../../fields/field-type.ts'
import type { Transaction } from '../ground/db.ts'
import type { Store, Uses } from '../ground/store.ts'
import { recordsOf, trashOf, type Conversion } from '../model/catalogue.ts'
import { difference } from '../records/checksums.ts'
import { settle } from '../records/settle.ts'
import { endSecond, holds } from '../structure/second-columns.ts'
import { bumpTable } from '../structure/tables.ts'
import { writeColumn } from '../structure/write-column.ts'

/* How the second column of a conversion goes: it is emptied in steps, by id, and taken away at the end. */

/** The next records of a twin. */
interface Place {
  readonly twin: string
  readonly after: number
  readonly most: number
}

/** `last`: the id up to which it looked. */
interface Step {
  readonly last: number
  readonly count: number
  readonly isMore: boolean
}

async function endOf(tx: Pick<Transaction, 'all'>, { twin, after, most }: Place): Promise<number | undefined> {
  const next = sql`SELECT id FROM ${name(twin)} WHERE id > ${after} ORDER BY id LIMIT ${most}`
  const [row] = await tx.all(sql`SELECT max(id) FROM (${next}) AS next`)
  return row![0] === null ? undefined : Number(row![0])
}

/** Settles the next records of a twin. */
export async function settleSome(store: Uses<'db' | 'context'>, tx: Transaction, conversion: Conversion, place: Place): Promise<Step> {
  const last = place.after < conversion.lastId ? await endOf(tx, place) : undefined
  if (last === undefined) return { last: place.after, count: 0, isMore: false }
  const { count } = await settle(store, tx, conversion, place.twin, sql`id > ${place.after} AND id <= ${last}`, place.most)
  return { last, count, isMore: true }
}

/** Empties the second column of a conversion that does not come about in the next records of a twin. */
export async function emptySome(store: Uses<'db'>, tx: Transaction, conversion: Conversion, place: Place): Promise<Step> {
  const last = await endOf(tx, place)
  if (last === undefined) return { last: place.after, count: 0, isMore: false }
  const count = await emptyIn(store, tx, conversion, place.twin, sql`id > ${place.after} AND id <= ${last}`)
  return { last, count, isMore: true }
}

async function emptyIn(store: Uses<'db'>, tx: Transaction, { to }: Conversion, twin: string, which: Sql): Promise<number> {
  const { dialect } = store.db
  const value = to.type.exact ? dialect.integerText(name(to.column)) : name(to.column)
  const rows = await tx.all(sql`SELECT id, ${value} FROM ${name(twin)} WHERE ${which} AND ${holds(to)} ORDER BY id${dialect.forUpdate}`)
  const written = rows.map(([id, stored]) => ({
    id: Number(id),
    after: to.type.empty,
    delta: difference([[to.column, stored as Stored, to.type.empty]]),
  }))
  await writeColumn(store, tx, name(twin), to, written)
  return rows.length
}

/** Changes of the log that are read at once. */
const CHANGES = 500

/** A record that others moved to the trash or back while the twins were emptied took along what it held. */
async function emptyMoved(store: Uses<'db'>, tx: Transaction, conversion: Conversion, since: number): Promise<void> {
  const { tableId } = conversion
  for (let after = since, isMore = true; isMore;) {
    const rows = await tx.all(
      sql`SELECT id, record_id FROM changes WHERE id > ${after} AND table_id = ${tableId} ORDER BY id LIMIT ${CHANGES}`,
    )
    const ids = [...new Set(rows.map(([, record]) => Number(record)))]
    if (ids.length > 0)
      for (const twin of [recordsOf(tableId), trashOf(tableId)])
        await emptyIn(store, tx, conversion, twin, store.db.dialect.oneOf(sql`id`, ids))
    after = Number(rows.at(-1)?.[0] ?? after)
    isMore = rows.length === CHANGES
  }
}

/**
 * Takes the second column away, once it is empty in all records. `since`: the position of the log before a conversion that does not come about
 * was emptied. Of one that has come about, whoever moves a record settles it before.
 */
export async function endConversion(store: Store, conversion: Conversion, since?: number): Promise<void> {
  await endUpkeep(store, conversion.tableId)
  await store.restructure(async (tx) => {
    const [row] = await tx.all(sql`SELECT id FROM conversions WHERE id = ${conversion.id} AND phase = ${conversion.phase}`)
    if (!row) return
    if (since !== undefined) await emptyMoved(store, tx, conversion, since)
    await endSecond(tx, store.db.dialect, conversion)
    await bumpTable(tx, conversion.tableId)
  })
}

/** So that a change of the structure does not wait for it, and all writes for that change. */
export async function endUpkeep(store: Uses<'db' | 'writeAside'>, tableId: number): Promise<void> {
  const statements = [recordsOf(tableId), trashOf(tableId)].flatMap((twin) => store.db.dialect.endUpkeep(twin))
  if (statements.length > 0) await store.writeAside(async () => statements)
}
