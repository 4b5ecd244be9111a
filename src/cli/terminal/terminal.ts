import { createWriteStream } from 'node:fs'
import { once } from 'node:events'
import { finished } from 'node:stream/promises'
import type { Writable } from 'node:stream'
import type { Files, Output, Stream } from './output.ts'
import { Refused } from '../explain/explain.ts'
import { keepFile, type KeptFile } from './kept-file.ts'
import { printable, printableLines } from './printable.ts'
import { write } from './write.ts'

const WIDTH = 24

export interface Terminal extends Output {
  /** Files are written by the present user, also when this process becomes another one. */
  keepFiles(): void
  close(): Promise<void>
}

/** Output on the terminal in which the command was typed, and in the files that it names. */
export function terminal(files: Files = {}): Terminal {
  const kept = new Map<Stream, KeptFile>()
  const opened = new Map<Stream, Writable>()
  const bars = process.stderr.isTTY
  let drawn = 0
  let painted = 0
  const clear = async () => {
    if (drawn > 0) await write(process.stderr, `\r${' '.repeat(drawn)}\r`)
    drawn = 0
  }
  /** Where the data of a stream goes. */
  const placeOf = async (stream: Stream): Promise<Writable> => {
    if (!Object.hasOwn(files, stream))
      throw new Refused({ text: 'The running server tried to write a file that the command did not name.', usage: false })
    const path = files[stream]
    if (path === undefined) return process.stdout
    const file = opened.get(stream) ?? (await (kept.get(stream)?.begin() ?? open(path)))
    opened.set(stream, file)
    return file
  }
  return {
    async line(text) {
      await clear()
      await write(process.stdout, `${printable(text)}\n`)
    },
    async note(text) {
      await clear()
      await write(process.stderr, `${printable(text)}\n`)
    },
    async progress(label, done, total) {
      if (!bars || (performance.now() - painted < 100 && done !== total)) return
      painted = performance.now()
      const part = total === undefined ? 0 : Math.min(1, done / total)
      const bar =
        total === undefined ? String(done) : `[${'#'.repeat(Math.round(part * WIDTH)).padEnd(WIDTH, '.')}] ${Math.floor(part * 100)} %`
      const text = printable(`${bar} ${label}`)
      await write(process.stderr, `\r${text.padEnd(drawn)}`)
      drawn = text.length
    },
    async append(stream, text) {
      await write(await placeOf(stream), files[stream] === undefined && process.stdout.isTTY ? printableLines(text) : text)
    },
    async appendBytes(stream, bytes) {
      if (files[stream] === undefined && process.stdout.isTTY)
        throw new Refused({ text: 'A workbook cannot be shown on a terminal: name a file with --out.', usage: true })
      await write(await placeOf(stream), bytes)
    },
    keepFiles() {
      for (const [stream, path] of Object.entries(files)) if (path !== undefined) kept.set(stream as Stream, keepFile(path))
    },
    async close() {
      await clear()
      for (const file of kept.values()) await file.close()
      for (const [stream, file] of opened) {
        if (kept.has(stream)) continue
        file.end()
        await finished(file)
      }
    },
  }
}

async function open(path: string): Promise<Writable> {
  const file = createWriteStream(path)
  await once(file, 'open')
  return file
}
