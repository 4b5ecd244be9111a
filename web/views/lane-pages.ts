/* Where the pages of a lane lie, of which only those near the window are drawn: their cards are of different heights. */

/** Cards of a page. */
export const PAGE = 20
/** The height of a lane, in pixels, up to which pages that are not drawn stand for as much as their cards need: browsers allow twice as much. */
const MOST = 15_000_000
/** Pages whose heights are known, besides those that are drawn. */
const KNOWN = 500
/** Pixels beyond the window in which cards are drawn. */
const BESIDE = 500
/** Pixels of a page of which nothing is known. */
export const FIRST = PAGE * 96

export interface LaneHeights {
  readonly cards: number
  /** Pixels that a page is taken to have until it is drawn. It stays what it is: otherwise all that is in sight would move whenever a page comes. */
  readonly page: number
  /** Of the pages that have been drawn. */
  readonly known: ReadonlyMap<number, number>
}

const pagesOf = ({ cards }: LaneHeights): number => Math.ceil(cards / PAGE)

/** Pixels of a page of usual cards. */
const usual = ({ cards, page }: LaneHeights): number => Math.min(page, (MOST * PAGE) / Math.max(cards, PAGE))

/** Pixels of a page, as it is drawn or would be. */
export const heightOf = (page: number, of: LaneHeights): number =>
  of.known.get(page) ?? (usual(of) * Math.min(PAGE, of.cards - page * PAGE)) / PAGE

/** Pixels above a page. `page` may be one more than there are: all of it. */
export function topOf(page: number, of: LaneHeights): number {
  const each = usual(of)
  let top = (each * Math.min(page * PAGE, of.cards)) / PAGE
  for (const [one, height] of of.known)
    if (one < page && one * PAGE < of.cards) top += height - (each * Math.min(PAGE, of.cards - one * PAGE)) / PAGE
  return top
}

export const wholeOf = (of: LaneHeights): number => topOf(pagesOf(of), of)

/** The page at so many pixels from the top. */
function pageAt(y: number, of: LaneHeights): number {
  let [low, high] = [0, Math.max(0, pagesOf(of) - 1)]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (topOf(middle, of) <= y) low = middle
    else high = middle - 1
  }
  return low
}

/** The pages to be drawn, in their order. `kept`: one that stays, since the focus is in it. */
export function drawnAt(top: number, view: number, of: LaneHeights, kept?: number): readonly number[] {
  if (of.cards === 0) return []
  const [from, to] = [pageAt(top - BESIDE, of), pageAt(top + view + BESIDE, of)]
  const drawn = Array.from({ length: to - from + 1 }, (_, i) => from + i)
  if (kept === undefined || kept < 0 || kept >= pagesOf(of) || drawn.includes(kept)) return drawn
  return kept < from ? [kept, ...drawn] : [...drawn, kept]
}

/** The heights with those of pages that have been measured. In a lane that is too high for a browser, only pages that are drawn have their own. */
export function measured(of: LaneHeights, now: ReadonlyMap<number, number>): ReadonlyMap<number, number> {
  if ([...now].every(([page, height]) => of.known.get(page) === height)) return of.known
  const known = new Map(of.known)
  for (const [page, height] of now) {
    known.delete(page)
    known.set(page, height)
  }
  const most = of.cards * 96 > MOST ? 0 : KNOWN
  for (const page of known.keys()) {
    if (known.size <= most + now.size) break
    if (!now.has(page)) known.delete(page)
  }
  return known
}
