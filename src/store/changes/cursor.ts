import { memo } from '../../memory/memo.ts'
import { committed } from '../ground/relation.ts'
import type { Uses } from '../ground/store.ts'
import { endOfLog } from './follow-changes.ts'

type Used = Uses<'db' | 'onCommit' | 'caughtUpTo' | 'environment'>

/** Milliseconds after which the end of the log is read anew where several processes write. */
const AGE = 1000

/**
 * A cursor of the log of changes: all up to it is in what is read from now on. Where several processes write, the one that the last `catchUp` told
 * besides, which a long transaction in another database of the server holds back, or the end of the log of a second ago.
 */
export const cursorOf = (store: Used): Promise<number> => (store.caughtUpTo ? latest : endOf)(store)()

const endOf = memo((store: Used) => {
  let known: Promise<number> | undefined
  store.onCommit(() => (known = undefined))
  return () => {
    const reading = (known ??= endOfLog(store, committed(store)))
    reading.catch(() => {
      if (known === reading) known = undefined
    })
    return reading
  }
})

const latest = memo((store: Used) => {
  let end = 0
  let readAt = -Infinity
  return async () => {
    const now = store.environment.now()
    if (now - readAt >= AGE) {
      readAt = now
      end = Math.max(end, await endOfLog(store, committed(store)))
    }
    return Math.max(end, store.caughtUpTo!())
  }
})
