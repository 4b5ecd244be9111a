import { useEffect, useState, type RefObject } from 'react'

/** Pixels of one key. */
const STEP = 16

/**
 * The edge by which a part of the page is made wider or narrower: dragged, moved with the arrows, Home and End; a double click gives back the
 * usual width. The width is in a property of CSS, and is kept in this browser: it belongs to the screen.
 */
export function Edge({
  of,
  at,
  property,
  storage,
  label,
  least,
  most,
  usual,
}: {
  readonly of: RefObject<HTMLElement | null>
  /** The side of the part on which the edge is. */
  readonly at: 'start' | 'end'
  readonly property: `--${string}`
  /** The name under which the width is kept. */
  readonly storage: string
  readonly label: string
  readonly least: number
  readonly most: number
  readonly usual: number
}) {
  const fitting = (width: number): number => Math.min(most, Math.max(least, Math.round(width)))
  const [width, setWidth] = useState(() => {
    try {
      return fitting(Number(localStorage.getItem(storage)) || usual)
    } catch {
      return usual
    }
  })
  useEffect(() => {
    document.documentElement.style.setProperty(property, `${width}px`)
  }, [property, width])
  const put = (wanted: number) => {
    const next = fitting(wanted)
    setWidth(next)
    try {
      localStorage.setItem(storage, String(next))
    } catch {
      // A browser may allow no storage: then it is as usual the next time.
    }
  }
  const right = at === 'end' ? STEP : -STEP
  const byKey: Readonly<Record<string, number>> = { ArrowLeft: width - right, ArrowRight: width + right, Home: least, End: most }
  return (
    <div
      className={`edge at-${at} only-wide`}
      role="separator"
      aria-orientation="vertical"
      aria-label={label}
      aria-valuenow={width}
      aria-valuemin={least}
      aria-valuemax={most}
      tabIndex={0}
      onKeyDown={(event) => {
        const next = byKey[event.key]
        if (next === undefined) return
        event.preventDefault()
        put(next)
      }}
      onDoubleClick={() => put(usual)}
      onPointerDown={(event) => {
        event.preventDefault()
        event.currentTarget.setPointerCapture(event.pointerId)
      }}
      onPointerMove={(event) => {
        if (!event.currentTarget.hasPointerCapture(event.pointerId)) return
        const { left, right: end } = of.current!.getBoundingClientRect()
        put(at === 'end' ? event.clientX - left : end - event.clientX)
      }}
    />
  )
}
