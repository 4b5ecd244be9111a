/** Work a step at a time, each of a few milliseconds at most, for whoever lets others have their turn between them. */
export type Steps<T> = Generator<undefined, T>

/** Does it all at once. */
export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}
