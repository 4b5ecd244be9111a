import { useEffect, useMemo, useRef } from 'react'
import { UNFOLDED, type Folding } from './folding.ts'
import type { Cell, Selection } from './selection.ts'

/* Where the person was in the lists of this tab: who comes back to one, also by a reload, is at the same row and cell. */

/** Lists that are remembered: those that were looked at last. */
const MOST = 50
const KEY = 'places in lists'

export interface Place {
  /** Lines above what is in sight: 2.5 where half of the third is. */
  readonly line: number
  /** Pixels of columns to the left of it. */
  readonly left: number
  readonly cell: Cell
  /** Values of groups that are folded away; where `areRest`, of those that are not. */
  readonly folded: readonly string[]
  readonly areRest?: boolean
  /** The entry of the browser's history at which this was. */
  readonly entry: string
}

let places: Map<string, Place> | undefined

function known(): Map<string, Place> {
  if (places) return places
  // The page is left for another one, or loaded again.
  addEventListener('pagehide', write)
  try {
    const value: unknown = JSON.parse(sessionStorage.getItem(KEY) ?? '[]')
    places = new Map((Array.isArray(value) ? value : []).filter(isPlace))
  } catch {
    places = new Map()
  }
  return places
}

function write(): void {
  // Where there is no room for all of them, those that were looked at last: what is kept of a list is kept whole.
  for (let kept = [...known()]; kept.length > 0; kept = kept.slice(Math.ceil(kept.length / 2))) {
    try {
      return sessionStorage.setItem(KEY, JSON.stringify(kept))
    } catch {
      // A browser may allow no storage at all: then a list begins at its first row after a reload.
    }
  }
  sessionStorage.removeItem(KEY)
}

/** Which groups were folded away. */
export const foldingOf = (place: Place | undefined): Folding =>
  place ? { rest: place.areRest === true, others: new Set(place.folded) } : UNFOLDED

const isPlace = (one: unknown): one is [string, Place] => {
  const [key, place] = Array.isArray(one) ? (one as [unknown, Partial<Place> | null]) : []
  const numbers = [place?.line, place?.left, place?.cell?.row, place?.cell?.col]
  return typeof key === 'string' && numbers.every((number) => Number.isFinite(number)) && Array.isArray(place?.folded)
}

/** Another person may sit down here: what somebody has filtered by is nothing to them. */
export function forgetPlaces(): void {
  known().clear()
  write()
}

export const placeIn = (list: string): Place | undefined => known().get(list)

export function keepPlace(list: string, place: Place): void {
  const all = known()
  all.delete(list)
  all.set(list, place)
  if (all.size > MOST) all.delete(all.keys().next().value!)
}

const entryNow = (): string => String((history.state as { readonly __TSR_key?: unknown } | null)?.__TSR_key ?? '')

export interface KeptPlace {
  /** Where the list begins to be shown; undefined: at its first row. */
  readonly begin: Place | undefined
  /** Where it is now. */
  keep(change: Partial<Place>): void
}

/** `list`: which list it is, in one text. */
export function useKeptPlace(list: string): KeptPlace {
  const isFirst = useRef(true)
  const kept = useMemo(() => {
    const before = placeIn(list)
    // A filter or an order that is changed here shows the list from its beginning; Back shows what was before it.
    const begin = isFirst.current || before?.entry === entryNow() ? before : undefined
    return {
      begin,
      keep: (change: Partial<Place>) =>
        keepPlace(list, { ...(placeIn(list) ?? { line: 0, left: 0, cell: { row: 0, col: 0 }, folded: [] }), ...change, entry: entryNow() }),
    }
  }, [list])
  useEffect(() => void (isFirst.current = false), [])
  return kept
}

/** Keeps which cell is chosen and what is folded away, and chooses that cell again; the grid itself keeps where it is scrolled. */
export function useKeepingCell(
  kept: KeptPlace,
  { row, col }: Cell,
  { rest, others }: Folding,
  isThere: boolean,
  onSelect: (selection: Selection) => void,
): void {
  const { begin } = kept
  // The first one is chosen from the beginning.
  const last = useRef(kept)
  useEffect(() => {
    if (last.current !== kept && begin) onSelect({ at: begin.cell, to: begin.cell, isStill: true })
    last.current = kept
  }, [kept])
  // At each drawing, since the same list may be at another entry of the history.
  useEffect(() => {
    if (isThere) kept.keep({ cell: { row, col }, folded: [...others], areRest: rest })
  })
}
