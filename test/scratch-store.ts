import { mkdtempSync, rmSync } from 'node:fs'
import { randomBytes } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openStore } from '../src/store/open.ts'
import type { Store, StoreSettings } from '../src/store/store.ts'

/** An installation, new in a directory of its own unless one is named, with a clock that stands still until it is moved. */
export async function scratchStore(
  settings: Partial<StoreSettings> = {},
  directory: string = mkdtempSync(join(tmpdir(), 'kartoteka-store-')),
): Promise<{ store: Store; clock: { now: number }; directory: string; remove(): Promise<void> }> {
  const clock = { now: Date.UTC(2024, 4, 1, 9, 30, 15) }
  const environment = { now: () => clock.now, randomBytes: (count: number) => randomBytes(count) }
  const day = 86_400
  const store = await openStore({
    directory,
    environment,
    settings: {
      timeZone: 'UTC',
      trashDays: 30,
      tokenLifetime: day / 2,
      tokenLifetimeMax: 30 * day,
      workers: 1,
      queryTimeout: 20_000,
      ...settings,
    },
  })
  return {
    store,
    clock,
    directory,
    async remove() {
      await store.close()
      rmSync(directory, { recursive: true })
    },
  }
}
