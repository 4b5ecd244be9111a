import { Suspense, useEffect, useState, type RefObject } from 'react'
import { useWords } from '../../i18n/words.ts'
import { Icon } from '../../ui/icon.tsx'
import { Days } from './days.tsx'

/** Opens a month of days beside the line of a date. `isOpen` is true until the line has its focus again. */
export function DayButton({
  line,
  anchor,
  label,
  value,
  isOpen,
  onPick,
}: {
  readonly line: RefObject<HTMLInputElement | null>
  readonly anchor: RefObject<HTMLElement | null>
  readonly label: string
  /** YYYY-MM-DD; undefined where the line holds no date. */
  readonly value: () => string | undefined
  readonly isOpen: RefObject<boolean>
  onPick(day: string): void
}) {
  const say = useWords()
  const [shown, setShown] = useState<{ readonly value: string | undefined }>()
  const open = () => {
    isOpen.current = true
    setShown({ value: value() })
  }
  // Once the days are gone, so that their own way of giving the focus back comes before.
  useEffect(() => {
    if (shown || !isOpen.current) return
    line.current?.focus()
    isOpen.current = false
  }, [shown, isOpen, line])
  useEffect(() => {
    const input = line.current
    const onKeyDown = (event: KeyboardEvent) => {
      if (!event.altKey || event.key !== 'ArrowDown') return
      event.preventDefault()
      event.stopPropagation()
      open()
    }
    input?.addEventListener('keydown', onKeyDown)
    return () => input?.removeEventListener('keydown', onKeyDown)
  })
  return (
    <>
      <button
        type="button"
        className="day-button"
        tabIndex={-1}
        aria-label={say('pickDay')}
        title={say('pickDay')}
        aria-haspopup="dialog"
        aria-expanded={shown !== undefined}
        // The line keeps the focus, and what is typed in it.
        onMouseDown={(event) => event.preventDefault()}
        onClick={open}
      >
        <Icon name="calendar" size="s" />
      </button>
      {shown && (
        <Suspense>
          <Days
            {...{ anchor, label }}
            value={shown.value}
            onPick={(day) => {
              onPick(day)
              setShown(undefined)
            }}
            onClose={() => setShown(undefined)}
          />
        </Suspense>
      )}
    </>
  )
}
