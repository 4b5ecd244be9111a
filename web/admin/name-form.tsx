import { useLayoutEffect, useRef, useState, type ReactNode } from 'react'
import { useWords } from '../i18n/words.ts'
import { useUnsaved } from '../ui/leaving.ts'

/** The longest name of anything. */
export const LONGEST_NAME = 255

/** A name to type. Escape leaves it as it was; the focus goes back to what opened it. */
export function NameForm({
  label,
  initial = '',
  action,
  onName,
  onCancel,
  children,
}: {
  readonly label: string
  readonly initial?: string
  readonly action: string
  readonly onName: (name: string) => void
  readonly onCancel: () => void
  /** What is asked besides. */
  readonly children?: ReactNode
}) {
  const say = useWords()
  const [name, setName] = useState(initial)
  const leave = useUnsaved(name.trim() === initial ? undefined : name)
  const [before] = useState(() => document.activeElement)
  const form = useRef<HTMLFormElement>(null)
  useLayoutEffect(() => {
    const its = form.current
    return () => {
      if (its?.contains(document.activeElement) && before instanceof HTMLElement && before.isConnected) before.focus()
    }
  }, [before])
  return (
    <form
      ref={form}
      className="name-form row"
      onSubmit={(event) => {
        event.preventDefault()
        if (name.trim() === '') return
        leave()
        onName(name.trim())
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.stopPropagation()
        onCancel()
      }}
    >
      <input
        className="input"
        aria-label={label}
        placeholder={label}
        value={name}
        maxLength={LONGEST_NAME}
        autoFocus
        onFocus={({ target }) => target.select()}
        onChange={({ target }) => setName(target.value)}
      />
      {children}
      <button className="button primary" disabled={name.trim() === ''}>
        {action}
      </button>
      <button type="button" className="button" onClick={onCancel}>
        {say('adminCancel')}
      </button>
    </form>
  )
}
