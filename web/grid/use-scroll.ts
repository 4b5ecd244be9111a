import { flushSync } from 'react-dom'
import { useCallback, useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react'
import type { Column } from './columns.ts'
import type { KeptPlace } from './places.ts'
import { placeAt, placeWith, rowsAt, scrolled, type Place } from './scroll.ts'
import type { Span } from './row.tsx'

/** Rows that are drawn above and below those in sight. */
const BESIDE = 6
/** Milliseconds without movement after which the bar is put where it belongs. */
const REST = 150
/** Milliseconds after that, after which rows stand in the document in their order: who turns a wheel notch by notch does not wait for it each time. */
const SETTLED = 600

export interface Sight {
  readonly place: Place
  /** Rows that are drawn. */
  readonly drawn: Span
  /** Rows in sight. */
  readonly seen: Span
  readonly span: Span
  /** Rows of a screen. */
  readonly screen: number
  /** Whether the rows are scrolled just now. */
  readonly isMoving: boolean
  /** Whether that is sideways. */
  readonly isAside: boolean
  /** How many pixels of columns are before what is in sight, by when it was scrolled sideways last. */
  readonly aside: number
}

/** Which rows and columns are in sight of a box that is scrolled. `covered`: pixels of its head and foot. */
export function useScroll(
  box: RefObject<HTMLElement | null>,
  {
    rows,
    height,
    covered,
    columns,
    numbers,
    kept,
  }: {
    readonly rows: number
    readonly height: number
    readonly covered: number
    readonly columns: readonly Column[]
    readonly numbers: number
    readonly kept: KeptPlace
  },
): { readonly sight: Sight; show(row: number, col: number): void; goTo(row: number): void } {
  const [size, setSize] = useState({ width: 1200, height: 600 })
  const [left, setLeft] = useState(0)
  const [place, setPlace] = useState<Place>({ top: 0, at: 0 })
  const [isMoving, setMoving] = useState(false)
  const [isAside, setAside] = useState(false)
  const [aside, setStood] = useState(0)
  const current = useRef(place)
  const rest = useRef<ReturnType<typeof setTimeout>>(undefined)
  const list = { rows, height, view: Math.max(height, size.height - covered) }
  const known = useRef(list)
  known.current = list

  const put = useCallback((next: Place) => {
    current.current = next
    setPlace(next)
  }, [])

  useLayoutEffect(() => {
    const element = box.current!
    const observer = new ResizeObserver(() => setSize({ width: element.clientWidth, height: element.clientHeight }))
    observer.observe(element)
    let before = element.scrollLeft
    const onScroll = () => {
      const { scrollLeft, scrollTop } = element
      const isSideways = scrollLeft !== before
      before = scrollLeft
      // Drawn before the frame is, so that what is scrolled into sight is there at once.
      flushSync(() => {
        setLeft(scrollLeft)
        if (isSideways) setAside(true)
        if (scrollTop === current.current.top) return
        put(scrolled(current.current, scrollTop, known.current))
        setMoving(true)
      })
      wait()
    }
    // Before the first frame of a movement sideways.
    const onWheel = ({ deltaX, deltaY, shiftKey }: WheelEvent) => {
      if (!shiftKey && Math.abs(deltaX) <= Math.abs(deltaY)) return
      setAside(true)
      wait()
    }
    const wait = () => {
      clearTimeout(rest.current)
      rest.current = setTimeout(() => {
        rest.current = setTimeout(() => setMoving(false), SETTLED)
        setAside(false)
        setStood(element.scrollLeft)
        const right = placeAt(current.current.at, known.current)
        if (Math.abs(right.top - current.current.top) < 2) return
        put(right)
        element.scrollTop = right.top
      }, REST)
    }
    element.addEventListener('scroll', onScroll, { passive: true })
    element.addEventListener('wheel', onWheel, { passive: true })
    return () => {
      clearTimeout(rest.current)
      observer.disconnect()
      element.removeEventListener('scroll', onScroll)
      element.removeEventListener('wheel', onWheel)
    }
  }, [box, put])

  // A list that has become shorter, or rows of another height.
  useLayoutEffect(() => {
    const right = placeAt(current.current.at, known.current)
    if (right.at !== current.current.at) put(right)
  }, [rows, height, list.view, put])

  // A list begins where the person left it, as soon as its length is known.
  const begun = useRef<KeptPlace>(undefined)
  useLayoutEffect(() => {
    if (rows === 0 || begun.current === kept) return
    begun.current = kept
    if (!kept.begin) return
    go(placeAt(kept.begin.line * height, known.current))
    box.current!.scrollLeft = kept.begin.left
  }, [rows === 0, kept])
  useEffect(() => {
    if (begun.current === kept && rows > 0) kept.keep({ line: place.at / height, left })
  }, [kept, place, left, height, rows === 0])

  const go = (next: Place) => {
    if (next === current.current) return
    put(next)
    box.current!.scrollTop = next.top
  }
  const goTo = (row: number) => go(placeAt((row - Math.floor(list.view / height / 2)) * height, list))

  const show = (row: number, col: number) => {
    const element = box.current!
    if (row >= 0) go(placeWith(row, current.current, list))
    const column = columns[col]
    if (!column || column.isFrozen) return
    const before = columns.slice(0, col).reduce((sum, { width }) => sum + width, numbers)
    const frozen = columns.reduce((sum, one) => (one.isFrozen ? sum + one.width : sum), numbers)
    if (before - element.scrollLeft < frozen) element.scrollLeft = before - frozen
    else if (before + column.width > element.scrollLeft + element.clientWidth)
      element.scrollLeft = Math.min(before - frozen, before + column.width - element.clientWidth)
  }

  const seen = rows === 0 ? { from: 0, to: -1 } : rowsAt(place, list)
  const sight = {
    place,
    seen,
    drawn: { from: Math.max(0, seen.from - BESIDE), to: Math.min(rows - 1, seen.to + BESIDE) },
    span: spanOf(columns, numbers, left, size.width),
    screen: Math.max(1, Math.floor(list.view / height) - 1),
    isMoving,
    isAside,
    aside,
  }
  return { sight, show, goTo }
}

/** Columns that are in sight, and one on each side. */
function spanOf(columns: readonly Column[], numbers: number, left: number, width: number): Span {
  let x = numbers
  let from = columns.length
  let to = -1
  columns.forEach((column, i) => {
    const end = x + column.width
    if (end > left - 200 && x < left + width + 200) {
      from = Math.min(from, i)
      to = i
    }
    x = end
  })
  return spanAt(from, to)
}

const spans = new Map<string, Span>()
/** The same object for the same columns: rows are drawn only when something changes. */
export function spanAt(from: number, to: number): Span {
  const key = `${from} ${to}`
  if (spans.size > 500) spans.clear()
  const kept = spans.get(key) ?? { from, to }
  spans.set(key, kept)
  return kept
}
