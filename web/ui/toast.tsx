import { useSyncExternalStore } from 'react'
import { useWords } from '../i18n/words.ts'
import { Icon } from './icon.tsx'

/* What has just been done, with a way back, for some seconds. */

interface Toast {
  readonly text: string
  readonly undo?: (() => void) | undefined
}

/** Milliseconds. */
const SHOWN = 10_000

let current: Toast | undefined
let timer: ReturnType<typeof setTimeout> | undefined
const listeners = new Set<() => void>()

function put(next: Toast | undefined): void {
  clearTimeout(timer)
  current = next
  if (next) timer = setTimeout(() => put(undefined), SHOWN)
  for (const listener of listeners) listener()
}

export const toast = (text: string, undo?: () => void): void => put({ text, undo })

/** Where they are shown: once, in the frame. */
export function Toasts() {
  const say = useWords()
  const shown = useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    () => current,
  )
  return (
    <div aria-live="polite">
      {shown && (
        <div className="toast">
          <span className="cut">{shown.text}</span>
          {shown.undo && (
            <button
              type="button"
              className="button small"
              onClick={() => {
                put(undefined)
                shown.undo?.()
              }}
            >
              <Icon name="undo" />
              <span>{say('undo')}</span>
            </button>
          )}
          <button
            type="button"
            className="button small square"
            aria-label={say('close')}
            title={say('close')}
            onClick={() => put(undefined)}
          >
            <Icon name="x" />
          </button>
        </div>
      )}
    </div>
  )
}
