import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Writable } from 'node:stream'
import { Refused } from '../explain/explain.ts'

/** A file that is created by the first write to it. */
export interface KeptFile {
  begin(): Promise<Writable>
  /** @throws Refused where not all of it was written. */
  close(): Promise<void>
}

/** Opens the file when it has read the first message: a command that writes nothing creates no file. */
const SCRIPT = 'read word && exec cat > "$1"'

/** A file that is opened and written as the user of this call, even if the process changes its user later. */
export function keepFile(path: string): KeptFile {
  const child = spawn('/bin/sh', ['-c', SCRIPT, 'sh', path], { stdio: ['pipe', 'ignore', 'pipe'] })
  let begun = false
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text))
  // Its error output is read at the end.
  child.stdin.on('error', () => undefined)
  const ended = once(child, 'close')
  return {
    async begin() {
      begun = true
      child.stdin.write('begin\n')
      return child.stdin
    },
    async close() {
      child.stdin.end()
      const [code] = await ended
      if (begun && code !== 0) throw new Refused({ text: `'${path}' cannot be written: ${said.trim().split(': ').at(-1)}.`, usage: false })
    },
  }
}
