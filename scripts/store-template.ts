/*
 * node scripts/store-template.ts sqlite <file> | postgres <address>: lays out an empty database once for a run of the tests, which copy it
 * (test/support/scratch-store.ts) instead of running all migrations for each installation. No installation is begun in it: it has no name
 * and no user yet.
 */
import { makeTrigrams } from '../src/sql/postgres-indexes.ts'
import { openPostgres } from '../src/store/postgres/database.ts'
import { migrate } from '../src/store/schema/migrate.ts'
import { openSqlite } from '../src/store/sqlite/database.ts'

const [engine, place = ''] = process.argv.slice(2)
const db = engine === 'sqlite' ? openSqlite(place) : openPostgres(place)
try {
  await migrate(db)
  if (engine !== 'sqlite') await db.write((tx) => tx.run(makeTrigrams), { alone: true })
} finally {
  await db.close()
}
