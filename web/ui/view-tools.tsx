import { useEffect, useState, type ReactNode } from 'react'
import { createPortal } from 'react-dom'

/** Beside the filter, in the bar of tools. */
export function ViewTools({ children }: { readonly children: ReactNode }) {
  const [place, setPlace] = useState<HTMLElement | null>(null)
  useEffect(() => setPlace(document.getElementById('view-tools')), [])
  return place && createPortal(children, place)
}
