const [ESCAPE, HEX] = [0x5c, 0x75]
/** Bytes of the longest escape: two surrogates. */
const LONGEST_ESCAPE = 12
const plain = new Map(Array.from('"\\/', (one) => [one.charCodeAt(0), one.charCodeAt(0)]))
for (const [letter, value] of Object.entries({ b: 8, f: 12, n: 10, r: 13, t: 9 })) plain.set(letter.charCodeAt(0), value)

/**
 * Replaces the text between the quotes of a JSON string by the UTF-8 of its value, in place: `written` bytes from `read` bytes. An
 * escape that may go on after the end is not read, unless this `isLast`. Half a surrogate pair becomes U+FFFD.
 */
export function unescape(bytes: Buffer, isLast: boolean): { readonly read: number; readonly written: number } {
  let [read, written] = [0, 0]
  while (read < bytes.length) {
    const byte = bytes[read]!
    if (byte !== ESCAPE) {
      bytes[written++] = byte
      read++
      continue
    }
    if (!isLast && bytes.length - read < LONGEST_ESCAPE) break
    const letter = bytes[read + 1]!
    if (letter !== HEX) {
      bytes[written++] = plain.get(letter)!
      read += 2
      continue
    }
    let point = unitAt(bytes, read)
    read += 6
    if ((point & 0xfc00) === 0xd800 && bytes[read] === ESCAPE && bytes[read + 1] === HEX) {
      const low = unitAt(bytes, read)
      if ((low & 0xfc00) === 0xdc00) {
        point = 0x10000 + ((point & 0x3ff) << 10) + (low & 0x3ff)
        read += 6
      }
    }
    written = write(bytes, written, point)
  }
  return { read, written }
}

/** The code unit of \uXXXX. */
function unitAt(bytes: Uint8Array, at: number): number {
  let unit = 0
  for (let i = at + 2; i < at + 6; i++) unit = unit * 16 + digit(bytes[i]!)
  return unit
}

const digit = (byte: number): number => (byte <= 0x39 ? byte - 0x30 : (byte | 0x20) - 0x57)

/** Writes a code point in UTF-8; returns where the next one goes. */
function write(bytes: Buffer, at: number, written: number): number {
  const point = (written & 0xf800) === 0xd800 && written <= 0xffff ? 0xfffd : written
  if (point < 0x80) bytes[at++] = point
  else {
    if (point < 0x800) bytes[at++] = 0xc0 | (point >> 6)
    else {
      if (point < 0x10000) bytes[at++] = 0xe0 | (point >> 12)
      else {
        bytes[at++] = 0xf0 | (point >> 18)
        bytes[at++] = 0x80 | ((point >> 12) & 0x3f)
      }
      bytes[at++] = 0x80 | ((point >> 6) & 0x3f)
    }
    bytes[at++] = 0x80 | (point & 0x3f)
  }
  return at
}
