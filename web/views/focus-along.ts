import { useEffect } from 'react'
import { watchLostFocus } from '../ui/lost-focus.ts'

const CARD = '.card, .day-item'

/** A card that is moved is drawn anew where it goes: the focus goes along, or to the page where it goes out of sight. */
export function useFocusAlong(): void {
  useEffect(() => {
    let last: { readonly element: Element; readonly record: string } | undefined
    return watchLostFocus({
      remember(element) {
        // The menu or the days that move it are over the page.
        if (!element.closest('#work')) return
        const record = element.closest(CARD)?.querySelector<HTMLElement>('[data-record]')?.dataset['record']
        last = record === undefined ? undefined : { element, record }
      },
      last: () => last?.element,
      mend() {
        const link = document.querySelector<HTMLElement>(`:is(${CARD}) [data-record="${last!.record}"]`)
        if (link) link.focus()
        else document.querySelector<HTMLElement>('#work')?.focus({ preventScroll: true })
      },
    })
  }, [])
}
