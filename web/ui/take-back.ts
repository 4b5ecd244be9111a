import { lastAct, redo, undo, undoOf, type Done, type TakenBack } from '../api/undo.ts'
import { useWords } from '../i18n/words.ts'
import { toast } from './toast.tsx'

/** Takes back what the person has done last, or does it again, and says so. */
export function useTakeBack(trouble: (error: unknown) => string): { readonly undo: () => void; readonly redo: () => void } {
  const go = useGoing(trouble)
  return { undo: () => void go(undo, 'nothingToUndo', 'undone'), redo: () => void go(redo, 'nothingToRedo', 'redone') }
}

/** The *Undo* of a toast: it takes back the act that the toast tells of, which is the last one unless told, also where others came after it. */
export function useUndoOf(trouble: (error: unknown) => string): (act?: Done) => (() => void) | undefined {
  const go = useGoing(trouble)
  return (act = lastAct()) => act && (() => void go(() => undoOf(act), 'nothingToUndo', 'undone'))
}

function useGoing(trouble: (error: unknown) => string) {
  const say = useWords()
  return async (
    work: () => Promise<TakenBack | undefined>,
    none: 'nothingToUndo' | 'nothingToRedo',
    done: 'undone' | 'redone',
  ): Promise<void> => {
    try {
      const back = await work()
      if (!back) return toast(say(none))
      toast(back.conflicts > 0 ? say('undoneBut', { count: back.conflicts }) : say(done))
    } catch (error) {
      toast(trouble(error))
    }
  }
}
