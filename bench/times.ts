/** Milliseconds. */
export interface Times {
  readonly count: number
  readonly p50: number
  readonly p95: number
  readonly p99: number
  readonly most: number
}

/** NaN where there are no times. */
export function timesOf(times: readonly number[]): Times {
  const sorted = Float64Array.from(times).sort()
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
  return { count: sorted.length, p50: at(0.5), p95: at(0.95), p99: at(0.99), most: at(1) }
}
