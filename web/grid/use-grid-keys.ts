import type { KeyboardEvent, RefObject } from 'react'
import { acts, headActs, type On } from './keys.ts'
import type { GridProps } from './props.ts'
import { doneBy, keyName, move, type Bounds, type Key, type Selection } from './selection.ts'
import { useFirstKey } from './use-first-key.ts'

const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent)

/** Keys of the grid that no command has (web/commands). An editor has its own. */
export function useGridKeys({
  selection,
  editing,
  bounds,
  doing,
  box,
  onSelect,
  onStart,
}: Pick<GridProps, 'editing' | 'doing' | 'onSelect'> & {
  readonly selection: Selection
  readonly bounds: Bounds
  readonly box: RefObject<HTMLElement | null>
  /** To the first column, which may be frozen and so in sight already. */
  onStart(): void
}) {
  useFirstKey(box)
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
    const pressed: Key = { key: letter, shift: event.shiftKey, mod }
    const next = move(selection, pressed, bounds)
    if (next) {
      done()
      if (event.key === 'Home' || (mod && event.key === 'ArrowLeft')) onStart()
      return onSelect(next)
    }
    const inHead = row < 0 || event.target.closest('.grid-head') !== null
    const menu = doneBy(headActs, keyName({ ...pressed, key: event.key }))
    if (inHead && menu) {
      done()
      menu(event.target.closest<HTMLElement>('.col'))
    }
    if (inHead) return
    const act = keys(event, pressed)
    if (act) {
      done()
      act({ at: selection.at, doing, onSelect })
    }
  }

  function keys({ key }: KeyboardEvent, pressed: Key): ((on: On) => void) | undefined {
    const { row, col } = selection.at
    // Without Ctrl, these keys do the same with Shift.
    const act = doneBy(acts, keyName(pressed.mod ? pressed : { ...pressed, shift: false }))
    if (act || pressed.mod) return act
    // What an input method is about to write.
    if (key === 'Process' || key === 'Dead') return () => doing.edit(row, col, '')
    // These two are commands everywhere.
    return key.length === 1 && key !== '/' && key !== '?' ? () => doing.edit(row, col, key) : undefined
  }
}
