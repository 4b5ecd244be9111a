/** Work a step at a time, each of a few milliseconds at most, for whoever lets others have their turn between them. */
export type Steps<T> = Generator<undefined, T>

/** Does it all at once. */
export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}

/** Items of a run that is sorted in one step, and about so many comparisons make a step of a merge. */
const [RUN, COMPARISONS] = [512, 8_192]

/** The items in order, for comparisons that take up to a microsecond. */
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
