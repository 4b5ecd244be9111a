import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Milliseconds after the start at which the memory that the start used is freed. */
const STARTED = 1_000
/** Bytes of the young generation, enough for cheap collections; without a limit V8 takes up to eight times as much. */
const ENOUGH = 16 * 2 ** 20

/**
 * Flags of V8 after the start: the old generation grows by 40 % of what is in use before garbage is collected, the young one is doubled or grows no
 * more. The compile cache is only used with the flags with which it was written (scripts/compile-cache.mjs).
 */
export const HEAPS = {
  growing: ['--heap-growing-percent=40', '--semi-space-growth-factor=2'],
  bounded: ['--heap-growing-percent=40', '--semi-space-growth-factor=1'],
} as const

const put = (heap: keyof typeof HEAPS): void => HEAPS[heap].forEach((flag) => setFlagsFromString(flag))

/** Keeps the process small: frees the memory that the start used, and limits both generations. */
export function keepHeapSmall(): void {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as NonNullable<typeof globalThis.gc>
  setFlagsFromString('--no-expose-gc')
  setTimeout(() => {
    collect({ type: 'major', execution: 'sync', flavor: 'last-resort' })
    put('growing')
    boundYoung()
  }, STARTED).unref()
}

/**
 * Limits the young generation while it has ENOUGH bytes. It is small after the collection of the start, and again after some seconds without
 * requests: V8 gives its memory back then, and with the limit would collect it hundreds of times a second for ever after.
 */
function boundYoung(): void {
  let isBound = false
  const look = () => {
    const { space_size: bytes } = getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space')!
    const shouldBe = bytes >= (isBound ? ENOUGH / 4 : ENOUGH)
    if (shouldBe !== isBound) put(shouldBe ? 'bounded' : 'growing')
    isBound = shouldBe
  }
  setInterval(look, STARTED / 4).unref()
}
