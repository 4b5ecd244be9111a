/**
 * Does work a while after it was asked for, once for all that ask meanwhile and never twice at a time. `least`: milliseconds of that while; it is
 * longer where the work took long: `rest` times as long as the work did last.
 */
export function inTurns(
  work: () => Promise<void>,
  { least, rest, now = () => performance.now() }: { readonly least: number; readonly rest: number; now?(): number },
): { ask(): void; close(): void } {
  let timer: ReturnType<typeof setTimeout> | undefined
  let isAsked = false
  let isClosed = false
  let took = 0
  const ask = () => {
    if (isClosed) return
    isAsked = true
    timer ??= setTimeout(() => void turn(), Math.max(least, rest * took))
  }
  const turn = async () => {
    isAsked = false
    const began = now()
    await work()
    took = now() - began
    timer = undefined
    if (isAsked) ask()
  }
  return {
    ask,
    close() {
      isClosed = true
      clearTimeout(timer)
    },
  }
}
