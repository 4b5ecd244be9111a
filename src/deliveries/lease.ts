import { randomText } from '../store/ground/random-text.ts'
import type { Store } from '../store/ground/store.ts'
import { hold, release } from '../store/webhooks/lease.ts'

/** Milliseconds for which a process has the lease, and after which it renews it. */
const LEASE = 10_000
const RENEW = 3_000

/** Makes this process the only one that delivers. Where there are no other processes it always is. */
export interface Lease {
  /** Takes it, or renews it where that is due. */
  hold(): Promise<'held' | 'taken' | 'by another'>
  /** Gives it back, so that another process has it at once. */
  end(): Promise<void>
}

/** `lost`: called when it could not be renewed in time, and this process must not deliver any more. */
export function leaseOf(store: Store, lost: () => void): Lease {
  if (!store.db.dialect.shared) return { hold: async () => 'held', end: async () => {} }
  const holder = randomText(store, 16)
  let holds = false
  let isFresh = false
  let ends: NodeJS.Timeout | undefined
  let renews: NodeJS.Timeout | undefined
  const lose = () => {
    holds = isFresh = false
    clearTimeout(ends)
    clearTimeout(renews)
    lost()
  }
  return {
    async hold() {
      if (holds && isFresh) return 'held'
      // Counted from before it is renewed, so that it ends here no later than in the database.
      const end = setTimeout(lose, LEASE).unref()
      const had = holds
      try {
        if (!(await hold(store, holder, LEASE))) {
          clearTimeout(end)
          lose()
          return 'by another'
        }
      } catch (error) {
        clearTimeout(end)
        throw error
      }
      clearTimeout(ends)
      ends = end
      holds = isFresh = true
      renews = setTimeout(() => (isFresh = false), RENEW).unref()
      return had ? 'held' : 'taken'
    },
    async end() {
      const had = holds
      lose()
      if (had) await release(store, holder)
    },
  }
}
