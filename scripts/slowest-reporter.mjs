/* A reporter of node:test that prints the files that cost most: seconds of a processor (processor-time.mjs), and how long each took. */
import { relative } from 'node:path'
import { timesOfFile } from './processor-time.mjs'

/** Files that are printed. */
const SHOWN = 10

// A reporter has to be a default export (node:test).
// oxlint-disable-next-line import/no-default-export
export default async function* slowest(source) {
  const told = []
  for await (const { type, data } of source)
    // Without a file it is the summary of the whole run.
    if (type === 'test:summary' && data.file) told.push({ file: data.file, seconds: data.duration_ms / 1000 })
  if (told.length === 0) return
  // Asked at the end: a process says what it took after its tests have been told.
  const files = told.map((one) => ({ ...one, ...(timesOfFile(one.file) ?? { own: 0, children: 0 }) }))
  const sum = (of) => Math.round(files.reduce((all, one) => all + of(one), 0))
  const cost = ({ own, children }) => own + children
  const programs = sum(({ children }) => children)
  yield `\nSeconds of a processor by file, ${sum(cost)} in ${files.length} (programs that they started: ${programs}); seconds by the clock, ${sum(({ seconds }) => seconds)}:\n\n`
  const order = (one, other) => cost(other) - cost(one) || other.seconds - one.seconds
  for (const one of files.sort(order).slice(0, SHOWN))
    yield `${shown(cost(one))}${shown(one.seconds)}  ${relative(process.cwd(), one.file)}\n`
}

const shown = (seconds) => seconds.toFixed(1).padStart(8)
