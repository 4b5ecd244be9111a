/** What a minute of the soak was like. Memory in MiB, times in milliseconds. */
export interface Minute {
  readonly requests: number
  readonly p50: number
  readonly p99: number
  /** Answers 5xx other than 503, and requests without an answer. */
  readonly faults: number
  readonly rss: number
  readonly handles: number
}

/** Minutes at the beginning that do not count for memory, and those at either end whose slowest requests are compared; of short runs a third. */
const BEGINNING = 10
/** What may be added in the whole rest: a share of the memory, so many handles. */
const MEMORY = 0.15
const HANDLES = 10
const SLOWER = 1.5

/** What is wrong; nothing, hopefully. */
export function judge(minutes: readonly Minute[]): string[] {
  const part = Math.min(BEGINNING, Math.max(1, Math.floor(minutes.length / 3)))
  const rest = minutes.slice(part)
  const wrong: string[] = []
  const grown = slope(rest.map(({ rss }) => rss)) * (rest.length - 1)
  if (minutes.length > 2 * BEGINNING && grown > MEMORY * rest[0]!.rss)
    wrong.push(`memory grew by ${grown.toFixed(0)} MiB after ${part} minutes`)
  const more = slope(rest.map(({ handles }) => handles)) * (rest.length - 1)
  if (more > HANDLES) wrong.push(`${more.toFixed(0)} handles more after ${part} minutes`)
  const [first, last] = [median(minutes.slice(0, part)), median(minutes.slice(-part))]
  if (last > SLOWER * first) wrong.push(`p99 of the last ${part} minutes is ${last.toFixed(1)} ms, of the first ${first.toFixed(1)} ms`)
  const faults = minutes.reduce((sum, minute) => sum + minute.faults, 0)
  if (faults > 0) wrong.push(`${faults} requests were answered by a fault or not at all`)
  return wrong
}

/** By least squares, per minute. */
function slope(values: readonly number[]): number {
  const middle = (values.length - 1) / 2
  const squares = values.reduce((sum, _, i) => sum + (i - middle) ** 2, 0)
  return squares === 0 ? 0 : values.reduce((sum, value, i) => sum + (i - middle) * value, 0) / squares
}

const median = (minutes: readonly Minute[]): number => minutes.map(({ p99 }) => p99).toSorted((a, b) => a - b)[minutes.length >> 1] ?? 0
