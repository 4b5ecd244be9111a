/*
 * Where rows lie in what is scrolled. Browsers cut what is higher than some millions of pixels, so a long list is lower than its rows: then a wheel
 * or a finger moves by pixels as everywhere, and a drag of the bar goes to the same part of the list.
 */

/** Pixels. Firefox has 17.9 million, Chromium 33.5 million. */
const HIGHEST = 8_000_000

export interface List {
  readonly rows: number
  /** Of a row, in pixels. */
  readonly height: number
  /** Of what is in sight, in pixels. */
  readonly view: number
}

/** `top`: the position of the bar; `at`: how many pixels of rows are above what is in sight. They differ in long lists. */
export interface Place {
  readonly top: number
  readonly at: number
}

export const heightOf = ({ rows, height }: List): number => Math.min(HIGHEST, rows * height)

const farthest = (list: List) => ({
  top: Math.max(0, heightOf(list) - list.view),
  at: Math.max(0, list.rows * list.height - list.view),
})

/** Where one is when the bar has moved to `top`. */
export function scrolled(before: Place, top: number, list: List): Place {
  const most = farthest(list)
  if (most.at <= most.top) return { top, at: top }
  if (top <= 0) return { top, at: 0 }
  if (top >= most.top) return { top, at: most.at }
  const by = top - before.top
  const at = Math.abs(by) <= 4 * list.view ? before.at + by : (top / most.top) * most.at
  return { top, at: clamp(at, most.at) }
}

/** Where the bar belongs when so many pixels of rows are above. */
export function placeAt(at: number, list: List): Place {
  const most = farthest(list)
  const kept = clamp(at, most.at)
  return { at: kept, top: most.at <= most.top ? kept : Math.round((kept / most.at) * most.top) }
}

/** What brings a row into sight with the least movement. `before`: pixels of what covers the first rows. */
export function placeWith(row: number, before: Place, list: List): Place {
  const from = row * list.height
  if (from < before.at) return placeAt(from, list)
  if (from + list.height > before.at + list.view) return placeAt(from + list.height - list.view, list)
  return before
}

/** The rows in sight, both ends included. */
export const rowsAt = ({ at }: Place, { rows, height, view }: List): { readonly from: number; readonly to: number } => ({
  from: Math.max(0, Math.min(rows - 1, Math.floor(at / height))),
  to: Math.max(0, Math.min(rows - 1, Math.floor((at + view - 1) / height))),
})

const clamp = (value: number, most: number) => Math.max(0, Math.min(most, value))

const widest = new Map<number, number>()

/** Pixels of the column with the numbers of rows: of the longest list of the table so far, so that columns stay where they are while somebody searches. */
export function numbersWidth(table: number, rows: number): number {
  const width = Math.max(widest.get(table) ?? 56, 40 + 8 * String(rows).length)
  widest.set(table, width)
  return width
}
