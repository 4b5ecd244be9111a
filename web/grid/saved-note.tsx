import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { useOutbox } from '../api/outbox.ts'
import { useWords } from '../i18n/words.ts'
import { Icon } from '../ui/icon.tsx'
import type { CellStates } from './states.ts'

/** Milliseconds for which it is told that all is saved, if nothing else is changed. */
const TOLD = 8000

/** In the foot of the grid: whether what was changed is saved. `trouble`: why the list did not come. */
export function SavedNote({ states, trouble }: { readonly states: CellStates; readonly trouble: string | undefined }) {
  const say = useWords()
  useSyncExternalStore(states.subscribe, () => states.version)
  const { waiting, saving, refused } = states.unsaved
  const isSaved = useJustSaved()
  const isDone = isSaved && waiting + saving + refused === 0
  const text =
    waiting > 0
      ? say('cellsWait', { count: waiting })
      : saving > 0
        ? say('saving')
        : refused > 0
          ? say('notSavedCells', { count: refused })
          : (trouble ?? (isDone ? say('allChangesSaved') : ''))
  return (
    <span role="status" className={`state${isDone && trouble === undefined ? ' good' : ''}`}>
      {isDone && trouble === undefined && <Icon name="check" size="s" />}
      {text}
    </span>
  )
}

/** Whether everything that was on its way has been saved just now: in this list and elsewhere, for it is one queue. */
function useJustSaved(): boolean {
  const { writes, batches, ended } = useOutbox()
  const [isTold, setTold] = useState(false)
  const all = [...writes, ...batches].map(({ state }) => state.is)
  const isUnderWay = all.some((is) => is === 'waiting' || is === 'sending')
  /** What had ended before something was on its way. */
  const began = useRef<typeof ended>(undefined)
  useEffect(() => {
    if (isUnderWay) {
      began.current ??= ended
      return setTold(false)
    }
    const was = began.current
    if (!was || (ended.saved === was.saved && ended.refused === was.refused)) return
    began.current = undefined
    // A batch that was refused is not among them any more.
    setTold(ended.refused === was.refused && all.every((is) => is === 'saved'))
  }, [isUnderWay, ended.saved, ended.refused])
  useEffect(() => {
    if (!isTold) return
    const timer = setTimeout(() => setTold(false), TOLD)
    return () => clearTimeout(timer)
  }, [isTold])
  return isTold
}
