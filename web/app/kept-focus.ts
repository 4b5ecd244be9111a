import { useEffect } from 'react'
import { watchLostFocus } from '../ui/lost-focus.ts'

/** Where the focus was: the element and what it was in, from the inside out, each with its place in its parent. */
type Place = readonly { readonly element: Element; readonly at: number }[]

/**
 * What had the focus may go away with what was done: a line into the trash, a form that was sent. The focus then goes to what has come
 * to its place, or to the page, instead of getting lost. The grid, whose lines come and go, has its own way.
 */
export function useKeptFocus(isOn: boolean): void {
  useEffect(() => {
    if (!isOn) return
    let last: Place = []
    return watchLostFocus({
      remember: (target) => void (last = placeOf(target)),
      last: () => last[0]?.element,
      mend() {
        const to = nearTo(last)
        last = []
        to?.focus({ preventScroll: true })
      },
    })
  }, [isOn])
}

function placeOf(target: Element): Place {
  const place: { element: Element; at: number }[] = []
  for (let element: Element | null = target; element?.parentElement; element = element.parentElement)
    place.push({ element, at: [...element.parentElement.children].indexOf(element) })
  return place
}

const FOCUSABLE = 'a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), textarea:not(:disabled), [tabindex]'

/** What of an element can have the focus; what a phone alone shows cannot have it elsewhere. */
function firstIn(element: Element | undefined): HTMLElement | undefined {
  const all = element ? [element, ...element.querySelectorAll(FOCUSABLE)] : []
  return all.find((one): one is HTMLElement => one instanceof HTMLElement && one.matches(FOCUSABLE) && one.checkVisibility())
}

function nearTo(place: Place): HTMLElement | undefined {
  const page = document.querySelector<HTMLElement>('#work') ?? undefined
  const stays = place.findIndex(({ element }) => element.isConnected)
  const parent = place[stays]?.element
  if (!parent || parent === page || !page?.contains(parent)) return page
  const child = parent.children[Math.min(place[stays - 1]!.at, parent.children.length - 1)]
  return firstIn(child) ?? firstIn(parent) ?? page
}
