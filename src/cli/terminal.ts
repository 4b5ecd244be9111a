import { createWriteStream, type WriteStream } from 'node:fs'
import { once } from 'node:events'
import type { Output } from './command.ts'

const WIDTH = 24

/** Output on the terminal of whoever typed the command. */
export function terminal(): Output & { close(): Promise<void> } {
  const files = new Map<string, WriteStream>()
  const bars = process.stderr.isTTY
  let drawn = 0
  let painted = 0
  const write = async (stream: NodeJS.WritableStream, text: string) => {
    if (!stream.write(text)) await once(stream, 'drain')
  }
  const clear = async () => {
    if (drawn > 0) await write(process.stderr, `\r${' '.repeat(drawn)}\r`)
    drawn = 0
  }
  return {
    async line(text) {
      await clear()
      await write(process.stdout, `${text}\n`)
    },
    async note(text) {
      await clear()
      await write(process.stderr, `${text}\n`)
    },
    async progress(label, done, total) {
      if (!bars || (performance.now() - painted < 100 && done !== total)) return
      painted = performance.now()
      const part = total === undefined ? 0 : Math.min(1, done / total)
      const bar =
        total === undefined ? String(done) : `[${'#'.repeat(Math.round(part * WIDTH)).padEnd(WIDTH, '.')}] ${Math.floor(part * 100)} %`
      const text = `${bar} ${label}`
      await write(process.stderr, `\r${text.padEnd(drawn)}`)
      drawn = text.length
    },
    async append(path, text) {
      let file = files.get(path)
      if (!file) {
        file = createWriteStream(path)
        await once(file, 'open')
        files.set(path, file)
      }
      await write(file, text)
    },
    async close() {
      await clear()
      for (const file of files.values()) {
        file.end()
        await once(file, 'close')
      }
    },
  }
}
