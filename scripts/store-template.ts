/*
 * node scripts/store-template.ts sqlite <file> | postgres <address>: lays out an empty database once for a run of the tests, which copy it
 * (test/support/scratch-store.ts) instead of running all migrations for each installation. No installation is begun in it: it has no name
 * and no user yet.
 */
import { openPostgres } from '../src/store/postgres/database.ts'
import { migrate } from '../src/store/schema/migrate.ts'
import { openSqlite } from '../src/store/sqlite/database.ts'

const [engine, place = ''] = process.argv.slice(2)
const db = engine === 'sqlite' ? openSqlite(place) : openPostgres(place)
try {
  await migrate(db)
} finally {
  await db.close()
}
