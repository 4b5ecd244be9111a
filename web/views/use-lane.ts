import { useCallback, useLayoutEffect, useRef, useState, type KeyboardEvent, type RefObject } from 'react'
import { drawnAt, FIRST, measured, PAGE, topOf, type LaneHeights } from './lane-pages.ts'

/** Milliseconds without movement after which pages are asked for by who goes through a lane in great leaps. */
const REST = 80

/** A card, and how far it was from the beginning of the lane; or the end of the lane, and how far that was scrolled. What somebody scrolls changes neither. */
type Anchor = { readonly element: Element; readonly top: number } | { readonly end: number } | undefined

const topIn = (lane: Element, element: Element): number =>
  element.getBoundingClientRect().top - lane.getBoundingClientRect().top + lane.scrollTop

/**
 * Which pages of a lane are drawn. What is in sight stays at its place while pages above it come and go: the card at the upper edge is held
 * where it is, by hand, since not all browsers do it. `isNear`: the lane is in sight of the board, or beside it; otherwise nothing of it is drawn.
 */
export function useLane(box: RefObject<HTMLElement | null>, cards: number, isNear: boolean) {
  const [known, setKnown] = useState<ReadonlyMap<number, number>>(new Map())
  const [{ top, view }, setWindow] = useState({ top: 0, view: 800 })
  const [kept, setKept] = useState<number>()
  const [isLeaping, setLeaping] = useState(false)
  const anchor = useRef<Anchor>(undefined)
  const wanted = useRef<{ readonly place: number; readonly isFocused: boolean }>(undefined)
  const usual = useRef(FIRST)
  // By the first page that is drawn whole.
  if (usual.current === FIRST && known.has(0) && cards >= PAGE) usual.current = known.get(0)!
  const heights: LaneHeights = { cards, known, page: usual.current }
  const current = useRef(heights)
  current.current = heights

  /** Takes the card at the upper edge. */
  const hold = useCallback(() => {
    const lane = box.current
    if (!lane) return
    if (lane.scrollTop <= 0) anchor.current = undefined
    else if (lane.scrollTop + lane.clientHeight >= lane.scrollHeight - 2) anchor.current = { end: lane.scrollTop }
    else {
      const edge = lane.getBoundingClientRect().top + (lane.querySelector('header')?.clientHeight ?? 0)
      const element = [...lane.querySelectorAll('[data-at], [data-page][aria-busy]')].find(
        (one) => one.getBoundingClientRect().bottom > edge,
      )
      anchor.current = element && { element, top: topIn(lane, element) }
    }
  }, [box])

  /** Puts it back to where it was, after heights have changed. */
  const settle = useCallback(() => {
    const lane = box.current
    if (!lane) return
    const held = anchor.current
    if (held && 'end' in held) {
      if (lane.scrollTop >= held.end - 1) lane.scrollTop = lane.scrollHeight
    } else if (held?.element.isConnected) {
      const shift = topIn(lane, held.element) - held.top
      if (Math.abs(shift) >= 1) lane.scrollTop += shift
    }
    const aim = wanted.current
    const card = aim && lane.querySelector(`[data-at="${aim.place}"]`)
    if (aim && card) {
      wanted.current = undefined
      // Whoever has gone elsewhere since stays there.
      const isHere = document.activeElement === document.body || lane.contains(document.activeElement)
      if (aim.isFocused && isHere) card.querySelector('a')?.focus({ preventScroll: true })
      card.scrollIntoView({ block: 'nearest' })
    }
    hold()
  }, [box, hold])

  useLayoutEffect(() => {
    const lane = box.current!
    let rest: ReturnType<typeof setTimeout> | undefined
    let before = lane.scrollTop
    const look = () => {
      const { scrollTop, clientHeight } = lane
      if (Math.abs(scrollTop - before) > clientHeight) {
        setLeaping(true)
        clearTimeout(rest)
        rest = setTimeout(() => setLeaping(false), REST)
      }
      before = scrollTop
      hold()
      setWindow({ top: scrollTop, view: clientHeight })
    }
    const observer = new ResizeObserver(look)
    observer.observe(lane)
    lane.addEventListener('scroll', look, { passive: true })
    return () => {
      clearTimeout(rest)
      observer.disconnect()
      lane.removeEventListener('scroll', look)
    }
  }, [box, hold])

  const drawn = isNear ? drawnAt(top, view, heights, kept) : []
  useLayoutEffect(() => {
    const lane = box.current!
    const observer = new ResizeObserver(() => {
      const now = new Map<number, number>()
      for (const page of lane.querySelectorAll<HTMLElement>('[data-page]:not([aria-busy])'))
        now.set(Number(page.dataset['page']), page.getBoundingClientRect().height)
      settle()
      setKnown((one) => measured({ ...current.current, known: one }, now))
    })
    for (const page of lane.querySelectorAll('[data-page]')) observer.observe(page)
    return () => observer.disconnect()
  }, [box, drawn.join(), settle])
  useLayoutEffect(settle, [drawn.join(), known, cards, settle])

  /** Brings the card at a place, from 0, into sight, and the focus to it if wished. */
  const show = useCallback(
    (place: number, isFocused = false) => {
      const lane = box.current
      if (!lane || place < 0 || place >= current.current.cards) return
      wanted.current = { place, isFocused }
      if (!lane.querySelector(`[data-at="${place}"]`)) {
        const page = Math.floor(place / PAGE)
        anchor.current = undefined
        lane.scrollTop = place === current.current.cards - 1 ? lane.scrollHeight : topOf(page, current.current)
      } else settle()
    },
    [box, settle],
  )
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return
    const card = event.target instanceof Element && event.target.matches('a') && event.target.closest<HTMLElement>('[data-at]')
    const at = card ? Number(card.dataset['at']) : -1
    const to = new Map([['ArrowDown', at + 1], ['ArrowUp', at - 1], ['Home', 0], ['End', cards - 1]]).get(event.key) // prettier-ignore
    if (!card || to === undefined) return
    event.preventDefault()
    show(to, true)
  }
  const onFocus = (target: Element) => {
    const page = target.closest<HTMLElement>('[data-page]')?.dataset['page']
    setKept(page === undefined ? undefined : Number(page))
  }
  return { heights, drawn, isLeaping, show, onKeyDown, onFocus }
}
