import { useEffect, useRef } from 'react'
import { useBlocker } from '@tanstack/react-router'
import { useWords } from '../i18n/words.ts'

/** The browser asks before the page is closed or loaded again. */
export function useLeaving(isUnsaved: boolean): void {
  useEffect(() => {
    if (!isUnsaved) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [isUnsaved])
}

/** What the address of a page says of the form that is open. What else it says, such as a filter of the list beside, is no other form. */
export const OPENED = ['field', 'user', 'webhook'] as const

/** Nobody leaves without a question what is not saved. `onLeave`: they leave. `staysWith`: what is not left while the path and these parts of the search stay. */
export function useQuestion(
  isUnsaved: () => boolean,
  {
    isShown,
    question = 'leaveUnsaved',
    staysWith,
    onLeave,
  }: {
    isShown: boolean
    question?: 'leaveUnsaved' | 'leaveFiles' | 'leaveSecret'
    staysWith?: readonly string[]
    onLeave?: () => void
  },
): void {
  const say = useWords()
  useLeaving(isShown)
  useBlocker({
    shouldBlockFn: ({ current, next }) => {
      const [from, to]: readonly Readonly<Record<string, unknown>>[] = [current.search, next.search]
      if (next.pathname === current.pathname && staysWith?.every((name) => from?.[name] === to?.[name])) return false
      // A session that has ended: the way leads back here.
      if (next.pathname === '/sign-in' && 'ended' in next.search) return false
      if (isUnsaved() && !window.confirm(say(question))) return true
      onLeave?.()
      return false
    },
    enableBeforeUnload: false,
    disabled: !isShown && !onLeave,
  })
}

/**
 * The same for a form. `typed`: what would be lost, as a text; undefined: nothing. `error`: why it was refused; `staysWith`: the parts of the search that
 * open it. What is returned is called when it is sent: until something else is typed or it is refused the way is free, such as to what was made of it.
 * null: it was refused.
 */
export function useUnsaved(
  typed: string | undefined,
  error?: unknown,
  staysWith: readonly string[] = OPENED,
): (sent?: string | null) => void {
  const sent = useRef<string>(undefined)
  useEffect(() => {
    if (error !== undefined) sent.current = undefined
  }, [error])
  useQuestion(() => sent.current !== typed, { isShown: typed !== undefined, staysWith })
  return (text = typed) => void (sent.current = text ?? undefined)
}
