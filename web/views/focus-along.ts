import { useEffect } from 'react'

const CARD = '.card, .day-item'

/** A card that is moved is drawn anew where it goes: the focus goes along, or to the page where it goes out of sight. */
export function useFocusAlong(): void {
  useEffect(() => {
    let last: { readonly element: Element; readonly record: string } | undefined
    let frame = 0
    const remember = ({ target }: FocusEvent) => {
      // The menu or the days that move it are over the page.
      if (!(target instanceof Element) || !target.closest('#work')) return
      const record = target.closest(CARD)?.querySelector<HTMLElement>('[data-record]')?.dataset['record']
      last = record === undefined ? undefined : { element: target, record }
    }
    const isLost = () => last !== undefined && !last.element.isConnected && document.activeElement === document.body
    const mend = () => {
      if (!last || !isLost()) return
      const link = document.querySelector<HTMLElement>(`:is(${CARD}) [data-record="${last.record}"]`)
      if (link) link.focus()
      else document.querySelector<HTMLElement>('#work')?.focus({ preventScroll: true })
    }
    const observer = new MutationObserver(() => {
      if (!isLost()) return
      cancelAnimationFrame(frame)
      // What is over the page gives the focus back itself, a little later.
      frame = requestAnimationFrame(() => (frame = requestAnimationFrame(mend)))
    })
    observer.observe(document.body, { childList: true, subtree: true })
    document.addEventListener('focusin', remember)
    return () => {
      observer.disconnect()
      document.removeEventListener('focusin', remember)
      cancelAnimationFrame(frame)
    }
  }, [])
}
