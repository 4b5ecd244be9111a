import { fail } from '../../errors.ts'
import { sql } from '../../sql/sql.ts'
import type { Db, Row, Transaction } from '../ground/db.ts'
import { perform } from './migration-step.ts'
import { migrations } from './migrations/index.ts'
import { COMING } from './standing.ts'

const applied = sql`SELECT number FROM migrations`
const numbersIn = (rows: readonly Row[]): Set<number> => new Set(rows.map(([number]) => Number(number)))

/** Of an installation that is being moved here: whether its mark is refused, is made before anything else, or may be there. */
type Coming = 'refused' | 'begun' | 'allowed'

/**
 * Applies what is missing, in order; of several processes that start, one does. A database that is up to date is only read. A new one is
 * laid out in one transaction, except over several servers; for an older one, each migration has a transaction of its own.
 * @throws `database.newer`, `migration.unfinished`
 */
export async function migrate(db: Db, coming: Coming = 'refused'): Promise<void> {
  const { dialect } = db
  const [tables] = await db.read(dialect.tablesAmong(['migrations']))
  const before = tables!.length === 0 ? new Set<number>() : numbersIn((await db.read(applied))[0]!)
  mustBeFit(before, coming)
  const missing = migrations.flatMap((_, i) => (before.has(i + 1) ? [] : [i]))
  if (missing.length === 0 && coming !== 'begun') return
  const isAtOnce = before.size === 0 && !dialect.keysApart
  await db.write(
    async (tx) => {
      await tx.createTable('migrations', sql`CREATE TABLE IF NOT EXISTS migrations (number ${dialect.integer} NOT NULL PRIMARY KEY)`)
      if (coming === 'begun') await tx.run(sql`INSERT INTO migrations (number) VALUES (${COMING}) ON CONFLICT (number) DO NOTHING`)
      if (isAtOnce) for (const i of missing) await apply(tx, db, i, coming)
    },
    { alone: true },
  )
  if (!isAtOnce) for (const i of missing) await db.write((tx) => apply(tx, db, i, coming), { alone: true })
}

/** Unless another process has done it since it was asked what is there. */
async function apply(tx: Transaction, { dialect }: Db, i: number, coming: Coming): Promise<void> {
  const numbers = numbersIn(await tx.all(applied))
  mustBeFit(numbers, coming)
  if (numbers.has(i + 1)) return
  const tableIds = i === 0 ? [] : (await tx.all(sql`SELECT id FROM tables ORDER BY id`)).map(([id]) => Number(id))
  for (const step of migrations[i]!(dialect, tableIds)) await perform(tx, step)
  await tx.run(sql`INSERT INTO migrations (number) VALUES (${i + 1})`)
}

function mustBeFit(numbers: ReadonlySet<number>, coming: Coming): void {
  if (coming === 'refused' && numbers.has(COMING)) throw fail('migration.unfinished')
  if (numbers.size - Number(numbers.has(COMING)) > migrations.length) throw fail('database.newer')
}
