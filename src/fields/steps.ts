/** Work in steps of a few milliseconds at most. Between steps the caller can let other work run. */
export type Steps<T> = Generator<undefined, T>

/** Runs all steps without a pause. */
export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}

/** Items that are sorted in one step, and the comparisons of about one step of a merge. */
const [RUN, COMPARISONS] = [512, 8_192]

/** Sorts in steps. A comparison may take up to a microsecond. */
export function* sorting<T>(items: readonly T[], compare: (one: T, other: T) => number): Steps<readonly T[]> {
  let runs: T[][] = []
  for (let from = 0; from < items.length; from += RUN) {
    runs.push(items.slice(from, from + RUN).sort(compare))
    yield
  }
  for (let done = 0; runs.length > 1;) {
    const longer: T[][] = []
    for (let i = 0; i < runs.length; i += 2) {
      const run = merged(runs[i]!, runs[i + 1] ?? [], compare)
      longer.push(run)
      if ((done += run.length) < COMPARISONS) continue
      done = 0
      yield
    }
    runs = longer
  }
  return runs[0] ?? []
}

function merged<T>(left: readonly T[], right: readonly T[], compare: (one: T, other: T) => number): T[] {
  const all: T[] = []
  let [i, k] = [0, 0]
  while (i < left.length && k < right.length) all.push(compare(left[i]!, right[k]!) <= 0 ? left[i++]! : right[k++]!)
  return all.concat(left.slice(i), right.slice(k))
}
