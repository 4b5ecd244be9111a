import { useEffect, useRef } from 'react'
import { gridCell } from '../ui/grid-cell.ts'

/** What is typed where the focus is; undefined: that is no field. */
const typed = (element: Element | null): string | undefined => (element instanceof HTMLInputElement ? element.value : undefined)

/**
 * Leads the focus to the chosen cell, also of a list that has not come yet: as soon as it has, unless the person has gone elsewhere or typed on
 * meanwhile. `rows`: how many there are.
 */
export function useToList(rows: number): () => void {
  const left = useRef<{ readonly from: Element | null; readonly text: string | undefined }>(undefined)
  useEffect(() => {
    const to = left.current && gridCell()
    if (!left.current || !to) return
    const { from, text } = left.current
    left.current = undefined
    const now = document.activeElement
    if (now === document.body || (now === from && typed(now) === text)) to.focus()
  }, [rows])
  return () => {
    const to = gridCell()
    if (to) to.focus()
    else left.current = { from: document.activeElement, text: typed(document.activeElement) }
  }
}
