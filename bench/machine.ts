/** What processes use, from /proc: on Linux only. */
import { readdirSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'

const text = (path: string): string => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

/** Seconds of CPU that a process has used: all its threads, and its children that ended. */
export function cpuOf(pid: number): number {
  const fields = text(`/proc/${pid}/stat`).split(') ')[1]?.split(' ')
  return fields ? fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / 100 : 0
}

/** A process and those that it started and that run still. */
export function familyOf(pid: number): number[] {
  const parentOf = (one: number) => text(`/proc/${one}/stat`).split(') ')[1]?.split(' ')[1]
  const children = readdirSync('/proc')
    .map(Number)
    .filter((one) => one > 0 && parentOf(one) === String(pid))
  return [pid, ...children]
}

/** Seconds of CPU that all of them have used. */
export const cpuOfFamily = (pid: number): number => familyOf(pid).reduce((sum, one) => sum + cpuOf(one), 0)

/** MiB that a process holds in memory. */
export const memoryOf = (pid: number): number => kilobytes(pid, 'VmRSS') / 1024

/** The same with its share only of what several processes have in common. */
export const shareOfMemory = (pid: number): number => Number(/^Pss:\s+(\d+)/m.exec(text(`/proc/${pid}/smaps_rollup`))?.[1] ?? 0) / 1024

/** The most it has held so far. */
export const peakMemory = (pid: number): number => kilobytes(pid, 'VmHWM') / 1024

const kilobytes = (pid: number, name: string): number =>
  Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(text(`/proc/${pid}/status`))?.[1] ?? 0)

/** Seconds of CPU used by the whole machine. */
function busy(): number {
  const [, ...fields] = text('/proc/stat').split('\n', 1)[0]!.split(/\s+/).slice(0, 9).map(Number)
  return fields.reduce((sum, value, i) => (i === 3 || i === 4 ? sum : sum + value), 0) / 100
}

/** Tells how busy other processes kept the machine while work was measured, in cores: the largest share counts. */
export interface Neighbours {
  /** Runs the work, of the processes with these ids. */
  during<T>(pids: readonly number[], work: () => Promise<T>): Promise<T>
  /** Undefined: nothing was measured. */
  most(): number | undefined
  /** Of the work that was measured last. */
  last(): number | undefined
}

export function neighbours(): Neighbours {
  let most: number | undefined
  let last: number | undefined
  return {
    async during(pids, work) {
      const used = () => pids.reduce((sum, pid) => sum + cpuOf(pid), 0)
      const [began, usedBefore, busyBefore] = [performance.now(), used(), busy()]
      const result = await work()
      const seconds = (performance.now() - began) / 1000
      if (seconds <= 0.5) return result
      last = (busy() - busyBefore - (used() - usedBefore)) / seconds
      most = Math.max(most ?? 0, last)
      return result
    },
    most: () => most,
    last: () => last,
  }
}

export const machine = (): string => `${availableParallelism()} cores, Node ${process.versions.node}`
