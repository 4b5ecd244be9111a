/** Milliseconds that are left of a time limit, 0 when it is over. */
export type Deadline = () => number

/** A deadline so many milliseconds from now; Infinity: there is none. */
export function deadlineIn(milliseconds: number): Deadline {
  const end = performance.now() + milliseconds
  return () => Math.max(0, end - performance.now())
}
