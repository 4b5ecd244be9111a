/* The lines of a grid: records by their places, and above those of a group its head. Lines are counted from 0, as places are. */

/** A group of records that follow each other in the list. */
export interface Head {
  readonly value: string
  readonly label: string
  /** The place of its first record. */
  readonly from: number
  readonly count: number
  /** Its records have no lines. */
  readonly isFolded: boolean
}

export type Line = { readonly place: number } | { readonly head: Head }

export interface Lines {
  readonly count: number
  readonly heads: readonly Head[]
  at(line: number): Line
  /** Undefined: the record is folded away. */
  lineOf(place: number): number | undefined
  /** The record at this place if it has a line, or the next one in a direction that has. */
  nearest(place: number, direction: 1 | -1): number | undefined
}

export const linesOf = (rows: number, heads?: readonly Head[]): Lines =>
  heads && heads.length > 0 && rows > 0
    ? grouped(rows, heads)
    : {
        count: rows,
        heads: [],
        at: (place) => ({ place }),
        lineOf: (place) => (place >= 0 && place < rows ? place : undefined),
        nearest: (place) => (rows === 0 ? undefined : Math.max(0, Math.min(rows - 1, place))),
      }

/** Counts that do not fit the list are cut, or go on to its end: it has been read a moment earlier or later. */
function grouped(rows: number, given: readonly Head[]): Lines {
  const within = given.filter(({ from }) => from < rows)
  const heads = within.map((head, i) => ({ ...head, count: (within[i + 1]?.from ?? rows) - head.from }))
  const froms = heads.map(({ from }) => from)
  const firsts: number[] = []
  let count = 0
  for (const head of heads) {
    firsts.push(count)
    count += 1 + (head.isFolded ? 0 : head.count)
  }
  const groupOf = (place: number) => lastAtMost(froms, place)
  return {
    count,
    heads,
    at(line) {
      const i = lastAtMost(firsts, line)
      const head = heads[i]!
      return line === firsts[i] ? { head } : { place: head.from + line - firsts[i]! - 1 }
    },
    lineOf(place) {
      if (place < 0 || place >= rows) return undefined
      const i = groupOf(place)
      return heads[i]!.isFolded ? undefined : firsts[i]! + 1 + place - heads[i]!.from
    },
    nearest(place, direction) {
      const at = Math.max(0, Math.min(rows - 1, place))
      for (let i = groupOf(at), isFirst = true; i >= 0 && i < heads.length; i += direction, isFirst = false) {
        const { isFolded, from, count: own } = heads[i]!
        if (!isFolded) return isFirst ? at : direction === 1 ? from : from + own - 1
      }
      return undefined
    },
  }
}

/** The last of ascending numbers that is not above `most`; the first number is not above it. */
function lastAtMost(numbers: readonly number[], most: number): number {
  let [low, high] = [0, numbers.length - 1]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (numbers[middle]! <= most) low = middle
    else high = middle - 1
  }
  return low
}

/** The places of the records on these lines, both ends included, as spans that follow each other. */
export function spansOf(lines: Lines, from: number, to: number): { readonly from: number; readonly to: number }[] {
  const spans: { from: number; to: number }[] = []
  for (let line = Math.max(0, from); line <= Math.min(to, lines.count - 1); line++) {
    const found = lines.at(line)
    if (!('place' in found)) continue
    const last = spans.at(-1)
    if (last && last.to === found.place - 1) last.to = found.place
    else spans.push({ from: found.place, to: found.place })
  }
  return spans
}
