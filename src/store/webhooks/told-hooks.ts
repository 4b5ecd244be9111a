import { memo } from '../../memory/memo.ts'
import type { Db } from '../ground/db.ts'

/* Tells the part of this process that delivers what has changed, without the wait until it looks by itself. */

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
