import { useLayoutEffect, useRef, type RefObject } from 'react'

/** A popover goes along where what it belongs to has moved on the page, as the row of an editor does: it measures anew only with the window. */
export function useGoingAlong(anchor: RefObject<HTMLElement | null>): void {
  const last = useRef<number>(undefined)
  useLayoutEffect(() => {
    const top = anchor.current?.getBoundingClientRect().top
    if (last.current !== undefined && top !== last.current) window.dispatchEvent(new Event('resize'))
    last.current = top
  })
}
