import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Writable } from 'node:stream'
import { Refused } from '../explain/explain.ts'

/** A file that is begun by the first write to it. */
export interface KeptFile {
  begin(): Promise<Writable>
  /** @throws Refused where not all of it was written. */
  close(): Promise<void>
}

/** Reads a word before it opens the file: a command that writes nothing begins none. */
const SCRIPT = 'read word && exec cat > "$1"'

/** A file that is still opened and written by the present user when this process has become another one. */
export function keepFile(path: string): KeptFile {
  const child = spawn('/bin/sh', ['-c', SCRIPT, 'sh', path], { stdio: ['pipe', 'ignore', 'pipe'] })
  let begun = false
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text))
  // What it has to say of that is asked for at the end.
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
