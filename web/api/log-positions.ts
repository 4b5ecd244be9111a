/*
 * Up to where in the log of changes tables are known here: by what was read of them, and by what the stream of changes has told since. A stream
 * that begins there misses nothing that others change between the reading and its beginning.
 */

/** With it, answers say up to where in the log they have all changes (DECISIONS A60). */
export const WITH_CURSOR = { changeCursor: 'true' } as const

/** Milliseconds for which what was read of a table that nobody follows is taken for new (queries.ts). */
const KEPT = 30_000

interface Position {
  /** All up to here was told, or is in all that was read. */
  at: number
  /** From here on it was told. */
  from: number
  /** Since when nobody follows the table. */
  left: number | undefined
}

const positions = new Map<number, Position>()
const followed = new Set<number>()
let onBegin: (table: number) => void = () => undefined

/** Calls a function where a table that is followed was read at a position from which on nothing is told. */
export const whenRead = (call: (table: number) => void): void => void (onBegin = call)

/** Something of a table was read that has all changes up to this position. */
export function noteRead(table: number, cursor: number): void {
  const known = kept(table)
  if (known && known.from <= cursor) return
  const isFollowed = followed.has(table)
  positions.set(table, { at: cursor, from: cursor, left: isFollowed ? undefined : performance.now() })
  if (isFollowed) onBegin(table)
}

/** The stream has told a change of a table; whether it is a new one. `tables`: all that it tells of, in one order. */
export function noteTold(table: number, id: number, tables: ReadonlySet<number>): boolean {
  const known = positions.get(table)
  if (known && id <= known.at) return false
  if (!known) positions.set(table, { at: id, from: id, left: undefined })
  for (const one of tables) {
    const position = positions.get(one)
    if (position) position.at = Math.max(position.at, id)
  }
  return true
}

/** The tables that are followed now. */
export function setFollowed(tables: ReadonlySet<number>): void {
  for (const table of tables) {
    if (followed.has(table)) continue
    const known = kept(table)
    if (known) known.left = undefined
    else positions.delete(table)
    followed.add(table)
  }
  for (const table of followed) {
    if (tables.has(table)) continue
    followed.delete(table)
    const known = positions.get(table)
    if (known) known.left = performance.now()
  }
}

/** Where the stream begins that tells of a table; undefined: nothing was read yet. */
export const positionOf = (table: number): number | undefined => positions.get(table)?.at

/** Changes may have been missed: what is read next counts. */
export const forgetPositions = (): void => positions.clear()

function kept(table: number): Position | undefined {
  const known = positions.get(table)
  return known?.left !== undefined && performance.now() - known.left > KEPT ? undefined : known
}
