import { fail } from '../../errors.ts'
import type { ByteRange } from '../../store/files/file-storage.ts'
import type { Incoming } from '../routing/route.ts'

/**
 * The part of a file that a request asks for (RFC 9110, section 14); undefined: the whole file. That is also the answer to a range that is
 * not understood, to several ranges at once, and where If-Range does not name the tag of the file.
 * @throws `file.range_not_satisfiable`
 */
export function rangeOf({ header, isHead }: Pick<Incoming, 'header' | 'isHead'>, size: number, tag: string): ByteRange | undefined {
  const [wanted, unchanged] = [header('Range'), header('If-Range')]
  // Ranges are defined for GET only (14.2). Files have no Last-Modified, so a date never matches; nor do weak tags (13.1.5).
  if (wanted === undefined || isHead || (unchanged !== undefined && unchanged.trim() !== tag)) return undefined
  const [, first = '', last = ''] = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i.exec(wanted.trim()) ?? []
  if (first === '') return last === '' ? undefined : lastBytes(Number(last), size)
  const [start, end] = [Number(first), last === '' ? Infinity : Number(last)]
  if (end < start) return undefined
  if (start >= size) throw unsatisfiable(size)
  return { start, end: Math.min(end, size - 1) }
}

function lastBytes(count: number, size: number): ByteRange | undefined {
  if (count === 0) throw unsatisfiable(size)
  // No Content-Range can say that there are no bytes.
  return size === 0 ? undefined : { start: Math.max(size - count, 0), end: size - 1 }
}

const unsatisfiable = (size: number) => fail('file.range_not_satisfiable', { size }, { headers: { 'Content-Range': `bytes */${size}` } })
