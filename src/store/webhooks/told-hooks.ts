import { memo } from '../../memory/memo.ts'
import type { Db } from '../ground/db.ts'

/* Tells the deliverer of this process at once that webhooks or waiting deliveries have changed. */

const listeners = memo((_: Db) => new Set<() => void>())

/** Calls `listener` when webhooks or waiting deliveries were changed by this process. Returns how to end that. */
export function whenHooksChange(db: Db, listener: () => void): () => void {
  listeners(db).add(listener)
  return () => void listeners(db).delete(listener)
}

/** After the commit. */
export function tellHooks(db: Db): void {
  for (const listener of listeners(db)) listener()
}
