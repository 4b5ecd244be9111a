import { useEffect, type RefObject } from 'react'

const moves = /^(Arrow(Up|Down|Left|Right)|Home|End)$/
const others = /^(Page(Up|Down)|Enter|F2| )$/

/**
 * After the page was loaded nothing has the focus, though a cell is drawn as the chosen one: the keys that move or open go to it then. Letters do
 * not, since they would replace its value.
 */
export function useFirstKey(box: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const { key, code, shiftKey, ctrlKey, metaKey } = event
      if (document.activeElement !== document.body || event.defaultPrevented || event.altKey) return
      // With Ctrl, some of these are commands.
      if (!moves.test(key) && (ctrlKey || metaKey || !others.test(key))) return
      const cell = box.current?.querySelector<HTMLElement>('.grid-rows [tabindex="0"]')
      if (!cell) return
      event.preventDefault()
      cell.focus({ preventScroll: true })
      cell.dispatchEvent(new KeyboardEvent('keydown', { key, code, shiftKey, ctrlKey, metaKey, bubbles: true, cancelable: true }))
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [box])
}
