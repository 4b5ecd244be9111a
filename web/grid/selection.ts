import type { Message } from '../i18n/messages.ts'

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

type Step = (from: Cell, bounds: Bounds) => Cell
type Choice = (now: Selection, bounds: Bounds) => Selection

/** Keys that do the same in other directions. The list of shortcuts shows these tables too: what is not in them is no key. */
export interface KeysOf<Does> {
  readonly title: Message
  /** By keys, such as `Mod+Home`. */
  readonly keys: Readonly<Record<string, Does>>
}

/** With Shift, all of them choose up to there. */
export const steps: readonly KeysOf<Step>[] = [
  {
    title: 'keyCell',
    keys: {
      ArrowUp: ({ row, col }) => ({ row: row - 1, col }),
      ArrowDown: ({ row, col }) => ({ row: row + 1, col }),
      ArrowLeft: ({ row, col }) => ({ row, col: col - 1 }),
      ArrowRight: ({ row, col }) => ({ row, col: col + 1 }),
    },
  },
  {
    title: 'keyEdge',
    keys: {
      'Mod+ArrowUp': ({ col }) => ({ row: 0, col }),
      'Mod+ArrowDown': ({ col }, { rows }) => ({ row: rows - 1, col }),
      'Mod+ArrowLeft': ({ row }) => ({ row, col: 0 }),
      'Mod+ArrowRight': ({ row }, { cols }) => ({ row, col: cols - 1 }),
    },
  },
  {
    title: 'keyScreen',
    keys: {
      PageUp: ({ row, col }, { screen }) => ({ row: Math.max(0, row - screen), col }),
      PageDown: ({ row, col }, { screen }) => ({ row: row + screen, col }),
    },
  },
  { title: 'keyRowEnds', keys: { Home: ({ row }) => ({ row, col: 0 }), End: ({ row }, { cols }) => ({ row, col: cols - 1 }) } },
  {
    title: 'keyTableEnds',
    keys: { 'Mod+Home': () => ({ row: 0, col: 0 }), 'Mod+End': (_, { rows, cols }) => ({ row: rows - 1, col: cols - 1 }) },
  },
]

/** Whole rows, columns or all: whoever chooses them looks at what they have chosen, not at its far corner. */
const still = (first: Cell, last: Cell): Selection => ({ at: first, to: last, isStill: true })

export const choices: readonly KeysOf<Choice>[] = [
  { title: 'keyAll', keys: { 'Mod+A': (_, { rows, cols }) => still({ row: 0, col: 0 }, { row: rows - 1, col: cols - 1 }) } },
  {
    title: 'keyColumn',
    keys: { 'Mod+Space': ({ at: from, to }, { rows }) => still({ row: 0, col: from.col }, { row: rows - 1, col: to.col }) },
  },
  {
    title: 'keyRow',
    keys: { 'Shift+Space': ({ at: from, to }, { cols }) => still({ row: from.row, col: 0 }, { row: to.row, col: cols - 1 }) },
  },
]

/** Keys as the tables write them, such as `Mod+Shift+D`. */
export const keyName = ({ key, shift, mod }: Key): string =>
  [...(mod ? ['Mod'] : []), ...(shift ? ['Shift'] : []), key === ' ' ? 'Space' : key.length === 1 ? key.toUpperCase() : key].join('+')

/** What keys do by the tables; undefined: nothing. */
export function doneBy<Does>(tables: readonly KeysOf<Does>[], name: string): Does | undefined {
  for (const { keys } of tables) if (Object.hasOwn(keys, name)) return keys[name]
  return undefined
}

/** What a key of movement or selection makes of it; undefined: it is none of these. */
export function move(selection: Selection, pressed: Key, bounds: Bounds): Selection | undefined {
  const { rows, cols } = bounds
  const choice = doneBy(choices, keyName(pressed))
  if (choice) return choice(selection, bounds)
  const { key, shift, mod } = pressed
  const step = doneBy(steps, keyName({ ...pressed, shift: false }))
  if (!step) return undefined
  const next = step(shift ? selection.to : selection.at, bounds)
  // The head is left and reached by arrows alone, and is never part of a range.
  const least = !shift && key.startsWith('Arrow') && !mod ? -1 : 0
  const cell = { row: Math.max(rows === 0 ? -1 : least, Math.min(rows - 1, next.row)), col: Math.max(0, Math.min(cols - 1, next.col)) }
  return shift ? { at: selection.at, to: cell } : { at: cell, to: cell }
}
