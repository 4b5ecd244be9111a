/** Decodes base64 in pieces. Line ends are ignored. */
export interface Base64Reader {
  /** Returns the bytes that are complete; undefined if the text is not base64. */
  take(text: string): Buffer | undefined
  /** Whether the text may end here. */
  isWhole(): boolean
}

export function base64Reader(): Base64Reader {
  // What does not fill four characters yet.
  let rest = ''
  let isPadded = false
  return {
    take(text) {
      const packed = rest + text.replace(/[\r\n]/g, '')
      const whole = packed.length - (packed.length % 4)
      rest = packed.slice(whole)
      const fours = whole === packed.length ? packed : packed.slice(0, whole)
      if ((isPadded && packed !== '') || !/^[A-Za-z0-9+/]*={0,2}$/.test(fours)) return undefined
      isPadded ||= fours.endsWith('=')
      return Buffer.from(fours, 'base64')
    },
    isWhole: () => rest === '',
  }
}

/** The bytes of a text in base64; undefined if it is not base64. */
export function fromBase64(text: string): Buffer | undefined {
  const reader = base64Reader()
  const bytes = reader.take(text)
  return reader.isWhole() ? bytes : undefined
}
