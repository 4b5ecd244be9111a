/* A reporter of node:test that prints the files that took longest, and how long the tests of each took together. */
import { relative } from 'node:path'

/** Files that are printed. */
const SHOWN = 25

// A reporter has to be a default export (node:test).
// oxlint-disable-next-line import/no-default-export
export default async function* slowest(source) {
  const files = []
  for await (const { type, data } of source)
    // Without a file it is the summary of the whole run.
    if (type === 'test:summary' && data.file) files.push({ file: relative(process.cwd(), data.file), seconds: data.duration_ms / 1000 })
  if (files.length === 0) return
  const all = files.reduce((sum, { seconds }) => sum + seconds, 0)
  yield `\nSeconds by file, ${Math.round(all)} in ${files.length}:\n\n`
  for (const { file, seconds } of files.sort((one, other) => other.seconds - one.seconds).slice(0, SHOWN))
    yield `${seconds.toFixed(1).padStart(8)}  ${file}\n`
}
