import { useEffect, useState, type RefObject } from 'react'
import { useWords } from '../i18n/words.ts'

/* The edge of the list of tables, by which it is made wider or narrower. Its width is kept in this browser: it belongs to the screen. */

const KEY = 'side width'
const [LEAST, MOST, USUAL, STEP] = [170, 480, 216, 16] as const

const fitting = (width: number): number => Math.min(MOST, Math.max(LEAST, Math.round(width)))

function keptWidth(): number {
  try {
    return fitting(Number(localStorage.getItem(KEY)) || USUAL)
  } catch {
    return USUAL
  }
}

/** Dragged, moved with the arrows, Home and End; a double click gives back the usual width. */
export function SideEdge({ side }: { readonly side: RefObject<HTMLElement | null> }) {
  const say = useWords()
  const [width, setWidth] = useState(keptWidth)
  useEffect(() => {
    document.documentElement.style.setProperty('--sidebar', `${width}px`)
  }, [width])
  const put = (wanted: number) => {
    const next = fitting(wanted)
    setWidth(next)
    try {
      localStorage.setItem(KEY, String(next))
    } catch {
      // A browser may allow no storage: then it is as usual the next time.
    }
  }
  const byKey: Readonly<Record<string, number>> = { ArrowLeft: width - STEP, ArrowRight: width + STEP, Home: LEAST, End: MOST }
  return (
    <div
      className="side-edge only-wide"
      role="separator"
      aria-orientation="vertical"
      aria-label={say('sideWidth')}
      aria-valuenow={width}
      aria-valuemin={LEAST}
      aria-valuemax={MOST}
      tabIndex={0}
      onKeyDown={(event) => {
        const next = byKey[event.key]
        if (next === undefined) return
        event.preventDefault()
        put(next)
      }}
      onDoubleClick={() => put(USUAL)}
      onPointerDown={(event) => {
        event.preventDefault()
        event.currentTarget.setPointerCapture(event.pointerId)
      }}
      onPointerMove={(event) => {
        if (event.currentTarget.hasPointerCapture(event.pointerId)) put(event.clientX - side.current!.getBoundingClientRect().left)
      }}
    />
  )
}
