import { readSync, writeSync } from 'node:fs'
import { Unreadable } from './read-csv.ts'

/*
 * The texts of a workbook, which its cells name by their numbers (18.4.9): in a file, since there may be millions. In memory are their
 * lengths and the part of the file that was read last: cells name most of them in the order in which they are there.
 */

/** Bytes of the file that are read at once. */
const PIECE = 262_144
/** Texts whose place is counted from the first of them. */
const GROUP = 64

export interface SharedStrings {
  add(text: string): void
  /** @throws RangeError where there is none of this number */
  at(index: number): string
}

/** Characters of one text: a cell has at most 32,767. */
const LONGEST_TEXT = 1_048_576

/** @throws Unreadable where a text of a workbook is too long */
export function longer(text: string, more: string): string {
  if (text.length + more.length > LONGEST_TEXT) throw new Unreadable('A text of the workbook is too long.')
  return text + more
}

/** Texts of a workbook at most: each takes memory, also an empty one. Excel's largest sheet has room for more cells, few of them different. */
const MOST_TEXTS = 10_000_000

/** `file`: the descriptor of an empty file. `most`: bytes of all texts; `mostTexts`: their number. @throws by `add`: what `tooLarge` returns, where they are more */
export function sharedStrings(file: number, most: number, tooLarge: () => Error, mostTexts = MOST_TEXTS): SharedStrings {
  let count = 0
  let lengths = new Uint32Array(1024)
  const groups: number[] = []
  let end = 0
  let unwritten: Buffer[] = []
  let waiting = 0
  let piece = Buffer.alloc(0)
  let pieceAt = 0

  const flush = () => {
    if (waiting === 0) return
    const bytes = Buffer.concat(unwritten)
    for (let done = 0, at = end - waiting; done < bytes.length;) done += writeSync(file, bytes, done, bytes.length - done, at + done)
    unwritten = []
    waiting = 0
  }

  return {
    add(text) {
      const bytes = Buffer.from(text)
      if (end + bytes.length > most || count >= mostTexts) throw tooLarge()
      if (count === lengths.length) {
        const longer = new Uint32Array(count * 2)
        longer.set(lengths)
        lengths = longer
      }
      if (count % GROUP === 0) groups.push(end)
      lengths[count++] = bytes.length
      end += bytes.length
      if (bytes.length === 0) return
      waiting += bytes.length
      unwritten.push(bytes)
      if (waiting >= PIECE) flush()
    },
    at(index) {
      if (!Number.isSafeInteger(index) || index < 0 || index >= count) throw new RangeError(`There is no text ${index}.`)
      flush()
      let at = groups[Math.floor(index / GROUP)]!
      for (let i = index - (index % GROUP); i < index; i++) at += lengths[i]!
      const length = lengths[index]!
      if (at < pieceAt || at + length > pieceAt + piece.length) {
        piece = Buffer.allocUnsafe(Math.max(length, Math.min(PIECE, end - at)))
        pieceAt = at
        for (let done = 0; done < piece.length;) {
          const read = readSync(file, piece, done, piece.length - done, at + done)
          if (read === 0) throw new Error('A file is shorter than it was.')
          done += read
        }
      }
      return piece.toString('utf8', at - pieceAt, at - pieceAt + length)
    },
  }
}
