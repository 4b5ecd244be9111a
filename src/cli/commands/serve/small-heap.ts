import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Milliseconds after the start at which the memory that the start used is freed. */
const STARTED = 1_000
/** Bytes of the young generation, enough for cheap collections; without a limit V8 takes up to eight times as much. */
const ENOUGH = 32 * 2 ** 20

/**
 * Flags of V8: the young generation grows no more, and the old one by 40 % of what is in use before garbage is collected. The compile cache is only used with the flags with which it was written (scripts/compile-cache.mjs).
 */
export const BOUNDS = ['--semi-space-growth-factor=1', '--heap-growing-percent=40'] as const
/** As the process begins. */
export const FREE = ['--semi-space-growth-factor=2', '--heap-growing-percent=0'] as const

/** Keeps the process small: frees the memory that the start used, and limits both generations. */
export function keepHeapSmall(): void {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as NonNullable<typeof globalThis.gc>
  setFlagsFromString('--no-expose-gc')
  setTimeout(() => {
    collect({ type: 'major', execution: 'sync', flavor: 'last-resort' })
    bound()
  }, STARTED).unref()
}

/**
 * Limits both generations while the young one has ENOUGH bytes. It is small after the collection of the start, and again after some seconds without
 * requests: V8 gives its memory back then, and with the limit would collect it hundreds of times a second for ever after.
 */
function bound(): void {
  let isBound = false
  const look = () => {
    const { space_size: bytes } = getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space')!
    const shouldBe = bytes >= (isBound ? ENOUGH / 2 : ENOUGH)
    if (shouldBe === isBound) return
    for (const flag of shouldBe ? BOUNDS : FREE) setFlagsFromString(flag)
    isBound = shouldBe
  }
  setInterval(look, STARTED / 4).unref()
}
