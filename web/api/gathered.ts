/** Milliseconds from the first call to the work: an import makes many changes in a second. */
const GATHERED = 400

/** Does its work once for many calls. */
export function gathered(work: () => void): (() => void) & { readonly stop: () => void } {
  let timer: ReturnType<typeof setTimeout> | undefined
  const call = () =>
    void (timer ??= setTimeout(() => {
      timer = undefined
      work()
    }, GATHERED))
  return Object.assign(call, { stop: () => clearTimeout(timer) })
}
