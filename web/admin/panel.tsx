import { useEffect, useId, useLayoutEffect, useRef, useState, type ReactNode } from 'react'
import { useWords } from '../i18n/words.ts'
import { Icon } from '../ui/icon.tsx'

/** What stands beside a list, and over it on a phone. Escape closes it; the focus goes back to where it was. */
export function Panel({
  title,
  icon,
  state,
  onClose,
  children,
}: {
  readonly title: string
  readonly icon: string
  readonly state?: ReactNode
  readonly onClose: () => void
  readonly children: ReactNode
}) {
  const say = useWords()
  const id = useId()
  const heading = useRef<HTMLHeadingElement>(null)
  const [before] = useState(() => document.activeElement)
  useEffect(() => {
    if (!heading.current?.closest('aside')?.contains(document.activeElement)) heading.current?.focus()
  }, [])
  useLayoutEffect(() => {
    const panel = heading.current?.closest('aside')
    return () => {
      if (panel?.contains(document.activeElement) && before instanceof HTMLElement && before.isConnected) before.focus()
    }
  }, [before])
  return (
    <aside
      className="design-panel"
      aria-labelledby={id}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && !event.defaultPrevented) onClose()
      }}
    >
      <header className="row">
        <Icon name={icon} />
        <h2 id={id} className="cut grow" tabIndex={-1} ref={heading}>
          {title}
        </h2>
        {state}
        <button type="button" className="button square" aria-label={say('close')} onClick={onClose}>
          <Icon name="x" />
        </button>
      </header>
      <div className="design-body">{children}</div>
    </aside>
  )
}
