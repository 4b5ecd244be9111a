import { useNavigate } from '@tanstack/react-router'
import { ApiError } from '../api/client.ts'
import { tableName } from '../api/queries.ts'
import { firstOf, lastAct, redo, undo, undoOf, whenTakenBack, type Done } from '../api/undo.ts'
import { useWords } from '../i18n/words.ts'
import { markToasts, toast, toastRefusal, toastWay } from './toast.tsx'

/** The act that each way back takes back: by Ctrl+Z or another button, it may be taken back before. */
const offered = new WeakMap<() => void, Done>()
whenTakenBack((act, isBack) => markToasts((way) => offered.get(way) === act, isBack))

/**
 * Takes back what the person has done last, or does it again, and says so. `shown`: the table of the page, where another one is named, or the
 * structure. What was done before the page was loaded is in the list of last changes; fields and tables come back from the trash.
 */
export function useTakeBack(
  trouble: (error: unknown) => string,
  shown?: number | 'structure',
): { readonly undo: () => void; readonly redo: () => void } {
  const say = useWords()
  const navigate = useNavigate()
  const go = useGoing(trouble, (table) => table !== shown)
  const earlier =
    shown === 'structure'
      ? () => toastWay(say('nothingToUndoButTrash'), say('trashTitle'), () => void navigate({ to: '/trash', search: {} }))
      : () => toastWay(say('nothingToUndo'), say('changesTitle'), () => void navigate({ to: '/changes', search: {} }))
  return { undo: () => void go(undo, 'nothingToUndo', 'undone', earlier), redo: () => void go(redo, 'nothingToRedo', 'redone') }
}

/** The *Undo* of a toast: it takes back the act that the toast tells of, which is the last one unless told, also where others came after it. */
export function useUndoOf(trouble: (error: unknown) => string): (act?: Done) => (() => void) | undefined {
  const go = useGoing(trouble)
  return (act = lastAct()) => {
    if (!act) return undefined
    const way = () => void go((onLong) => undoOf(act, onLong), 'nothingToUndo', 'undone')
    offered.set(way, firstOf(act))
    return way
  }
}

function useGoing(trouble: (error: unknown) => string, isNamed: (table: number) => boolean = () => false) {
  const say = useWords()
  return async (
    work: (onLong: () => void) => ReturnType<typeof undo>,
    none: 'nothingToUndo' | 'nothingToRedo',
    done: 'undone' | 'redone',
    tellNone = () => toast(say(none)),
  ): Promise<void> => {
    const unseen = say(done === 'undone' ? 'undoUnseen' : 'redoUnseen')
    try {
      const back = await work(() => toast(say(done === 'undone' ? 'undoRuns' : 'redoRuns')))
      if (back === 'ignored') return
      if (!back) return tellNone()
      if (back.isUnseen) return toastRefusal(unseen)
      const what = back.conflicts > 0 ? say('undoneBut', { count: back.conflicts }) : say(done)
      const table = isNamed(back.table) ? (back.name ?? tableName(String(back.table))) : undefined
      toast(table === undefined ? what : say('undoneIn', { table, what }))
    } catch (error) {
      // What somebody may not see does not exist for them.
      toastRefusal(error instanceof ApiError && error.code === 'record.not_found' ? unseen : trouble(error))
    }
  }
}
