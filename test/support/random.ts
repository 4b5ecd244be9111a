/* Chance that can be repeated: the same seed gives the same values. The seed of a run is in seed.ts. */

export interface Random {
  /** A whole number below `below`. */
  int(below: number): number
  pick<T>(from: readonly T[]): T
  /** True in so many of a hundred cases. */
  percent(share: number): boolean
  bytes(count: number): Buffer
}

/** mulberry32. */
export function randomOf(seed: number): Random {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
  const int = (below: number): number => Math.floor(next() * below)
  return {
    int,
    pick: (from) => from[int(from.length)]!,
    percent: (share) => next() * 100 < share,
    bytes: (count) => Buffer.from(new Uint8Array(count).map(() => int(256))),
  }
}
