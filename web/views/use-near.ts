import { useEffect, useRef, useState, type RefObject } from 'react'

/** Pixels to the side of a board within which lanes are taken to be in sight: about two of them. */
const BESIDE = 500

const NONE: ReadonlySet<string> = new Set()

/** Which lanes of a board are in sight or beside it, and which have been. Elements tell by `data-lane` which they are. */
export function useNear(box: RefObject<HTMLElement | null>): { readonly near: ReadonlySet<string>; readonly seen: ReadonlySet<string> } {
  const [near, setNear] = useState(NONE)
  const [seen, setSeen] = useState(NONE)
  const watched = useRef<{ readonly board: HTMLElement; readonly observer: IntersectionObserver; readonly elements: WeakSet<Element> }>(
    undefined,
  )
  // At each drawing: lanes come and go, and one that has come into sight is another element.
  useEffect(() => {
    const board = box.current
    if (watched.current?.board !== board) {
      watched.current?.observer.disconnect()
      watched.current = board ? { board, observer: observed(board), elements: new WeakSet() } : undefined
    }
    if (!watched.current) return
    const { observer, elements } = watched.current
    for (const lane of watched.current.board.querySelectorAll('[data-lane]')) {
      if (elements.has(lane)) continue
      elements.add(lane)
      observer.observe(lane)
    }
  })
  useEffect(() => () => watched.current?.observer.disconnect(), [])

  const observed = (root: HTMLElement) =>
    new IntersectionObserver(
      (entries) => {
        // Of one that another element has taken the place of, that tells.
        const here = entries.filter(({ target }) => target.isConnected)
        const laneOf = ({ target }: IntersectionObserverEntry) => (target as HTMLElement).dataset['lane'] ?? ''
        const came = here.filter(({ isIntersecting }) => isIntersecting).map(laneOf)
        const went = new Set(here.filter(({ isIntersecting }) => !isIntersecting).map(laneOf))
        setNear((before) => changed(before, came, went))
        setSeen((before) => changed(before, came, NONE))
      },
      { root, rootMargin: `0px ${BESIDE}px` },
    )
  return { near, seen }
}

function changed(before: ReadonlySet<string>, came: readonly string[], went: ReadonlySet<string>): ReadonlySet<string> {
  const after = new Set([...before, ...came].filter((one) => !went.has(one)))
  return after.size === before.size && [...after].every((one) => before.has(one)) ? before : after
}
