/*
 * Loaded before a test file: when its process ends, writes into the folder that KARTOTEKA_TEST_PROCESSOR_TIME names how many seconds of a processor the
 * process and all that it started and waited for have taken, each beside the other. What a file costs on a machine that does other things too.
 */
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isMainThread } from 'node:worker_threads'

const folder = process.env.KARTOTEKA_TEST_PROCESSOR_TIME
/** Ticks in which Linux counts, always as many to programs. */
const TICKS_PER_SECOND = 100

if (folder !== undefined && process.env.NODE_TEST_CONTEXT !== undefined && isMainThread)
  process.once('exit', () => writeFileSync(nameFor(process.argv[1]), JSON.stringify(timesOf('self'))))

function nameFor(file) {
  return join(folder, createHash('sha256').update(file).digest('hex'))
}

/** What the process of a test file took; undefined where it did not say so. */
export function timesOfFile(file) {
  if (folder === undefined) return undefined
  try {
    return JSON.parse(readFileSync(nameFor(file), 'utf8'))
  } catch {
    return undefined
  }
}

/** Seconds of a process, and of those that it has waited for; undefined where the system does not tell. */
export function timesOf(pid) {
  let text
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'utf8')
  } catch {
    return undefined
  }
  // The name of the program, in brackets, may have spaces; the numbers are those of proc(5) from its third on.
  const [user, system, childrenUser, childrenSystem] = text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 15)
    .map(Number)
  return { own: (user + system) / TICKS_PER_SECOND, children: (childrenUser + childrenSystem) / TICKS_PER_SECOND }
}
