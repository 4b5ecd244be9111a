import type { ReactNode } from 'react'
import { Icon } from './icon.tsx'

/** One of some choices, in the browser's own list. `name`: for those who do not see what it stands beside. */
export function Select({
  name,
  id,
  value,
  isQuiet,
  onChoose,
  children,
}: {
  readonly name?: string
  readonly id?: string
  readonly value: string
  readonly isQuiet?: boolean
  readonly onChoose: (value: string) => void
  readonly children: ReactNode
}) {
  return (
    <span className="one-of">
      <select
        className={`select${isQuiet ? ' quiet' : ''}`}
        id={id}
        aria-label={name}
        value={value}
        onChange={({ target }) => onChoose(target.value)}
      >
        {children}
      </select>
      <Icon name="chevron-down" size="s" />
    </span>
  )
}
