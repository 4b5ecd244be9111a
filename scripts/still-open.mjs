/*
 * Loaded before a test file: ends its process, with an error, when nothing was tested in it for longer than a test may take. A process that still
 * listens or waits after its last test, mostly because one failed before it closed what it had opened, would otherwise hold up the whole run for ever.
 */
import { afterEach, beforeEach } from 'node:test'
import { isMainThread } from 'node:worker_threads'

/** Longer than the longest timeout of a test. */
const MOST = Number(process.env.KARTOTEKA_TEST_STILL_OPEN ?? 660_000)

if (process.env.NODE_TEST_CONTEXT !== undefined && isMainThread) {
  let last = performance.now()
  const note = () => void (last = performance.now())
  beforeEach(note)
  afterEach(note)
  setInterval(() => {
    if (performance.now() - last < MOST) return
    const open = process.getActiveResourcesInfo().join(', ')
    console.error(`No test began or ended for ${MOST / 1_000} s, and the process did not end. It still has: ${open}.`)
    process.exit(1)
  }, MOST / 10).unref()
}
