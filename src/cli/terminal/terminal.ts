import type { Writable } from 'node:stream'
import type { Files, Output, Stream } from './output.ts'
import { Refused } from '../explain/explain.ts'
import { keepFile, ownFile, type KeptFile } from './kept-file.ts'
import { printable, printableLines } from './printable.ts'
import { write } from './write.ts'

const WIDTH = 24

/** The list of refused lines is worth as much as it has; other data only as a whole. */
const isReplaced = (stream: Stream): boolean => stream === 'out'

export interface Terminal extends Output {
  /** Files are written by the present user, also when this process becomes another one. */
  keepFiles(): void
  /** `isDone`: the command has ended without an error. Else a file of data that it was to replace stays as it was. */
  close(isDone?: boolean): Promise<void>
}

/** Output on the terminal in which the command was typed, and in the files that it names. */
export function terminal(files: Files = {}): Terminal {
  const { placeOf, hasBegun, keepFiles, close } = outputFiles(files)
  const bars = process.stderr.isTTY
  /** Notes behind data that goes into a file: they are told when it is there. */
  const held: string[] = []
  let drawn = 0
  let painted = 0
  const clear = async () => {
    if (drawn > 0) await write(process.stderr, `\r${' '.repeat(drawn)}\r`)
    drawn = 0
  }
  return {
    async line(text) {
      await clear()
      await write(process.stdout, `${printable(text)}\n`)
    },
    async note(text) {
      await clear()
      const line = `${printable(text)}\n`
      if (hasBegun('out')) held.push(line)
      else await write(process.stderr, line)
    },
    async progress(label, done, total) {
      if (!bars || (performance.now() - painted < 100 && done !== total)) return
      painted = performance.now()
      const text = printable(`${barOf(done, total)} ${label}`)
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
    keepFiles,
    async close(isDone = true) {
      await clear()
      await close(isDone)
      for (const text of held.splice(0)) await write(process.stderr, text)
    },
  }
}

/** The files of the streams. */
function outputFiles(files: Files) {
  const kept = new Map<Stream, KeptFile>()
  const opened = new Map<Stream, Writable>()
  /** Where the data of a stream goes. */
  const placeOf = async (stream: Stream): Promise<Writable> => {
    if (!Object.hasOwn(files, stream))
      throw new Refused({ text: 'The running server tried to write a file that the command did not name.', usage: false })
    const path = files[stream]
    if (path === undefined) return process.stdout
    let file = opened.get(stream)
    if (!file) {
      const begun = kept.get(stream) ?? ownFile(path, isReplaced(stream))
      kept.set(stream, begun)
      file = await begun.begin()
    }
    opened.set(stream, file)
    return file
  }
  return {
    placeOf,
    hasBegun: (stream: Stream) => opened.has(stream),
    keepFiles() {
      for (const [name, path] of Object.entries(files)) {
        const stream = name as Stream
        if (path !== undefined) kept.set(stream, keepFile(path, isReplaced(stream)))
      }
    },
    async close(isDone: boolean) {
      for (const file of kept.values()) await file.close(isDone)
    },
  }
}

function barOf(done: number, total: number | undefined): string {
  if (total === undefined) return String(done)
  const part = Math.min(1, done / total)
  return `[${'#'.repeat(Math.round(part * WIDTH)).padEnd(WIDTH, '.')}] ${Math.floor(part * 100)} %`
}
