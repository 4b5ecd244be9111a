import { useEffect, useId, useRef, useSyncExternalStore } from 'react'
import { useWords } from '../i18n/words.ts'
import { Icon } from './icon.tsx'
import { ToastQueue, type Toast } from './toast-queue.ts'

/* What has just been done, with a way back, for some seconds. */

const queue = new ToastQueue()

export const toast = (text: string, undo?: () => void): void => queue.put(text, undo)

/** Why something was not done. */
export const toastRefusal = (text: string): void => queue.put(text, undefined, { isRefusal: true })

/** With a button that leads on. */
export const toastWay = (text: string, way: string, go: () => void): void => queue.put(text, go, { way })

/** Whether what some of them tell of has been taken back: then they do not offer it. */
export const markToasts = (isIts: (undo: () => void) => boolean, isBack: boolean): void => queue.mark(isIts, isBack)

export const forgetToasts = (): void => queue.clear()

/** Where they are shown: once, in the frame. Each is told to screen readers as it comes. */
export function Toasts() {
  const shown = useSyncExternalStore(queue.listen, queue.visible)
  const box = useRef<HTMLDivElement>(null)
  // A mouse that rests where one comes points at nothing until it is moved. Nor does a finger that has been lifted; browsers let what it touched be
  // hovered until the next touch elsewhere.
  const isPointing = useRef(false)
  const before = useRef<HTMLElement>(undefined)
  // What had the focus before gets it back where the toast that has it goes, and the grid knows which of its cells that is.
  const giveBack = () => {
    const last = before.current
    before.current = undefined
    if (document.activeElement !== document.body) return
    const at = last?.closest('.grid-sheet')?.querySelector<HTMLElement>('.cell[tabindex="0"]') ?? last
    ;(at?.isConnected ? at : document.querySelector<HTMLElement>('#work'))?.focus({ preventScroll: true })
  }
  // An element that goes away tells neither that the pointer nor that the focus has left it.
  const look = () => queue.hold(box.current?.matches(isPointing.current ? ':hover, :focus-within' : ':focus-within') === true)
  return (
    <div
      ref={box}
      className="toasts"
      aria-live="polite"
      onPointerMove={({ pointerType }) => {
        isPointing.current = pointerType !== 'touch'
        look()
      }}
      onPointerLeave={() => {
        isPointing.current = false
        look()
      }}
      onFocus={({ relatedTarget }) => {
        if (!box.current?.contains(relatedTarget)) before.current = relatedTarget instanceof HTMLElement ? relatedTarget : undefined
        queue.hold(true)
      }}
      onBlur={({ relatedTarget }) => queue.hold(box.current?.contains(relatedTarget) === true)}
    >
      {shown.map((one) => (
        <Shown
          key={one.key}
          of={one}
          onBack={() => (giveBack(), look())}
          onClose={() => (queue.close(one.key), requestAnimationFrame(() => (giveBack(), look())))}
        />
      ))}
    </div>
  )
}

function Shown({
  of,
  onBack,
  onClose,
}: {
  readonly of: Toast
  /** Its button is not there any more. */
  readonly onBack: () => void
  readonly onClose: () => void
}) {
  const say = useWords()
  const id = useId()
  useEffect(() => {
    if (of.isBack) onBack()
  }, [of.isBack])
  return (
    <div className="toast">
      <span id={id} className="text">
        {of.text}
      </span>
      {of.undo && !of.isBack && (
        <button
          type="button"
          className="button small"
          aria-describedby={id}
          onClick={() => {
            onClose()
            of.undo?.()
          }}
        >
          {of.way === undefined && <Icon name="undo" />}
          <span>{of.way ?? say('undo')}</span>
        </button>
      )}
      <button type="button" className="button small square" aria-label={say('close')} title={say('close')} onClick={onClose}>
        <Icon name="x" />
      </button>
    </div>
  )
}
