/* Which cells are chosen: a rectangle from the cell with the focus to another corner. Rows and columns are counted from 0; row -1 is the head. */

export interface Cell {
  readonly row: number
  readonly col: number
}

export interface Selection {
  /** The cell that has the focus. */
  readonly at: Cell
  /** The opposite corner. */
  readonly to: Cell
  /** What is in sight stays. */
  readonly isStill?: boolean
}

export interface Bounds {
  readonly rows: number
  readonly cols: number
  /** Rows in sight. */
  readonly screen: number
}

export interface Range {
  readonly top: number
  readonly bottom: number
  readonly left: number
  readonly right: number
}

export const at = (row: number, col: number): Selection => ({ at: { row, col }, to: { row, col } })

export const rangeOf = ({ at: a, to: b }: Selection): Range => ({
  top: Math.min(a.row, b.row),
  bottom: Math.max(a.row, b.row),
  left: Math.min(a.col, b.col),
  right: Math.max(a.col, b.col),
})

export const isOne = ({ at: a, to: b }: Selection): boolean => a.row === b.row && a.col === b.col

export const sizeOf = (range: Range): { readonly rows: number; readonly cols: number } => ({
  rows: range.bottom - range.top + 1,
  cols: range.right - range.left + 1,
})

/** Leaves what is out of bounds, such as after records have gone. */
export function within({ at: a, to: b }: Selection, { rows, cols }: Bounds): Selection {
  const cell = ({ row, col }: Cell, least: number) => ({
    row: Math.max(least, Math.min(rows - 1, row)),
    col: Math.max(0, Math.min(cols - 1, col)),
  })
  return { at: cell(a, -1), to: cell(b, -1) }
}

export interface Key {
  readonly key: string
  readonly shift: boolean
  /** Ctrl, and Cmd on a Mac. */
  readonly mod: boolean
}

const steps: Readonly<Record<string, (from: Cell, bounds: Bounds, mod: boolean) => Cell>> = {
  ArrowUp: ({ row, col }, _, mod) => ({ row: mod ? 0 : row - 1, col }),
  ArrowDown: ({ row, col }, { rows }, mod) => ({ row: mod ? rows - 1 : row + 1, col }),
  ArrowLeft: ({ row, col }, _, mod) => ({ row, col: mod ? 0 : col - 1 }),
  ArrowRight: ({ row, col }, { cols }, mod) => ({ row, col: mod ? cols - 1 : col + 1 }),
  PageUp: ({ row, col }, { screen }) => ({ row: Math.max(0, row - screen), col }),
  PageDown: ({ row, col }, { screen }) => ({ row: row + screen, col }),
  Home: ({ row }, _, mod) => ({ row: mod ? 0 : row, col: 0 }),
  End: ({ row }, { rows, cols }, mod) => ({ row: mod ? rows - 1 : row, col: cols - 1 }),
}

/** Whole rows, columns or all: whoever chooses them looks at what they have chosen, not at its far corner. */
const still = (first: Cell, last: Cell): Selection => ({ at: first, to: last, isStill: true })

/** What a key of movement or selection makes of it; undefined: it is none of these. */
export function move(selection: Selection, { key, shift, mod }: Key, bounds: Bounds): Selection | undefined {
  const { rows, cols } = bounds
  if (mod && !shift && key.toLowerCase() === 'a') return still({ row: 0, col: 0 }, { row: rows - 1, col: cols - 1 })
  if (key === ' ' && mod && !shift) return still({ row: 0, col: selection.at.col }, { row: rows - 1, col: selection.to.col })
  if (key === ' ' && shift && !mod) return still({ row: selection.at.row, col: 0 }, { row: selection.to.row, col: cols - 1 })
  const step = Object.hasOwn(steps, key) ? steps[key] : undefined
  if (!step) return undefined
  const next = step(shift ? selection.to : selection.at, bounds, mod)
  // The head is left and reached by arrows alone, and is never part of a range.
  const least = !shift && key.startsWith('Arrow') && !mod ? -1 : 0
  const cell = { row: Math.max(rows === 0 ? -1 : least, Math.min(rows - 1, next.row)), col: Math.max(0, Math.min(cols - 1, next.col)) }
  return shift ? { at: selection.at, to: cell } : { at: cell, to: cell }
}
