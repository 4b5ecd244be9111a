import { useEffect } from 'react'
import { useViewing } from '../api/viewing.ts'
import { didStructure, type TakeBack } from '../api/undo.ts'
import { act } from '../commands/commands.ts'
import { useWords } from '../i18n/words.ts'
import { useTakeBack, useUndoOf } from '../ui/take-back.ts'
import { toast } from '../ui/toast.tsx'
import { useTrouble } from '../ui/trouble.tsx'
import type { Doing } from './use-doing.ts'

/** Changes of the structure that a toast takes back, and Ctrl+Z as long as the pages are open. `words`: of the toast; null: there is none. */
export function useActs(doing: Doing) {
  const say = useWords()
  const undoOf = useUndoOf(useTrouble())
  return (name: string, work: () => Promise<TakeBack>, words: string | null = say('adminChanged', { name })): Promise<boolean> => {
    let takeBack: Promise<TakeBack> | undefined
    const isDone = doing.run(() => (takeBack = work()))
    // Who presses Ctrl+Z at once means this act, which has not begun where others are before it.
    const act = didStructure(
      name,
      isDone.then(() => takeBack!),
    )
    return isDone.then((is) => {
      if (is && words !== null) toast(words, undoOf(act))
      return is
    })
  }
}

/** Ctrl+Z on a page. */
export function useUndoKeys(): void {
  const isViewing = useViewing() !== undefined
  const takeBack = useTakeBack(useTrouble(), 'structure')
  useEffect(() => (isViewing ? undefined : act('administration', takeBack)))
}
