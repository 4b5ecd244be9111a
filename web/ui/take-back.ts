import { redo, undo } from '../api/undo.ts'
import { useWords } from '../i18n/words.ts'
import { toast } from './toast.tsx'

/** Takes back what the person has done last, or does it again, and says so. */
export function useTakeBack(trouble: (error: unknown) => string): { readonly undo: () => void; readonly redo: () => void } {
  const say = useWords()
  const go = async (act: typeof undo, none: 'nothingToUndo' | 'nothingToRedo', done: 'undone' | 'redone') => {
    try {
      const back = await act()
      if (!back) return toast(say(none))
      toast(back.conflicts > 0 ? say('undoneBut', { count: back.conflicts }) : say(done))
    } catch (error) {
      toast(trouble(error))
    }
  }
  return { undo: () => void go(undo, 'nothingToUndo', 'undone'), redo: () => void go(redo, 'nothingToRedo', 'redone') }
}
