import type { KeyboardEvent } from 'react'
import type { GridProps } from './props.ts'
import { move, type Bounds, type Selection } from './selection.ts'

const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent)

/** Keys of the grid that no command has (web/commands). An editor has its own. */
export function useGridKeys({
  columns,
  selection,
  editing,
  bounds,
  doing,
  onSelect,
  onStart,
}: Pick<GridProps, 'columns' | 'editing' | 'doing' | 'onSelect'> & {
  readonly selection: Selection
  readonly bounds: Bounds
  /** To the first column, which may be frozen and so in sight already. */
  onStart(): void
}) {
  return (event: KeyboardEvent): void => {
    if (editing || event.nativeEvent.isComposing || event.altKey || !(event.target instanceof HTMLElement)) return
    // Menus and questions have their own keys.
    if (event.target.closest('[role=menu], [role=dialog], .bubble, .group-head')) return
    const mod = isMac ? event.metaKey : event.ctrlKey
    const { row } = selection.at
    const done = () => {
      event.preventDefault()
      event.stopPropagation()
    }
    const letter = /^Key[A-Z]$/.test(event.code) && !/^[a-z]$/i.test(event.key) ? event.code.slice(3).toLowerCase() : event.key
    const next = move(selection, { key: letter, shift: event.shiftKey, mod }, bounds)
    if (next) {
      done()
      if (event.key === 'Home' || (mod && event.key === 'ArrowLeft')) onStart()
      return onSelect(next)
    }
    if (row < 0 || event.target.closest('.grid-head')) {
      if (event.key === 'ContextMenu' || (event.key === 'Enter' && event.shiftKey)) {
        done()
        event.target.closest('.col')?.querySelector<HTMLElement>('.open')?.click()
      }
      return
    }
    const act = keys(event, letter.toLowerCase(), mod)
    if (act) {
      done()
      act()
    }
  }

  function keys(event: KeyboardEvent, letter: string, mod: boolean): (() => void) | undefined {
    const { row, col } = selection.at
    if (mod && !event.shiftKey && letter === 'd') return () => doing.fill('down')
    if (mod && !event.shiftKey && letter === 'r') return () => doing.fill('right')
    if (mod) return undefined
    switch (event.key) {
      case ' ':
        return () => doing.open(row)
      case 'Enter':
        return () => (columns[col] && col === 0 ? doing.open(row) : doing.edit(row, col))
      case 'F2':
        return () => doing.edit(row, col)
      case 'Delete':
      case 'Backspace':
        return () => doing.empty()
      case 'Escape':
        return () => onSelect({ at: selection.at, to: selection.at })
      // What an input method is about to write.
      case 'Process':
      case 'Dead':
        return () => doing.edit(row, col, '')
      default:
        // These two are commands everywhere.
        return event.key.length === 1 && event.key !== '/' && event.key !== '?' ? () => doing.edit(row, col, event.key) : undefined
    }
  }
}
