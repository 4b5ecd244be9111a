import { isPostgresUrl, withoutPassword, type Config } from '../config.ts'
import { lockDirectory } from '../store/directory-lock.ts'
import { migrateStore } from '../store/migrate-store.ts'
import { openDatabase } from '../store/open.ts'
import { UsageError } from './command.ts'
import { enterDirectory } from './enter-directory.ts'
import type { terminal } from './terminal.ts'

/** Brings all records from one store to another, and says for each table what it compared. */
export async function migrate(config: Config, from: string, to: string, output: ReturnType<typeof terminal>): Promise<void> {
  const { data: directory, distribution } = config
  for (const address of [from, to])
    if (address !== 'sqlite' && !isPostgresUrl(address))
      throw new UsageError(
        `'${withoutPassword(address)}' is neither 'sqlite' nor an address such as postgres://user:password@host:5432/database.`,
      )
  if (from === to) throw new UsageError('Both addresses are the same.')
  enterDirectory(directory)
  const unlock = lockDirectory(directory)
  try {
    const source = await openDatabase(from, directory)
    try {
      const target = await openDatabase(to, directory, distribution)
      try {
        const migrated = await migrateStore(source, target, (done, total) => output.progress('records', done, total))
        for (const { table, rows, sum } of migrated) await output.line(`${table}: ${rows} rows, sha256 ${sum}`)
        await output.line('Everything is the same in both stores.')
      } finally {
        await target.close()
      }
    } finally {
      await source.close()
    }
  } finally {
    await output.close()
    unlock()
  }
}
