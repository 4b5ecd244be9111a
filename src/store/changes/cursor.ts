import { memo } from '../../memory/memo.ts'
import { committed } from '../ground/relation.ts'
import type { Uses } from '../ground/store.ts'
import { endOfLog } from './follow-changes.ts'

type Used = Uses<'db' | 'onCommit' | 'caughtUpTo'>

/**
 * A cursor of the log of changes: all up to it is in what is read from now on. Where several processes write, it is that of the last `catchUp`, which
 * the database told besides; otherwise it is read once after each commit.
 */
export const cursorOf = async (store: Used): Promise<number> => store.caughtUpTo?.() ?? (await endOf(store)())

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
