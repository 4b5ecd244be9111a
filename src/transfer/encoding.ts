/** Bytes that are looked at. */
const LOOKED_AT = 65_536

/** The encoding of a file, from its first bytes: by its byte order mark, by the zeros of UTF-16, else UTF-8 where it is valid. */
export function encodingOf(begin: Uint8Array): string {
  if (begin[0] === 0xff && begin[1] === 0xfe) return 'utf-16le'
  if (begin[0] === 0xfe && begin[1] === 0xff) return 'utf-16be'
  const bytes = begin.subarray(0, LOOKED_AT)
  const zeros = [0, 0]
  for (let i = 0; i < bytes.length; i++) if (bytes[i] === 0) zeros[i % 2]!++
  // Half of the bytes of a text in Latin letters, digits and delimiters; at least the delimiters of any other.
  if (zeros[1]! > bytes.length / 20 && zeros[0] === 0) return 'utf-16le'
  if (zeros[0]! > bytes.length / 20 && zeros[1] === 0) return 'utf-16be'
  return isUtf8(bytes) ? 'utf-8' : ofOneByte(bytes)
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    // The last character may be cut off.
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true })
    return true
  } catch (error) {
    if (error instanceof TypeError) return false
    throw error
  }
}

/** In Cyrillic words, letters above 0xC0 stand side by side; in those of western languages they stand alone. */
function ofOneByte(bytes: Uint8Array): string {
  let [letters, beside] = [0, 0]
  for (let i = 0; i < bytes.length; i++) {
    if (bytes[i]! < 0xc0) continue
    letters++
    if (bytes[i - 1]! >= 0xc0 || bytes[i + 1]! >= 0xc0) beside++
  }
  return beside * 2 > letters ? 'windows-1251' : 'windows-1252'
}
