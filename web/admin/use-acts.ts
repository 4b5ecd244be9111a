import { useEffect } from 'react'
import { useViewing } from '../api/viewing.ts'
import type { Done } from '../api/undo.ts'
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
  return (name: string, work: () => Promise<Done>, words: string | null = say('adminChanged', { name })): Promise<boolean> =>
    doing.run(async () => {
      const done = await work()
      if (words !== null) toast(words, undoOf(done))
    })
}

/** Ctrl+Z on a page. */
export function useUndoKeys(): void {
  const isViewing = useViewing() !== undefined
  const takeBack = useTakeBack(useTrouble())
  useEffect(() => (isViewing ? undefined : act('administration', takeBack)))
}
