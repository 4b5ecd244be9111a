import { readdirSync, readFileSync } from 'node:fs'

/* How long the thread that this runs in stood still, and what its process holds. */

/** The longest time between two beats, in milliseconds, less the time that lies between them anyway. */
export interface Stop {
  readonly wall: number
  /** What of it the thread itself worked: the rest it waited, for the disk or for its turn on a busy machine. */
  readonly worked: number
}

/** A stop that is told of as it ends. */
export interface ToldStop extends Stop {
  /** When it began and ended, by performance.now(). */
  readonly from: number
  readonly to: number
}

export interface Holding {
  /** Bytes. */
  readonly rss: number
  readonly peakRss: number
  readonly heap: number
  readonly external: number
  /** Open file handles and threads of the process; 0 where there is no /proc. */
  readonly handles: number
  readonly threads: number
}

export interface Beats {
  /** The longest stop since this was last asked. */
  take(): Stop
  /** What is held now; the peak is that since this was last asked. */
  holding(): Holding
  end(): void
}

const PERIOD = 2
/** Beats between two looks at the memory. */
const GLANCE = 5

/** `each` is told of every stop that is longer than `from`. */
export function startBeats(each: (stop: ToldStop) => void = () => undefined, from = 20): Beats {
  let wall = 0
  let worked = 0
  let peakRss = 0
  let count = 0
  let last = performance.now()
  let used = workedSoFar()
  const timer = setInterval(() => {
    const [now, usedNow] = [performance.now(), workedSoFar()]
    const stop = { wall: Math.max(0, now - last - PERIOD), worked: Math.min(now - last, usedNow - used) }
    wall = Math.max(wall, stop.wall)
    worked = Math.max(worked, stop.worked)
    if (++count % GLANCE === 0 || stop.wall > from) peakRss = Math.max(peakRss, process.memoryUsage.rss())
    if (stop.wall > from) each({ ...stop, from: last, to: now })
    ;[last, used] = [performance.now(), workedSoFar()]
  }, PERIOD)
  timer.unref()
  return {
    take() {
      const taken = { wall, worked }
      wall = worked = 0
      return taken
    },
    holding() {
      const { rss, heapUsed, external } = process.memoryUsage()
      const held = { rss, peakRss: Math.max(rss, peakRss), heap: heapUsed, external, handles: handles(), threads: threads() }
      peakRss = 0
      return held
    },
    end: () => clearInterval(timer),
  }
}

/** Milliseconds of processor time that this thread has used. */
function workedSoFar(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

function handles(): number {
  try {
    return readdirSync('/proc/self/fd').length
  } catch {
    return 0
  }
}

function threads(): number {
  try {
    return Number(/^Threads:\s+(\d+)/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? 0)
  } catch {
    return 0
  }
}
