/** What a minute of the soak was like. Memory in MiB, times in milliseconds. */
export interface Minute {
  /** Of each request, from when it was due. */
  readonly times: readonly number[]
  /** Requests that were to be sent in this minute. */
  readonly due: number
  /** Answers 503. */
  readonly refused: number
  /** Any other answer that was not to be expected, and requests without an answer. */
  readonly faults: number
  readonly rss: number
  readonly handles: number
}

/** Minutes at the beginning that do not count for memory and handles, and those at either end whose slowest requests are compared. */
const BEGINNING = 10
/** What may be added in the whole rest: a share of the memory, so many handles. */
const MEMORY = 0.15
const HANDLES = 10
const SLOWER = 1.5
/** Shares of requests: of those that may be refused, and of those due in each minute that must have been answered. */
const REFUSED = 0.01
const ANSWERED = 0.95

export interface Verdict {
  /** What was measured, a sentence each. */
  readonly told: string[]
  /** What is wrong; nothing, hopefully. */
  readonly wrong: string[]
}

/** Memory, handles and times are judged only where there are two beginnings at least, and so ends that can be compared. */
export function judge(minutes: readonly Minute[]): Verdict {
  const told: string[] = []
  const wrong: string[] = []
  const say = (sentence: string, bad: boolean) => (bad ? wrong : told).push(sentence)
  const sum = (of: (minute: Minute) => number) => minutes.reduce((before, minute) => before + of(minute), 0)
  if (minutes.length > 2 * BEGINNING) {
    const rest = minutes.slice(BEGINNING)
    const grown = (of: (minute: Minute) => number) => slope(rest.map(of)) * (rest.length - 1)
    const memory = grown(({ rss }) => rss)
    const share = memory / rest[0]!.rss
    say(`memory changed by ${memory.toFixed(0)} MiB (${(100 * share).toFixed(1)} %) after ${BEGINNING} minutes`, share > MEMORY)
    const handles = grown((minute) => minute.handles)
    say(`handles changed by ${handles.toFixed(1)} after ${BEGINNING} minutes`, handles > HANDLES)
    const [first, last] = [minutes.slice(0, BEGINNING), minutes.slice(-BEGINNING)].map((part) =>
      percentile(
        part.flatMap(({ times }) => times),
        0.99,
      ),
    ) as [number, number]
    say(
      `p99 of the first ${BEGINNING} minutes is ${first.toFixed(1)} ms, of the last ${last.toFixed(1)} ms: ${(last / first).toFixed(2)} times`,
      last > SLOWER * first,
    )
  }
  const due = sum((minute) => minute.due)
  const answered = sum(({ times }) => times.length)
  // What has piled up in one minute makes the next ones slow, and a slow beginning would excuse a slow end.
  const behind = minutes.flatMap((minute, n) => (minute.times.length < ANSWERED * minute.due ? [n + 1] : []))
  const late = behind.length > 0 ? `; too few in these minutes: ${behind.join(', ')}` : ''
  say(`${answered} of ${due.toFixed(0)} requests that were due were sent and answered${late}`, behind.length > 0)
  const refused = sum((minute) => minute.refused)
  say(`${refused} were answered by 503`, refused > REFUSED * answered)
  const faults = sum((minute) => minute.faults)
  say(`${faults} were answered by a fault, by what was not to be expected, or not at all`, faults > 0)
  return { told, wrong }
}

export function percentile(times: readonly number[], share: number): number {
  const sorted = times.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}

/** By least squares, per minute. */
function slope(values: readonly number[]): number {
  const middle = (values.length - 1) / 2
  const squares = values.reduce((sum, _, i) => sum + (i - middle) ** 2, 0)
  return squares === 0 ? 0 : values.reduce((sum, value, i) => sum + (i - middle) * value, 0) / squares
}
