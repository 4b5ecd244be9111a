import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Db } from '../../src/store/ground/db.ts'
import { openPostgres } from '../../src/store/postgres/database.ts'
import { openSqlite } from '../../src/store/sqlite/database.ts'
import { cluster, distribution, scratchDatabase } from './scratch-database.ts'

/** An empty database of the engine that the run is about. */
export async function scratchDb(): Promise<{ db: Db; remove(): Promise<void> }> {
  if (cluster !== undefined) {
    const { url, drop } = await scratchDatabase()
    const db = openPostgres(url, { distribution })
    return {
      db,
      async remove() {
        await db.close()
        await drop()
      },
    }
  }
  const directory = mkdtempSync(join(tmpdir(), 'kartoteka-db-'))
  const db = openSqlite(join(directory, 'test.sqlite'))
  return {
    db,
    async remove() {
      await db.close()
      rmSync(directory, { recursive: true })
    },
  }
}
