import { setTimeout as sleep } from 'node:timers/promises'
import { startPostgres } from '../../scripts/postgres.mjs'
import type { Database } from './lives.ts'

/** What was committed outlives the processes: what waits for the disk is nothing a kill could lose. */
const settings = ['fsync=off', 'synchronous_commit=on', 'max_connections=200', 'shared_buffers=64MB']
const TRIES = 50

/** A PostgreSQL of its own that can be killed and started again over the same data. */
export async function killablePostgres(): Promise<
  Database & { readonly settings: Readonly<Record<string, string>>; stop(): Promise<void> }
> {
  let cluster = await startPostgres({ settings })
  const { directory } = cluster
  return {
    settings: { KARTOTEKA_DATABASE_URL: cluster.url() },
    kill: () => cluster.halt('SIGKILL'),
    async restart() {
      for (let tries = 0; ; tries++) {
        try {
          cluster = await startPostgres({ settings, directory })
          return
        } catch (error) {
          // Its own processes may still be about to notice that they are alone.
          if (tries === TRIES) throw error
          await sleep(200)
        }
      }
    },
    stop: () => cluster.stop(),
  }
}
