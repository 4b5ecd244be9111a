import { fail } from '../../errors.ts'
import { name, sql } from '../../sql/sql.ts'
import { createTwins, createUnique, dropUnique } from '../structure/columns.ts'
import { continueFrom, reachedIn } from '../changes/continue-positions.ts'
import { beginNextPiece, monthOf } from '../changes/sweep-changes.ts'
import type { Db, Row, Transaction } from '../ground/db.ts'
import { loadCatalogue, within } from '../catalogue/load-catalogue.ts'
import { addition, checksum, recounted, rowsOf, tablesOf, writeRows, type Column } from './migrate-tables.ts'
import { BLOCK } from '../ground/positions.ts'
import { systemTables } from '../schema/system-tables.ts'
import { COMING, hasMoved, MARK, markMoved, MOVED, standingOf, type Moved } from '../schema/standing.ts'

/*
 * Copies a whole installation to another store, of the same engine or not. Nobody writes to the first store meanwhile. An interrupted run
 * is continued by the next one: copied records stay, system tables are written again. At the end every table is read from both stores
 * and compared.
 */

const ofRecords = /^(data|trash)(\d+)$/

export interface Migrated {
  readonly table: string
  readonly rows: number
  /** SHA-256 of the rows, the same in both stores. */
  readonly sum: string
}

/**
 * Both stores have the schema of this version. `moved`: the mark of the first store, which it gets when all is compared and before the
 * other one may be used, so that both are never in use.
 * @throws `migration.unfinished`, `migration.target_not_empty`, `migration.different`, `installation.moved`
 */
export async function migrateStore(
  from: Db,
  to: Db,
  progress: (done: number, total: number) => Promise<void>,
  moved?: Moved,
): Promise<Migrated[]> {
  const before = await standingOf(from)
  if (before.isComing) throw fail('migration.unfinished')
  // Asked before anything is held as well: both addresses may lead to the same store, which would wait for itself.
  const { isTaken, mark } = await startedIn(to)
  if (isTaken && mark === undefined) throw fail('migration.target_not_empty')
  // Marked by a run that was cut short right after, or long ago.
  if (before.moved && mark !== before.instance) throw hasMoved(before.moved)
  const migrated = await from.write(
    async (source) => {
      for (const statement of from.dialect.unhurried) await source.run(statement)
      const tables = withoutOwn(await tablesOf(source, from.dialect))
      const there = await to.write((tx) => tablesOf(tx, to.dialect))
      await begin(source, to)
      const system = [...tables.keys()].filter((table) => there.has(table) && isCopied(table))
      for (const table of system) await copyWhole({ from, source, to, table, columns: tables.get(table)! })
      await to.write((tx) =>
        tx.run(sql`UPDATE indexes SET state = CASE WHEN wish = 'forbidden' THEN 'none' ELSE 'waiting' END,
        index_name = '', made_of = '', made_at = '0000-00-00 00:00:00', covered = 0, bytes = 0, failure = '', failurek = ''`),
      )
      const records = [...tables.keys()].filter((table) => ofRecords.test(table))
      await makeTwins(records, tables, there, to)
      await copyRecords({ from, source, to }, records, tables, progress)
      await finish(
        from,
        source,
        to,
        [...system, ...records].filter((table) => tables.get(table)!.some((column) => column.name === 'id')),
        records,
      )
      const reached = await reachedIn(source, from.dialect)
      await to.write((tx) => continueFrom(tx, to.dialect, reached), { alone: true })
      const compared = await compare({ from, source, to }, [...system, ...records], tables)
      if (moved) await markMoved(source, from, moved)
      return compared
    },
    { alone: true },
  )
  await to.write((tx) => tx.run(sql`DELETE FROM meta WHERE name = ${MARK}`))
  return migrated
}

interface Stores {
  readonly from: Db
  readonly source: Transaction
  readonly to: Db
}

/** Marks the target. What it contains already must come from the same installation. */
async function begin(source: Transaction, to: Db): Promise<void> {
  const [[instance] = []] = await source.all(sql`SELECT value FROM meta WHERE name = 'instance'`)
  const { isTaken, mark } = await startedIn(to)
  if (mark === undefined ? isTaken : mark !== instance) throw fail('migration.target_not_empty')
  await to.write(async (tx) => {
    if (mark === undefined) await tx.run(sql`INSERT INTO meta (name, value) VALUES (${MARK}, ${instance!})`)
    await tx.run(sql`DELETE FROM migrations WHERE number = ${COMING}`)
  })
}

/** Without columns that belong to a store. */
const withoutOwn = (tables: ReadonlyMap<string, readonly Column[]>): Map<string, readonly Column[]> =>
  new Map(
    [...tables].map(([table, columns]) => {
      const own: readonly string[] = systemTables.get(table)?.ownColumns ?? []
      return [table, columns.filter((column) => !own.includes(column.name))]
    }),
  )

const isCopied = (table: string): boolean => systemTables.has(table) && !systemTables.get(table)!.ownOfStore

/** Whether a store is in use already; and, if it is not complete, the mark of the installation that is being moved to it. */
async function startedIn({ read }: Db): Promise<{ readonly isTaken: boolean; readonly mark: unknown }> {
  const [used, mark] = await read(
    sql`SELECT (SELECT count(*) FROM users) + (SELECT count(*) FROM tables)`,
    sql`SELECT value FROM meta WHERE name = ${MARK}`,
  )
  return { isTaken: Number(used![0]![0]) > 0, mark: mark![0]?.[0] }
}

async function copyWhole({ from, source, to, table, columns }: Stores & { table: string; columns: readonly Column[] }): Promise<void> {
  await to.write((tx) => tx.run(table === 'meta' ? sql`DELETE FROM meta WHERE name <> ${MARK}` : sql`DELETE FROM ${name(table)}`))
  const all = withoutMarks(rowsOf(source, from.dialect, table, columns), table)
  if (table === 'changes' && to.dialect.shared) return copyInPieces(to, columns, all)
  for await (const rows of all) await to.write((tx) => writeRows(tx, table, columns, rows))
}

/** The log, with a piece for the changes of each month. */
async function copyInPieces(to: Db, columns: readonly Column[], all: AsyncIterable<readonly Row[]>): Promise<void> {
  const place = columns.findIndex((column) => column.name === 'made_at')
  let month: string | undefined
  for await (const rows of all) {
    for (const [next, some] of Map.groupBy(rows, (row) => monthOf(String(row[place])))) {
      if (month !== undefined && next > month) await to.write(beginNextPiece, { alone: true })
      month = month === undefined || next > month ? next : month
      await to.write((tx) => writeRows(tx, 'changes', columns, some))
    }
  }
}

async function makeTwins(
  records: readonly string[],
  tables: ReadonlyMap<string, readonly Column[]>,
  there: ReadonlyMap<string, unknown>,
  to: Db,
): Promise<void> {
  const missing = records.filter((table) => !there.has(table))
  for (const table of missing.filter((one) => one.startsWith('data'))) {
    const id = Number(ofRecords.exec(table)![2])
    await to.write(
      async (tx) => {
        await createTwins(tx, to.dialect, id)
        const made = await tablesOf(tx, to.dialect)
        for (const twin of [table, `trash${id}`]) {
          const known = new Set(made.get(twin)!.map((column) => column.name))
          for (const column of tables.get(twin)!) if (!known.has(column.name)) await tx.alterStructure(addition(twin, column, to.dialect))
        }
      },
      { alone: true },
    )
  }
}

async function copyRecords(
  { from, source, to }: Stores,
  records: readonly string[],
  tables: ReadonlyMap<string, readonly Column[]>,
  progress: (done: number, total: number) => Promise<void>,
): Promise<void> {
  let total = 0
  for (const table of records) total += Number((await source.all(sql`SELECT count(*) FROM ${name(table)}`))[0]![0])
  let done = 0
  for (const table of records) {
    const columns = tables.get(table)!
    const [[last, count] = []] = (await to.read(sql`SELECT coalesce(max(id), 0), count(*) FROM ${name(table)}`))[0]!
    done += Number(count)
    for await (const rows of rowsOf(source, from.dialect, table, columns, BigInt(Number(last)))) {
      await to.write((tx) => writeRows(tx, table, columns, rows))
      await progress((done += rows.length), total)
    }
  }
}

/** Writes what the new store derives from the records, and sets its next ids. */
async function finish(from: Db, source: Transaction, to: Db, withIds: readonly string[], records: readonly string[]): Promise<void> {
  for (const table of records.filter((one) => one.startsWith('data'))) {
    const id = Number(ofRecords.exec(table)![2])
    await to.write(async (tx) => {
      for (const statement of recounted(id, table, BLOCK, to.dialect)) await tx.run(statement)
    })
  }
  for (const table of withIds.filter((one) => !one.startsWith('trash') || one === 'trash')) {
    const [query] = from.dialect.lastId(table)
    const last = query ? Number((await source.all(query))[0]?.[0] ?? 0) : 0
    if (last > 0) await to.write(async (tx) => void (await Promise.all(to.dialect.setLastId(table, last).map((one) => tx.run(one)))))
  }
  await makeUnique(to)
}

/** Makes the unique indexes of all tables, including those in the trash. */
async function makeUnique(to: Db): Promise<void> {
  await to.write(
    async (tx) => {
      const trashed = await tx.all(sql`SELECT id, deleted FROM tables WHERE deleted <> ''`)
      await tx.run(sql`UPDATE tables SET deleted = ''`)
      const { tables } = await loadCatalogue(within(tx), to.dialect)
      for (const [id, deleted] of trashed) await tx.run(sql`UPDATE tables SET deleted = ${deleted!} WHERE id = ${id!}`)
      for (const { id, fields } of tables.values())
        for (const field of fields.filter(({ settings }) => settings.unique)) {
          await dropUnique(tx, to.dialect, id, field.column)
          await createUnique(tx, to.dialect, id, field)
        }
    },
    { alone: true },
  )
}

/** @throws `migration.different` */
async function compare(
  { from, source, to }: Stores,
  names: readonly string[],
  tables: ReadonlyMap<string, readonly Column[]>,
): Promise<Migrated[]> {
  const migrated: Migrated[] = []
  for (const table of names.filter((one) => one !== 'indexes')) {
    // Totals are kept elsewhere where several processes count.
    const columns = tables.get(table)!.filter((column) => column.name !== 'record_count')
    const before = await checksum(withoutMarks(rowsOf(source, from.dialect, table, columns), table))
    const now = await to.write((tx) => checksum(withoutMarks(rowsOf(tx, to.dialect, table, columns), table)))
    if (before.sum !== now.sum) throw fail('migration.different', { table, before: before.rows, now: now.rows })
    migrated.push({ table, ...now })
  }
  return migrated
}

async function* withoutMarks(rows: ReturnType<typeof rowsOf>, table: string): ReturnType<typeof rowsOf> {
  for await (const some of rows) yield table === 'meta' ? some.filter(([key]) => key !== MARK && key !== MOVED) : some
}
