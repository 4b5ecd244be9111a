import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Milliseconds after the start: by then the memory that starting took can be freed. */
const STARTED = 1_000
/** Bytes for what is short-lived that make collecting it cheap; V8 by itself would go up to eight times as much. */
const ENOUGH = 32 * 2 ** 20

/** A flag of V8, which finds programs in the compile cache only under the flags with which they were put there (scripts/compile-cache.mjs). */
export const BOUND = '--semi-space-growth-factor=1'

/** Keeps the process small: hands back what the start left behind, and bounds the space for what is short-lived. */
export function keepHeapSmall(): void {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as NonNullable<typeof globalThis.gc>
  setFlagsFromString('--no-expose-gc')
  setTimeout(() => {
    collect({ type: 'major', execution: 'sync', flavor: 'last-resort' })
    bound()
  }, STARTED).unref()
}

/** Not before what the start left is gone: collecting that takes the space away, which is to grow again. */
function bound(): void {
  const watch = setInterval(() => {
    if (getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space')!.space_size < ENOUGH) return
    setFlagsFromString(BOUND)
    clearInterval(watch)
  }, STARTED / 4).unref()
}
